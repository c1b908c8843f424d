import { heldBy } from '../board/held-by.ts';
import type { BoardTask } from '../board/board-task.ts';
import { Observations } from '../board/observations.ts';
import { observedLists, observedSentences } from '../board/observed-text.ts';
import { messageOf, statusOf } from '../board/task-status.ts';
import { displayText } from '../domain/display-text.ts';
import { treeOf } from '../domain/run.ts';
import { asksOf, canBeStopped } from '../domain/asks.ts';
import { holderOf, type TaskState } from '../domain/task.ts';
import { formatDuration, type Instant } from '../domain/time.ts';
import type { TaskRecord } from '../engine/store-port.ts';
import { explainAttention } from '../scheduler/predicate/explain.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import { isRunner, LOCAL, placeOf } from '../scheduler/model/workers.ts';
import { silentHostOf } from '../scheduler/predicate/places.ts';
import { type Blocker, why as blockersOf } from '../scheduler/predicate/why.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { askedSentences } from './asked-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findTask, readTaskName, type TaskName } from './find-task.ts';
import { whyUnknown } from './no-plan.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { undoneBy } from './pausing.ts';
import { outLine, type Refused, sayJson, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

/** Why a task is not running: a sentence for each thing that is in its way. */
export async function why(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const name = readTaskName(args.words[0] ?? '', args.options);
  if (name.kind === 'refused') return sayRefused(args, terminal, name);
  const use = (board: BoardUse): ExitCode => {
    const explained = explainTask(board, name);
    if (explained.kind === 'refused') return sayRefused(args, terminal, explained);
    const { about, sentences } = explained;
    if (args.isJson) sayJson(terminal, { ...about, sentences });
    else for (const sentence of sentences) outLine(terminal, sentence);
    return EXIT.done;
  };
  return await withBoard(args, terminal, { how: { command: 'why' }, use });
}

type Explained =
  | {
      readonly kind: 'explained';
      /** For programs. */
      readonly about: object;
      readonly sentences: readonly string[];
    }
  | Refused;

/** An agent acts by its tools: a command line in an answer would lead it around them. */
export type Reader = 'terminal' | 'agent';

/** What is in the way of a task of a run, or what its plan says of it. */
export function explainTask(
  { args, board, open }: Pick<BoardUse, 'args' | 'board' | 'open'>,
  name: TaskName,
  reader: Reader = 'terminal',
): Explained {
  const { keeper, clock } = open;
  const found = findTask(keeper.board, args.folder, name);
  if (found.kind === 'refused' && found.code === EXIT.usage) return found;
  if (found.kind === 'found') {
    const { entry, run } = found;
    const blockers = blockersOf(keeper.outlook(), entry);
    const sentences =
      blockers.length > 0
        ? blockers.map(({ sentence }) => sentence)
        : [stateSentence(entry, { board: keeper.board, now: clock.now(), reader })];
    sentences.push(...askedSentences(entry.claim?.owner?.asked));
    if (entry.isPaused && entry.state.kind !== 'pending')
      sentences.push(
        `It is paused: when it is released, it waits.${reader === 'agent' ? '' : ` ${undoneBy(entry.id)}`}`,
      );
    const seen = new Observations(() => treeOf(run.manifest)).of(open, run.manifest.id, entry.id);
    sentences.push(...observedSentences(entry.id, seen));
    const about = { ...aboutEntry(entry, blockers), ...observedLists(seen) };
    return explanation({ ...about, run: run.manifest.id }, sentences);
  }
  board.load();
  const task = board
    .tasks()
    .find((each) => each.task.id === name.task && each.plan.path === (name.plan ?? each.plan.path));
  if (task === undefined) {
    const unknown = whyUnknown({ folder: args.folder, plans: board.plans, name });
    return unknown ?? found;
  }
  const { plan, status, record, observed } = task;
  const said = record === undefined ? {} : saidIn(record.state);
  const document = { task: name.task, plan: plan.path, state: status.kind, ...said, blockers: [] };
  const sentences = [sentenceWithoutRun(task, reader), ...observedSentences(name.task, observed)];
  const about = { ...document, ...observedLists(observed), run: record?.run };
  return explanation(about, sentences);
}

function explanation(about: object, sentences: readonly string[]): Explained {
  return { kind: 'explained', about, sentences: sentences.map(displayText) };
}

function aboutEntry({ id, state, run }: TaskEntry, blockers: readonly Blocker[]): object {
  return { task: id, plan: run.manifest.plan, state: state.kind, ...saidIn(state), blockers };
}

function saidIn(state: TaskState): { readonly message?: string } {
  const message = messageOf(state);
  return message === undefined ? {} : { message };
}

/** Nothing is in its way. */
function stateSentence(
  { id, state, asks, run }: TaskEntry,
  {
    board,
    now,
    reader,
  }: { readonly board: BoardModel; readonly now: Instant; readonly reader: Reader },
): string {
  const holder = holderOf(state);
  switch (state.kind) {
    case 'pending':
      if (canBeStopped(asks.doer)) return `"${id}" may start now.`;
      return reader === 'agent'
        ? `"${id}" may be claimed now.`
        : `"${id}" may be claimed now: interlock claim ${id} --as NAME`;
    case 'claimed':
      return `"${id}" is ${heldBy(state.worker, state.expiresAt, now)}, and has not begun.`;
    case 'running': {
      const since = formatDuration(Math.max(0, now - state.startedAt));
      const held = isRunner(state.worker)
        ? runBy(state, silentHostOf(board, state.worker) !== undefined)
        : `, ${heldBy(state.worker, state.expiresAt, now)}.`;
      return `"${id}" has been running for ${since}${held}`;
    }
    case 'attention':
      return `"${id}" needs you: ${explainAttention(state.why)}.${holder === undefined ? '' : ' It is still being worked on.'}`;
    default: {
      const { id: ofRun, plan } = run.manifest;
      return endSentence({ run: ofRun, plan, task: id, state, runStatus: 'active' });
    }
  }
}

/** Its lease says nothing to anybody: whoever decides renews it. */
function runBy(
  { worker, stop }: Extract<TaskState, { kind: 'running' }>,
  isSilent: boolean,
): string {
  const place = placeOf(worker);
  const where = place === LOCAL ? '.' : ` on ${displayText(place)}.`;
  const end = stop === undefined ? '' : ' It is asked to end.';
  if (!isSilent) return where + end;
  return `${where}${end} Nobody reaches that host now: what has become of it there is known when it can be reached again.`;
}

function endSentence(record: TaskRecord): string {
  const { kind, detail } = statusOf(record, undefined, undefined);
  if (detail.endsWith('.')) return `"${record.task}" has ended: ${kind}. ${detail}`;
  return `"${record.task}" has ended: ${kind}${detail === '' ? '' : ` (${detail})`}.`;
}

function sentenceWithoutRun({ task, status, record }: BoardTask, reader: Reader): string {
  const { kind, detail } = status;
  if (kind === 'blocked' && record !== undefined && !/[.?!]$/.test(detail))
    return `"${task.id}" has not started: ${detail}.${reader === 'agent' ? '' : ` "interlock run ${task.id}" says what is in its way.`}`;
  if (kind === 'blocked') return /[.?!]$/.test(detail) ? detail : `${detail}.`;
  if (record === undefined && reader === 'agent') return `No run has asked for "${task.id}" yet.`;
  if (record === undefined)
    return canBeStopped(asksOf(task.asks).doer)
      ? `"${task.id}" has not been asked for: interlock run ${task.id}`
      : `"${task.id}" has not been asked for; it can be claimed: interlock claim ${task.id} --as NAME`;
  return endSentence(record);
}
