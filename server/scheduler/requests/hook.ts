import { exactPattern } from '../../domain/paths/exact-pattern.ts';
import { exactPath } from '../../domain/paths/path-set.ts';
import { overlap } from '../../domain/paths/overlap.ts';
import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import { textHash } from '../../domain/text-hash.ts';
import { type Instant, laterBy } from '../../domain/time.ts';
import { type Caller, workerOf } from '../model/agent-identity.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import { claimsOnFile, type FileClaim } from '../model/file-claim.ts';
import type { LostClaim } from '../model/losses.ts';
import { attemptOf } from '../model/owner-table.ts';
import { isLet, type OwnerName } from '../model/ownership.ts';
import type { TouchedFiles } from '../observation/shell-commands.ts';
import { fileToWrite, letsTaskOf } from './check-paths.ts';
import { answerOwn } from './own.ts';

/** What the hook of an agent tells the board. */
export interface HookRequest {
  /** It writes these files, or is about to; or its turn is over, and nothing more comes of it. */
  readonly what: 'writes' | 'over';
  readonly caller: Caller;
  readonly tree: string;
  /** From the top of the working tree. */
  readonly paths: readonly string[];
  /** How long each file is its own. */
  readonly forMs: number;
  /** A shell command begins, or has ended: which files it writes is not known. */
  readonly shell?: { readonly is: 'begun' | 'over'; readonly call: string };
  /** The task of ours that the agent was started by, which is in nobody's way. */
  readonly inside?: { readonly run: RunId; readonly task: TaskId };
}

export interface HookReply {
  readonly kind: 'noted';
  readonly worker: WorkerId;
  /** The files that it must not write now. */
  readonly refused: readonly RefusedFile[];
  /** Files of other workers that its shell commands may have changed, and that it was not told of yet. */
  readonly touched: readonly TouchedFiles[];
  readonly now: Instant;
}

export interface RefusedFile {
  readonly path: string;
  /** Claims on it that the agent lost and was not told of; until then nothing else is said. */
  readonly lost: readonly LostClaim[];
  /** Those who read or write it; one of them at least writes it in the same working tree. */
  readonly claims: readonly FileClaim[];
}

export interface HookAnswer {
  readonly reply: HookReply;
  readonly events: readonly BoardEvent[];
}

/**
 * Files that no other worker writes in this working tree become the agent's own for a while, so that
 * other workers see it; the rest is refused. All paths are answered at once.
 */
export function answerHook(board: BoardModel, request: HookRequest, now: Instant): HookAnswer {
  const at = board.timeAt(now);
  const worker = workerOf(board, request.caller);
  const refused: RefusedFile[] = [];
  const events: BoardEvent[] = [];
  const start = startOfIds(worker, request.caller.session);
  if (request.what === 'over')
    for (const id of board.owners.people.keys())
      if (id.startsWith(start)) events.push({ kind: 'pathsFreed', at, id });
  for (const path of request.what === 'writes' ? request.paths : []) {
    const lost = lostClaims(board, path, { request, worker });
    const claims = lost.length > 0 ? [] : claimsInTheWay(board, path, { request, worker, at });
    const pattern = exactPattern(path);
    if (lost.length + claims.length > 0) refused.push({ path, lost, claims });
    else if (pattern !== undefined && !isOfOwnTask(board, path, { request, worker })) {
      const { tree, forMs } = request;
      const id = `${start}${textHash(`${tree}\n${path}`)}`;
      const until = laterBy(at, forMs);
      const own = { id, worker, tree, reads: [], writes: [pattern], isUnsaved: false, until };
      const answer = answerOwn(board, own, now);
      if (answer.kind === 'accepted') events.push(answer.event);
    }
  }
  return { reply: { kind: 'noted', worker, refused, touched: [], now: at }, events };
}

interface Writing {
  readonly request: HookRequest;
  readonly worker: WorkerId;
}

function lostClaims(
  board: BoardModel,
  path: string,
  { request: { tree }, worker }: Writing,
): readonly LostClaim[] {
  const writes = fileToWrite(path);
  return writes === undefined ? [] : board.losses.meeting(worker, { tree, writes });
}

/** Everybody at work on the file, if one of them writes it in the same working tree. */
function claimsInTheWay(
  board: BoardModel,
  path: string,
  { request: { tree, inside }, worker, at }: Writing & { readonly at: Instant },
): readonly FileClaim[] {
  const found = claimsOnFile(board, { path, tree, own: [worker], now: at }).filter(
    ({ task, owner }) =>
      (task === undefined || task.id !== inside?.task || task.run !== inside.run) &&
      !isLetBy(board, owner, { worker, inside }),
  );
  const isRefused = found.some(({ how, isInOtherTree }) => how === 'writes' && !isInOtherTree);
  return isRefused ? found : [];
}

/** Whether a person who has the file said that the agent's task may start all the same. */
function isLetBy(
  board: BoardModel,
  owner: OwnerName,
  { worker, inside }: { readonly worker: WorkerId; readonly inside: HookRequest['inside'] },
): boolean {
  const held = owner.kind === 'person' ? board.owners.people.get(owner.id) : undefined;
  if (held === undefined) return false;
  const outer = inside && board.find(inside.run, inside.task);
  return (outer !== undefined && isLet(held, attemptOf(outer))) || letsTaskOf(board, worker, held);
}

/** What its own task has needs no claim, and is free with the task. */
function isOfOwnTask(board: BoardModel, path: string, { request, worker }: Writing): boolean {
  const file = exactPath(path);
  return [...board.claims.pulled].some(
    ({ holder, entry, owner }) =>
      holder.worker === worker &&
      owner?.tree === request.tree &&
      overlap(entry.paths.writes, file, board.owners.rules).kind !== 'disjoint',
  );
}

/** Of the ids of files that one session has taken. */
function startOfIds(worker: WorkerId, session: string): string {
  return `${HOOK}${textHash(`${worker}\n${session}`)}/`;
}

const HOOK = 'hook/';

/** Whether the paths under this id were taken by a hook, which does so again with the next write. */
export function isOfHook(id: string): boolean {
  return id.startsWith(HOOK);
}
