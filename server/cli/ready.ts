import { displayText } from '../domain/display-text.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import { PullOrder } from '../scheduler/decisions/pull-order.ts';
import { mayStart, type Verdict } from '../scheduler/predicate/may-start.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noPlan } from './no-plan.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { OptionReader } from './options.ts';
import { errLine, outLine, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { readWorker } from './worker.ts';

/** More than a page of it helps nobody; programs get all. */
const SHOWN_LIMIT = 100;

interface ReadyTask {
  readonly task: TaskId;
  readonly plan: string;
  readonly run: RunId;
  readonly title: string;
  /** `runner`: it starts by itself; `terminal`: it does in one; the others may be claimed. */
  readonly for: string;
  readonly priority: string;
  readonly needs: readonly string[];
}

/** What may start or be claimed now, in the order in which it is served. */
export async function ready(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const reader = new OptionReader(args.options);
  const worker =
    reader.text('as') === undefined ? undefined : readWorker(reader, { defaultKind: 'agent' });
  if (worker?.kind === 'refused') return sayRefused(args, terminal, worker);
  const use = ({ board, open }: BoardUse): ExitCode => {
    const who = worker && { ...worker.worker, since: open.clock.now() };
    const tasks = readyTasks(open.keeper.outlook(), who);
    if (args.isJson) sayJson(terminal, { tasks });
    else show(terminal, tasks);
    if (tasks.length === 0) {
      board.load();
      const isEmpty = board.plans.all.length === 0;
      errLine(terminal, isEmpty ? noPlan(args.folder).message : 'Nothing is ready.');
    }
    return EXIT.done;
  };
  return await withBoard(args, terminal, { how: { command: 'ready' }, use });
}

function readyTasks(turn: Turn, worker: Worker | undefined): readonly ReadyTask[] {
  const { board } = turn;
  const entries: TaskEntry[] = [];
  if (worker === undefined)
    for (const decision of turn.decisions) {
      const entry = decision.kind === 'claim' ? board.find(decision.run, decision.task) : undefined;
      if (entry !== undefined) entries.push(entry);
    }
  const question = worker === undefined ? {} : { worker };
  for (const order = new PullOrder(board); order.first !== undefined; order.pass())
    if (isTakeable(mayStart(turn, order.first, question))) entries.push(order.first);
  return entries.map(({ id, run, definition, asks }) => ({
    task: id,
    plan: run.manifest.plan,
    run: run.manifest.id,
    title: displayText(definition.title),
    for: asks.doer.kind,
    priority: asks.priority,
    needs: asks.needs,
  }));
}

/** Whoever asks may be about to come: that nobody is here who could take it is nothing in the way. */
function isTakeable(verdict: Verdict): boolean {
  if (verdict.kind === 'yes') return true;
  return verdict.reasons.every(
    (reason) =>
      reason.kind === 'capability' && (reason.because === 'nobody' || reason.because === 'window'),
  );
}

function show(terminal: Terminal, tasks: readonly ReadyTask[]): void {
  const shown = tasks.slice(0, SHOWN_LIMIT);
  const width = Math.max(0, ...shown.map(({ task }) => task.length));
  for (const { task, title, for: who, needs } of shown) {
    const having = needs.length === 0 ? '' : ` with ${needs.join(', ')}`;
    outLine(
      terminal,
      `${task.padEnd(width)}  for ${who}${having}${title === '' ? '' : `  ${title}`}`,
    );
  }
  if (tasks.length > SHOWN_LIMIT) outLine(terminal, `… and ${tasks.length - SHOWN_LIMIT} more`);
}
