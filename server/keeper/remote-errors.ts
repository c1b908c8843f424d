import { RequestFailure } from '../coordinator/client-wire.ts';
import { ERROR_CODES, isRecord, RequestError } from '../coordinator/messages.ts';
import { StoreError, type StoreErrorReason } from '../engine/store-error.ts';
import { systemFailure } from '../engine/system-failure.ts';
import { LinkLost } from './links.ts';
import { ShapeError } from './shape.ts';

/** Codes of the board, next to those of the transport. */
const BOARD_CODES = { store: -32_010, notAllowed: -32_011 } as const;

const REASONS: readonly StoreErrorReason[] = [
  'native',
  'newer',
  'deposed',
  'network-file-system',
  'disk',
  'gone',
  'world',
];

/** What the peer is told of what went wrong; what nobody was meant to throw stays what it is. */
export function errorForPeer(error: unknown): unknown {
  if (error instanceof ShapeError)
    return new RequestError(ERROR_CODES.invalidParams, error.message);
  if (error instanceof StoreError)
    return new RequestError(BOARD_CODES.store, error.message, { reason: error.reason });
  const failure = systemFailure(error);
  return failure === undefined
    ? error
    : new RequestError(BOARD_CODES.store, failure, { reason: 'world' });
}

export function unknownMethod(method: string): RequestError {
  return new RequestError(ERROR_CODES.unknownMethod, `There is no request "${method}".`);
}

/** A worker's connection speaks for a worker that is not at the board through it. */
export function notPresent(role: string): RequestError {
  return new RequestError(
    BOARD_CODES.notAllowed,
    `A peer that is a ${role} speaks for the workers that came through it: send "board/greet" first.`,
  );
}

export function notAllowed(role: string, method: string): RequestError {
  return new RequestError(
    BOARD_CODES.notAllowed,
    `A peer that is a ${role} may not ask "${method}".`,
  );
}

export function tooManyWorkers(limit: number): RequestError {
  const message = `There are ${limit} workers at the board through this connection. Say "board/leave" for some of them first.`;
  return new RequestError(ERROR_CODES.overloaded, message);
}

/** The same for whoever asked, as if the one who decides were in this process. */
export function errorFromPeer(error: unknown): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const { reason } = error;
  switch (reason.kind) {
    case 'closed':
    case 'timeout':
      return new LinkLost({ cause: error });
    case 'too-long':
      // It would be as long the next time.
      return error;
    case 'answer':
      if (reason.code !== BOARD_CODES.store) return error;
      return new StoreError(storeReason(reason.data), error.message, { cause: error });
    default:
      return reason satisfies never;
  }
}

function storeReason(data: unknown): StoreErrorReason {
  const said = isRecord(data) ? data['reason'] : undefined;
  return REASONS.find((reason) => reason === said) ?? 'world';
}
