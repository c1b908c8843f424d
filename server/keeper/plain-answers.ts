import { isRecord } from '../coordinator/messages.ts';
import type { FileClaim } from '../scheduler/model/file-claim.ts';
import type { LostClaim } from '../scheduler/model/losses.ts';
import type { TouchedFiles } from '../scheduler/observation/shell-commands.ts';
import type { HookReply, RefusedFile } from '../scheduler/requests/hook.ts';

/*
 * Looks at answers without schemas, which take longer to load than a hook may.
 *
 * Answers are believed: they come from a process of the same user that speaks the same protocol. All
 * that is looked at is that nobody here trips over another kind of value.
 */

/** The coordinator answered nothing that we understand. */
export class AnswerError extends Error {
  constructor(what: string) {
    super(
      `The coordinator of the board said something that this version of Interlock does not understand (${what}).`,
    );
    this.name = 'AnswerError';
  }
}

/** An answer that is one of some kinds, and in which nothing else has to be looked at. */
export function decodeReply<T extends { readonly kind: string }>(
  answer: unknown,
  ...kinds: readonly T['kind'][]
): T {
  const isOne = (value: unknown): value is T =>
    isRecord(value) && kinds.some((kind) => kind === value['kind']);
  if (!isOne(answer)) throw new AnswerError('an answer');
  return answer;
}

export function decodeHookReply(answer: unknown): HookReply {
  const reply = decodeReply<HookReply>(answer, 'noted');
  return {
    ...reply,
    refused: listOf(reply.refused, isRefusedFile),
    touched: listOf(reply.touched, isTouchedFiles),
  };
}

export function listOf<T>(sent: unknown, isPart: (value: unknown) => value is T): readonly T[] {
  if (!Array.isArray(sent) || !sent.every(isPart)) throw new AnswerError('a list');
  return sent;
}

export function isLostClaim(value: unknown): value is LostClaim {
  return (
    isRecord(value) && typeof value['task'] === 'string' && Number.isSafeInteger(value['term'])
  );
}

function isRefusedFile(value: unknown): value is RefusedFile {
  if (!isRecord(value)) return false;
  const { lost, claims } = value;
  return (
    Array.isArray(lost) &&
    lost.every(isLostClaim) &&
    Array.isArray(claims) &&
    claims.every(isFileClaim)
  );
}

function isTouchedFiles(value: unknown): value is TouchedFiles {
  if (!isRecord(value) || typeof value['holder'] !== 'string') return false;
  const { paths } = value;
  return Array.isArray(paths) && paths.every((path) => typeof path === 'string');
}

function isFileClaim(value: unknown): value is FileClaim {
  return isRecord(value) && typeof value['worker'] === 'string' && isRecord(value['owner']);
}
