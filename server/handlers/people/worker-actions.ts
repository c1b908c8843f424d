import {
  ACT_ON_WORKER,
  TAKE_HOLD,
  type WorkerAction,
  type WorkerReply,
} from '../../../protocol/workers.ts';
import { type Board, sentenceOf } from '../../board/board.ts';
import type { OpenBoard } from '../../board/ports.ts';
import { takeHold } from '../../board/take-hold.ts';
import { parseWorkerId, type WorkerId } from '../../domain/ids.ts';
import { fieldsOf, refuseParams } from '../refuse-params.ts';
import type { PersonParts } from './person-parts.ts';

/** What the user does about somebody at work. */
export function registerWorkerActions(parts: PersonParts): void {
  const { connection, live, world } = parts;
  connection.onRequest(ACT_ON_WORKER, async (params: unknown): Promise<WorkerReply> => {
    const { board, worker } = readWorker(params, parts);
    const request = requestFor(readAction(params), worker);
    return await replied(async () => await board.control(request));
  });
  connection.onRequest(TAKE_HOLD, async (params: unknown): Promise<WorkerReply> => {
    const { open } = readWorker(params, parts);
    const { key } = fieldsOf(params);
    if (typeof key !== 'string') throw refuseParams('"key" is that of what the worker has.');
    const { person } = live.window;
    const operation = world.ids.operation();
    return await replied(async () => await takeHold(key, { open, person, operation }));
  });
}

function requestFor(action: WorkerAction['action'], worker: WorkerId) {
  if (action === 'wake') return { kind: 'rebuild' } as const;
  return { kind: action === 'drain' ? 'drain-worker' : 'undrain-worker', worker } as const;
}

function readAction(params: unknown): WorkerAction['action'] {
  const { action } = fieldsOf(params);
  if (action === 'drain' || action === 'undrain' || action === 'wake') return action;
  throw refuseParams('"action" is "drain", "undrain" or "wake".');
}

/** Nothing is done on boards of folders that are not trusted. */
function readWorker(
  params: unknown,
  { workspace }: PersonParts,
): { readonly board: Board; readonly open: OpenBoard; readonly worker: WorkerId } {
  const { folderUri, id } = fieldsOf(params);
  const worker = typeof id === 'string' ? parseWorkerId(id) : undefined;
  if (typeof folderUri !== 'string' || worker === undefined)
    throw refuseParams('A worker is named by "folderUri" and "id".');
  const board = workspace.get(folderUri)?.board;
  const open = board?.live;
  if (board === undefined || open === undefined) throw refuseParams('This folder is not open.');
  if (!board.isTrusted) throw refuseParams('Trust this folder first.');
  return { board, open, worker };
}

async function replied(act: () => Promise<string | undefined>): Promise<WorkerReply> {
  try {
    const refusal = await act();
    return refusal === undefined ? {} : { refusal };
  } catch (error) {
    return { refusal: sentenceOf(error) };
  }
}
