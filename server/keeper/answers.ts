import { isRecord } from '../coordinator/messages.ts';
import { NO_PATHS } from '../domain/paths/path-set.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { ClaimReply, HolderReply, OwnReply } from '../engine/board-calls.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { Collision } from '../scheduler/model/ownership.ts';
import type { Reason } from '../scheduler/model/reason.ts';
import { AnswerError, decodeReply, isLostClaim, listOf } from './plain-answers.ts';
import { workerId } from './request-shapes.ts';
import { object, text } from './shape.ts';
import { runId, taskId } from './task-shapes.ts';

/** JSON has no infinity, and an amount may be more than there can ever be: it is said as a word. */
export function encodeClaimReply(reply: ClaimReply): unknown {
  return reply.kind === 'blocked'
    ? { ...reply, reasons: reply.reasons.map((reason) => mapFields(reason, wordOfNumber)) }
    : reply;
}

/** What somebody else reads and writes is their own affair; who they are is what is asked. */
export function encodeOwnReply(reply: OwnReply): unknown {
  if (reply.kind === 'accepted') return { ...reply, warnings: reply.warnings.map(briefly) };
  return reply.kind === 'held' ? { ...reply, by: reply.by.map(briefly) } : reply;
}

/** One answer for each of several requests. */
export function decodeList(answer: unknown, name: string): readonly unknown[] {
  const list: unknown = isRecord(answer) ? answer[name] : undefined;
  return listOf(list, (_each): _each is unknown => true);
}

export function decodeClaimReply(answer: unknown): ClaimReply {
  const kinds = ['granted', 'held', 'blocked', 'ended', 'unknown', 'nothing-to-claim'] as const;
  const reply = decodeReply<ClaimReply>(answer, ...kinds);
  if (reply.kind === 'granted' && !isRecord(reply.grant)) throw new AnswerError('a grant');
  if (reply.kind !== 'blocked') return reply;
  const reasons = listOf(reply.reasons, isRecord).map((reason) => mapFields(reason, numberOfWord));
  return { ...reply, reasons: listOf(reasons, isReason) };
}

export function decodeHolderReply(answer: unknown): HolderReply {
  const reply = decodeReply<HolderReply>(answer, 'accepted', 'not-holder', 'stale');
  return reply.kind === 'stale' ? { kind: 'stale', currentTerm: reply.currentTerm } : reply;
}

export function decodeOwnReply(answer: unknown): OwnReply {
  const reply = decodeReply<OwnReply>(answer, 'accepted', 'held', 'lost', 'refused');
  if (reply.kind === 'accepted') return { ...reply, warnings: collisionsOf(reply.warnings) };
  if (reply.kind === 'lost') return { ...reply, claims: listOf(reply.claims, isLostClaim) };
  return reply.kind === 'held' ? { ...reply, by: collisionsOf(reply.by) } : reply;
}

/** Lines of the ledger are sent as they are kept. */
export function decodeEntries(params: unknown): readonly LedgerEntry[] {
  return listOf(isRecord(params) ? params['entries'] : undefined, isEntry);
}

/** Whether everything has been told, and up to where. */
export function decodeSubscribed(answer: unknown): {
  readonly after: number;
  readonly isLive: boolean;
} {
  const { after, isLive } = isRecord(answer) ? answer : {};
  if (typeof after !== 'number' || typeof isLive !== 'boolean')
    throw new AnswerError('how far it has come');
  return { after, isLive };
}

interface Wake {
  readonly worker: WorkerId;
  readonly task: { readonly run: RunId; readonly task: TaskId };
}

const wakeFields = object({ worker: workerId, run: runId, task: taskId });

export function decodeWake(params: unknown): Wake {
  const { worker, ...task } = wakeFields(params, 'params');
  return { worker, task };
}

export function encodeWake({ worker, task: { run, task } }: Wake): unknown {
  return { worker, run, task };
}

const haltFields = object({ message: text(2 ** 16) });

export function decodeHalt(params: unknown): string {
  return haltFields(params, 'params').message;
}

export function encodeHalt(message: string): unknown {
  return { message };
}

function briefly({ owner, ...collision }: Collision): unknown {
  const { who, worker, tree, policy, until } = owner;
  return { ...collision, owner: { who, worker, tree, policy, until } };
}

function collisionsOf(sent: unknown): readonly Collision[] {
  return listOf(sent, isCollision).map(({ owner, ...collision }) => {
    return { ...collision, owner: { ...owner, reads: NO_PATHS, writes: NO_PATHS, isLive: true } };
  });
}

function isReason(value: unknown): value is Reason {
  return isRecord(value) && typeof value['kind'] === 'string';
}

function isCollision(value: unknown): value is Collision {
  return isRecord(value) && isRecord(value['owner']) && isRecord(value['owner']['who']);
}

function isEntry(value: unknown): value is LedgerEntry {
  return isRecord(value) && Number.isSafeInteger(value['sequence']) && isRecord(value['event']);
}

const NUMBER_WORDS: ReadonlyMap<unknown, number> = new Map([
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
]);
/** The fields of a reason that hold amounts; a name may well be "Infinity". */
const AMOUNTS: ReadonlySet<string> = new Set(['asked', 'used', 'limit']);

function wordOfNumber(field: unknown): unknown {
  return typeof field === 'number' && !Number.isFinite(field) ? String(field) : field;
}

function numberOfWord(field: unknown): unknown {
  return NUMBER_WORDS.get(field) ?? field;
}

function mapFields(reason: object, map: (field: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(reason).map(([name, field]) => [name, AMOUNTS.has(name) ? map(field) : field]),
  );
}
