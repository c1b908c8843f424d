import { controlRefusal } from '../board/control-refusal.ts';
import { displayText } from '../domain/display-text.ts';
import { parseWorkerId, type RunId, type TaskId } from '../domain/ids.ts';
import type { ControlReply } from '../engine/board-calls.ts';
import type { BoardModel } from '../scheduler/model/board-model.ts';
import { silentHostOf } from '../scheduler/predicate/places.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import { cancelRequests } from './cancel.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { readTaskName } from './find-task.ts';
import { findLiveTask } from './not-running.ts';
import { type BoardUse, withBoard } from './open-board.ts';
import { pausedAlready, undoneBy } from './pausing.ts';
import { outLine, type Refused, sayJson, sayRefused } from './say.ts';
import type { Perform } from './terminal.ts';

type Word = 'retry' | 'cancel' | 'pause' | 'resume' | 'answer';

/** What an operator asks for. */
export function controlCommand(word: Word): Perform {
  return async (args, terminal) => {
    const ear: Ear = { changed: () => {} };
    const how = { command: word, carriesOn: 'recent', changed: () => ear.changed() } as const;
    const use = async (board: BoardUse): Promise<ExitCode> => await ask(board, word, ear);
    return await withBoard(args, terminal, { how, use });
  };
}

/** Whoever wants to know that something has happened on the board. */
interface Ear {
  changed: () => void;
}

async function ask(use: BoardUse, word: Word, ear: Ear): Promise<ExitCode> {
  const { args, terminal, open, world, takePart } = use;
  const { keeper } = open;
  await takePart();
  const requests = requestsFor(word, use);
  if ('kind' in requests) return sayRefused(args, terminal, requests);
  for (const request of requests) {
    const already = pausedAlready(keeper.board, request);
    if (already !== undefined) return sayRefused(args, terminal, already);
    const reply = await keeper.calls.control(request, world.ids.operation());
    if (reply.kind === 'refused') return sayRefused(args, terminal, refusalOf(request, reply));
  }
  // Nobody else would make an end of what does not end by itself.
  if (word === 'cancel' && keeper.isDeciding)
    await until(ear, () => requests.every((request) => hasEnded(keeper.board, request)));
  if (args.isJson) sayJson(terminal, { accepted: requests });
  else for (const request of requests) outLine(terminal, acceptedText(request, keeper.board));
  const isLeft = keeper.isDeciding && keeper.board.runs.size > 0;
  if (isLeft && (word === 'retry' || word === 'answer' || word === 'resume'))
    terminal.err(
      'Nobody else decides for this board: "interlock run" or "interlock serve" carries it on.\n',
    );
  return EXIT.done;
}

function requestsFor(word: Word, use: BoardUse): readonly ControlRequest[] | Refused {
  const { args } = use;
  const { board } = use.open.keeper;
  const [task] = args.words;
  const { worker } = args.options;
  if (worker !== undefined) return workerRequest(word, String(worker), task);
  if (word === 'cancel' && task === undefined) return cancelRequests(args, board);
  if (task === undefined) {
    if (word === 'pause') return [{ kind: 'pause-board' }];
    if (word === 'resume') return [{ kind: 'resume-board' }];
    return wrong(`Name one task: interlock ${word} TASK`);
  }
  const name = readTaskName(task, args.options);
  if (name.kind === 'refused') return name;
  const found = findLiveTask(use, name, adviceFor(word, name.task));
  if (found.kind === 'refused') return found;
  return [{ kind: `${word}-task`, run: found.run.manifest.id, task: found.entry.id }];
}

/** Of the words, only those two take the option. */
function workerRequest(
  word: Word,
  name: string,
  task: string | undefined,
): readonly ControlRequest[] | Refused {
  if (task !== undefined) return wrong('Name a task or a worker, not both.');
  const worker = parseWorkerId(name);
  if (worker === undefined || !/^(agent|person|runner)\//.test(name))
    return wrong(`"${name}" is no worker: agent/NAME, person/NAME, or runner/local.`);
  return [{ kind: word === 'pause' ? 'drain-worker' : 'undrain-worker', worker }];
}

function adviceFor(word: Word, task: TaskId): string {
  switch (word) {
    case 'retry':
      return `"interlock run ${task}" runs it.`;
    case 'pause':
      return 'There is nothing to pause; "interlock pause" pauses everything.';
    case 'answer':
      return 'It has asked nothing.';
    default:
      return `There is nothing to ${word}.`;
  }
}

async function until(ear: Ear, isSo: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isSo()) resolve();
    };
    ear.changed = look;
    look();
  });
}

function hasEnded(board: BoardModel, request: ControlRequest): boolean {
  if (request.kind === 'stop-run') return !board.runs.has(request.run);
  if (request.kind !== 'cancel-task') return true;
  return board.find(request.run, request.task)?.claim === undefined;
}

type Refusal = Extract<ControlReply, { kind: 'refused' }>;

/** As a sentence that says what to do. */
function refusalOf(request: ControlRequest, reply: Refusal): Refused {
  const { why } = reply;
  const sentence = controlRefusal(request, reply);
  const message =
    why.kind === 'unknown' && request.kind === 'stop-run'
      ? `${sentence} "interlock runs" lists them.`
      : sentence;
  return { kind: 'refused', why: why.kind, message, code: EXIT.refused };
}

/** What nobody can end now ends when its host is reached, or when its lease is over. */
function cancelledText(
  { run, task }: { readonly run: RunId; readonly task: TaskId },
  board: BoardModel,
): string {
  const worker = board.find(run, task)?.claim?.holder.worker;
  const silent = worker && silentHostOf(board, worker);
  return silent === undefined
    ? `"${task}" is cancelled.`
    : `"${task}" is asked to end. ${displayText(silent)} cannot be reached: what still runs there is ended when it can.`;
}

function acceptedText(request: ControlRequest, board: BoardModel): string {
  switch (request.kind) {
    case 'stop-run':
      return `Run ${request.run} is cancelled.`;
    case 'pause-board':
      return `Everything is paused: what runs goes on, and nothing more starts. ${undoneBy('')}`;
    case 'resume-board':
      return 'It goes on.';
    case 'cancel-task':
      return cancelledText(request, board);
    case 'retry-task':
    case 'answer-task':
      return `"${request.task}" begins anew.`;
    case 'pause-task':
      return `"${request.task}" is paused: it does not start, and goes on if it has. ${undoneBy(request.task)}`;
    case 'resume-task':
      return `"${request.task}" goes on.`;
    case 'drain-worker':
      return `${request.worker} is given nothing new, and goes on with what it has. "interlock resume --worker ${request.worker}" undoes it.`;
    case 'undrain-worker':
      return `${request.worker} is given tasks again.`;
    default:
      return 'It is done.';
  }
}

function wrong(message: string): Refused {
  return { kind: 'refused', why: 'usage', message, code: EXIT.usage };
}
