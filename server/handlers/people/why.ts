import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { LET_START, type LetStartReply, type TaskKey } from '../../../protocol/tasks.ts';
import {
  type BlockerAction,
  type BlockerView,
  CLEAR_BLOCKER,
  type ClearReply,
  WHY_TASK,
  type WhyReply,
} from '../../../protocol/why.ts';
import type { LoadedPlan } from '../../board/plan-set.ts';
import { type BlockerDeed, doDeed } from '../../board/blocker-deeds.ts';
import type { OpenBoard } from '../../board/ports.ts';
import { sentenceOf } from '../../board/board.ts';
import type { BoardTask } from '../../board/board-task.ts';
import { personName } from '../../board/file-claim-text.ts';
import { taskOf } from '../../board/task-of.ts';
import { blockersOf, type TaskBlocker } from '../../board/why-task.ts';
import { displayText, inShort } from '../../domain/display-text.ts';
import type { TaskId } from '../../domain/ids.ts';
import { fileOf } from '../../plans/plan-source.ts';
import type { Folder } from '../folder.ts';
import { fieldsOf, readTask, refuseParams } from '../refuse-params.ts';
import type { PersonParts } from './person-parts.ts';

/** Why a task is not running, and the one thing to do about each reason. */
export function registerWhy(parts: PersonParts): void {
  const { connection, live, world } = parts;

  connection.onRequest(WHY_TASK, (params: unknown): WhyReply => {
    const { folder, task } = readExisting(params, parts);
    return {
      title: inShort(displayText(task.task.title)),
      state: task.status.kind,
      blockers: blockersOf(folder.board, task).map((blocker) =>
        blockerView(blocker, { folder, task }),
      ),
    };
  });

  connection.onRequest(CLEAR_BLOCKER, async (params: unknown): Promise<ClearReply> => {
    const { folder, task } = readExisting(params, parts);
    const { key } = fieldsOf(params);
    if (typeof key !== 'string') throw refuseParams('"key" is that of a blocker.');
    const { board } = folder;
    if (!board.isTrusted) return { message: 'Trust this folder first.' };
    const deed = blockersOf(board, task).find((blocker) => blocker.key === key)?.deed;
    const open = board.live;
    if (deed === undefined || open === undefined)
      return { message: 'It is not in the way any more.' };
    return await perform(deed, { open, task });
  });

  connection.onRequest(LET_START, async (params: unknown): Promise<LetStartReply> => {
    const { folder, task } = readExisting(params, parts);
    const { board } = folder;
    const open = board.live;
    if (!board.isTrusted || open === undefined) return { message: 'Trust this folder first.' };
    const deeds = blockersOf(board, task).flatMap(({ deed }) =>
      deed?.kind === 'let-start' ? [deed] : [],
    );
    if (deeds.length === 0) return { message: 'It is not in the way any more.' };
    const replies = await Promise.all(
      deeds.map(async (deed) => await perform(deed, { open, task })),
    );
    return replies.find(({ message }) => message !== undefined) ?? {};
  });

  /** Beside what this window has, it lets the task start by itself. */
  async function perform(
    deed: BlockerDeed,
    { open, task }: { readonly open: OpenBoard; readonly task: BoardTask },
  ): Promise<ClearReply> {
    const run = task.record?.run;
    if (deed.kind === 'let-start' && run !== undefined) {
      if (live.letStart(deed.owner.id, { run, id: task.task.id })) return {};
    }
    const { worker } = live.window;
    try {
      const message = await doDeed(deed, { open, worker, operation: world.ids.operation() });
      return message === undefined ? {} : { message: displayText(message) };
    } catch (error) {
      return { message: sentenceOf(error) };
    }
  }
}

function readExisting(
  params: unknown,
  { workspace }: PersonParts,
): { readonly folder: Folder; readonly task: BoardTask } {
  const { folder, board, plan, id } = readTask(params, workspace);
  const task = taskOf(board, plan, id);
  if (task === undefined) throw refuseParams(`No plan here has a task "${id}".`);
  return { folder, task };
}

interface About {
  readonly folder: Folder;
  readonly task: BoardTask;
}

function blockerView(blocker: TaskBlocker, about: About): BlockerView {
  const { key, kind, what, remedy, until } = blocker;
  const action = actionOf(blocker, about);
  return {
    key,
    kind,
    what,
    remedy,
    ...(until !== undefined && { until }),
    ...(action && { action }),
  };
}

function actionOf({ deed }: TaskBlocker, about: About): BlockerAction | undefined {
  const { folder, task } = about;
  const own: TaskKey = { folderUri: folder.uri, plan: task.plan.path, id: task.task.id };
  switch (deed?.kind) {
    case undefined:
      return undefined;
    case 'trust':
      return { kind: 'trust', title: 'Trust This Folder' };
    case 'open-task':
      return { kind: 'open', title: 'Open the Plan', ...placeOfTask(about) };
    case 'open-limits':
      return { kind: 'open', title: 'Open the Limits', ...placeOfLimits(about) };
    case 'claim':
      return { kind: 'claim', title: 'Claim It', task: own };
    case 'wake':
      return { kind: 'clear', title: 'Wake Idle Agents' };
    case 'open-terminal':
      return { kind: 'clear', title: 'Open a Terminal' };
    case 'run-again':
      return { kind: 'run', title: 'Run It Again', task: own };
    case 'run-task':
      return { kind: 'run', title: `Run ${deed.task}`, task: keyOf(deed.task, about) };
    case 'show-task':
      return { kind: 'show', title: `Show ${deed.task}`, task: keyOf(deed.task, about) };
    case 'let-start':
      return { kind: 'clear', title: 'Let It Start' };
    case 'open-file':
      return openFile(deed.path, about);
    case 'ask-release':
      return {
        kind: 'clear',
        title: `Ask ${personName(deed.worker).replace(/^agent\//, '')} to Release ${deed.path}`,
      };
    case 'control':
      return { kind: 'clear', title: deed.title };
    default:
      return deed satisfies never;
  }
}

/** `other-plan/id` is a task of another plan of the folder. */
function keyOf(name: TaskId, { folder, task }: About): TaskKey {
  const known = task.plan.plan.references.get(name);
  if (known !== undefined) return { folderUri: folder.uri, plan: known.plan, id: known.task };
  // What is held by a task of another plan goes by its id alone.
  const has = ({ plan }: LoadedPlan): boolean => plan.tasks.some(({ id }) => id === name);
  const plan = has(task.plan) ? task.plan : folder.board.plans.all.find(has);
  return { folderUri: folder.uri, plan: (plan ?? task.plan).path, id: name };
}

/** Of another person it is worth a look. */
function openFile(inTree: string, { folder }: About): BlockerAction {
  const below = folder.board.folderInTree;
  const file =
    below !== '' && inTree.startsWith(`${below}/`) ? inTree.slice(below.length + 1) : inTree;
  const uri = pathToFileURL(path.join(folder.path, file)).href;
  return { kind: 'open', title: `Open ${inTree}`, uri, line: 0, character: 0 };
}

type Place = Pick<Extract<BlockerAction, { kind: 'open' }>, 'uri' | 'line' | 'character'>;

function placeOfTask({ folder, task: { plan, task } }: About): Place {
  const file = fileOf(task.idRange, plan);
  const { uriOf, positionsOf } = folder.places;
  return { uri: uriOf(file), ...positionsOf(file).at(task.idRange.start) };
}

/** Where the plan says how much there is; where it does not, at the task that needs it. */
function placeOfLimits(about: About): Place {
  const { folder, task } = about;
  const file = fileOf(task.task.idRange, task.plan);
  const lines = (folder.board.plans.textOf(file) ?? '').split('\n');
  const line = lines.findIndex((text) => /^limits\s*:/.test(text));
  return line < 0 ? placeOfTask(about) : { uri: folder.places.uriOf(file), line, character: 0 };
}
