/** JSON-RPC 2.0, without batches: a batch is what frames of one read are. */
export type Id = number | string;

export type Message =
  | Request
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: Id; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: Id | null; readonly error: ErrorBody }
  | { readonly kind: 'invalid'; readonly id: Id | null; readonly error: ErrorBody };

export interface Request {
  readonly kind: 'request';
  readonly id: Id;
  readonly method: string;
  /** A list, an object, or nothing. */
  readonly params: unknown;
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The first five are those of JSON-RPC; the others are ours. */
export const ERROR_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  unauthorised: -32_001,
  incompatible: -32_002,
  overloaded: -32_003,
  tooLong: -32_004,
} as const;

/** Thrown by a handler, and answered as it is. Anything else that a handler throws is a fault of ours. */
export class RequestError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.data = data;
  }
}

const ID_LIMIT = 128;

/** What a frame says. Fields that nobody knows are ignored, as a later version may send them. */
export function parseMessage(value: unknown): Message {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return invalid(null, 'not JSON-RPC 2.0');
  const { method, params, error } = value;
  const id = parseId(value['id']);
  if (method === undefined) {
    if ('result' in value && id !== undefined)
      return { kind: 'result', id, result: value['result'] };
    return isErrorBody(error)
      ? { kind: 'error', id: id ?? null, error }
      : invalid(id ?? null, 'neither a request nor an answer');
  }
  if (typeof method !== 'string') return invalid(id ?? null, 'a method is a string');
  if (params !== undefined && (typeof params !== 'object' || params === null))
    return invalid(id ?? null, 'params are a list or an object');
  if (value['id'] === undefined) return { kind: 'notification', method, params };
  if (id === undefined)
    return invalid(null, `an id is a whole number or a string of at most ${ID_LIMIT} characters`);
  return { kind: 'request', id, method, params };
}

export function requestOf(id: Id, method: string, params: unknown): unknown {
  return { jsonrpc: '2.0', id, method, params };
}

export function notificationOf(method: string, params: unknown): unknown {
  return { jsonrpc: '2.0', method, params };
}

export function resultOf(id: Id, result: unknown): unknown {
  // JSON has no undefined, and an answer without a result would be none.
  return { jsonrpc: '2.0', id, result: result === undefined ? null : result };
}

export function errorOf(id: Id | null, { code, message, data }: ErrorBody): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseId(id: unknown): Id | undefined {
  if (typeof id === 'string') return id.length <= ID_LIMIT ? id : undefined;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}

function isErrorBody(error: unknown): error is ErrorBody {
  return (
    isRecord(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string'
  );
}

function invalid(id: Id | null, what: string): Message {
  const message = `This is no request: ${what}.`;
  return { kind: 'invalid', id, error: { code: ERROR_CODES.invalidRequest, message } };
}
