import type { OpenBoard } from '../board/ports.ts';
import type { RunResult } from '../board/run-choice.ts';
import { messageOf, statusOf, type TaskStatus } from '../board/task-status.ts';
import { displayText } from '../domain/display-text.ts';
import type { TaskId } from '../domain/ids.ts';
import type { TaskState } from '../domain/task.ts';
import { explain } from '../scheduler/predicate/explain.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { RunWatch, WatchedRun } from './run-watch.ts';
import { errLine, sayJson } from './say.ts';
import { tailOf } from './tail.ts';
import type { Arguments, Terminal } from './terminal.ts';

const TAIL = { lineCount: 20, byteCount: 16 * 1024 };
/** Of a run in which everything fails, the first ones are enough. */
const TAILS_LIMIT = 10;

interface EndedTask {
  readonly run: WatchedRun;
  readonly task: TaskId;
  readonly state: TaskState;
  readonly status: TaskStatus;
}

interface Place {
  readonly args: Arguments;
  readonly terminal: Terminal;
  readonly open: OpenBoard;
}

type NotRun = Pick<Extract<RunResult, { kind: 'accepted' }>, 'leftOut' | 'refusedPlans'>;

/** What became of everything that was asked for. */
export function endOfRuns(
  place: Place,
  { runs }: RunWatch,
  { leftOut, refusedPlans }: NotRun,
): ExitCode {
  const { args, terminal } = place;
  const tasks = runs.flatMap((run) =>
    [...run.states].map(([task, state]) => endOf(run, task, state)),
  );
  if (args.isJson) {
    const ended = runs.map(({ id, manifest: { plan }, outcome, stuck }) => ({
      id,
      plan,
      outcome: outcome ?? null,
      ...(stuck.length > 0 && { stuck }),
    }));
    sayJson(terminal, { runs: ended, tasks: tasks.map(toJson), leftOut, refusedPlans });
  } else {
    showTails(place, tasks);
    for (const { task, why } of leftOut) errLine(terminal, `${task}: left out. ${why}`);
    const count = (kind: string): number =>
      tasks.filter(({ status }) => status.kind === kind).length;
    const kinds = ['completed', 'failed', 'cancelled', 'skipped'];
    terminal.out(`${kinds.map((kind) => `${count(kind)} ${kind}`).join(', ')}\n`);
    adviseNext(terminal, tasks, runs.length > 1);
  }
  if (runs.some(({ outcome }) => outcome === 'deadlocked')) {
    terminal.err('Some tasks can never start:\n');
    for (const { stuck } of runs)
      for (const { task, reasons } of stuck)
        errLine(terminal, `${task}: ${displayText(reasons.map(explain).join('; '))}`);
    return EXIT.deadlocked;
  }
  const isDone = tasks.every(({ state }) => state.kind === 'completed');
  const isAll = leftOut.length === 0 && refusedPlans.length === 0;
  return isDone && isAll ? EXIT.done : EXIT.failed;
}

function endOf(run: WatchedRun, task: TaskId, state: TaskState): EndedTask {
  const { id, plan } = run.manifest;
  const runStatus = run.outcome === undefined ? 'active' : 'finished';
  const record = { run: id, plan, task, state, runStatus } as const;
  return { run, task, state, status: statusOf(record, undefined, undefined) };
}

/** Of those that failed: mostly it says there why. */
function showTails({ terminal, open }: Place, tasks: readonly EndedTask[]): void {
  const failed = tasks.filter(({ state }) => state.kind === 'failed');
  for (const { run, task, state } of failed.slice(0, TAILS_LIMIT)) {
    const { revision, attempts: attempt } = state.tries;
    const tail = tailOf(open.logFile({ run: run.id, task, revision, attempt }), {
      ...TAIL,
      hasColors: terminal.screen?.hasColours === true,
    });
    if (tail !== '') terminal.err(`\nThe last lines of ${task}:\n${tail}\n`);
  }
  const left = failed.length - TAILS_LIMIT;
  if (left > 0)
    terminal.err(`\n${left} more failed. "interlock log TASK" shows what they printed.\n`);
}

/** What people mostly type next. */
function adviseNext(terminal: Terminal, tasks: readonly EndedTask[], isOfSeveral: boolean): void {
  const failed = tasks.find(({ state }) => state.kind === 'failed');
  if (failed === undefined) return;
  const { run, task } = failed;
  const name = isOfSeveral ? `${run.manifest.plan}:${task}` : task;
  errLine(
    terminal,
    `"interlock log ${name}" shows all that it printed, "interlock run ${name}" runs it again.`,
  );
}

function toJson({ run, task, state, status }: EndedTask): unknown {
  const { kind, detail } = status;
  const { plan } = run.manifest;
  const { attempts } = state.tries;
  const message = messageOf(state);
  const said = { plan, id: task, state: kind, detail: displayText(detail), attempts, run: run.id };
  return message === undefined ? said : { ...said, message };
}
