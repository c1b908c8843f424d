import { connect, type Socket } from 'node:net';
import type { ProcessIdentity } from '../domain/task.ts';
import { type ClientWireOptions, ClientWire, RequestFailure } from './client-wire.ts';
import { EndpointError, isEndpointThere } from './endpoint.ts';
import {
  HELLO,
  isWelcome,
  type PeerGroup,
  type PeerRole,
  PROTOCOL,
  type ProtocolRange,
} from './hello.ts';
import { TRANSPORT_LIMITS, type TransportLimits } from './limits.ts';
import { ERROR_CODES } from './messages.ts';
import { type Pass, readPass } from './token.ts';

export interface ConnectOptions extends Pick<ClientWireOptions, 'onNotification' | 'onClosed'> {
  /** Of the board. */
  readonly directory: string;
  readonly role: PeerRole;
  readonly group?: PeerGroup | undefined;
  /** The process of the agent whose server of tools this is. */
  readonly agent?: ProcessIdentity | undefined;
  /** What people see of this process. */
  readonly name: string;
  /** The version of Interlock that this process is. */
  readonly build: string;
  readonly protocol?: ProtocolRange;
  /** Of a request that does not say another. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<TransportLimits>;
}

export type ConnectResult =
  | { readonly kind: 'connected'; readonly connection: BoardConnection }
  /** Nobody listens: take the board's lock, or wait for whoever has it and does not listen yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly refusal: RefusalKind; readonly message: string };

export type RefusalKind =
  | 'unauthorised'
  /** One side must be updated; the message says which. */
  | 'incompatible'
  /** Too many are connected, or trying to. */
  | 'overloaded'
  /** It listens and does not answer: busy, or stopped. */
  | 'unanswered'
  /** Others could have put the socket where it is. */
  | 'unsafe'
  | 'unreachable';

export interface BoardConnection extends Disposable {
  /** What the coordinator calls us. */
  readonly peer: number;
  /** That of the coordinator. */
  readonly build: string;
  readonly protocol: number;
  /** Rejects with a `RequestFailure` and nothing else. */
  request(
    method: string,
    params: unknown,
    options?: { readonly timeoutMs?: number },
  ): Promise<unknown>;
  /** Requests under way fail at once. Closing twice is harmless. */
  close(): void;
}

const TIMEOUT_MS = 30_000;
/** A coordinator may begin while we connect; two of them within that time is no accident. */
const TRIES = 3;
/** There is no socket, or a stale one, or that of a process that dies in this moment. */
const ABSENT_CODES = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
const REFUSALS: ReadonlyMap<number, RefusalKind> = new Map([
  [ERROR_CODES.unauthorised, 'unauthorised'],
  [ERROR_CODES.incompatible, 'incompatible'],
  [ERROR_CODES.overloaded, 'overloaded'],
]);

/** Connects to the coordinator of a board, if there is one. */
export async function connectBoard(options: ConnectOptions): Promise<ConnectResult> {
  const { directory } = options;
  for (let tried = 1; ; tried += 1) {
    const pass = readPass(directory);
    if (pass === undefined) return { kind: 'absent' };
    const result = await connectWith(pass, options);
    const isStale = result.kind === 'refused' && readPass(directory)?.token !== pass.token;
    if (!isStale || tried === TRIES) return result;
  }
}

async function connectWith(pass: Pass, options: ConnectOptions): Promise<ConnectResult> {
  const unsafe = findUnsafe(pass, options.directory);
  if (unsafe !== undefined) return unsafe;
  const socket = await open(pass.endpoint);
  return 'kind' in socket ? socket : await greet(socket, pass, options);
}

/** The token is told only to a socket that nobody else could have put there. */
function findUnsafe({ endpoint }: Pass, directory: string): ConnectResult | undefined {
  try {
    return isEndpointThere(endpoint, directory) ? undefined : { kind: 'absent' };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return { kind: 'refused', refusal: 'unsafe', message: error.message };
  }
}

async function open(endpoint: string): Promise<Socket | ConnectResult> {
  return await new Promise((resolve) => {
    const socket = connect(endpoint);
    const fail = (error: NodeJS.ErrnoException): void => {
      resolve(resultOfCode(error.code ?? '', endpoint));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function resultOfCode(code: string, endpoint: string): ConnectResult {
  if (ABSENT_CODES.has(code)) return { kind: 'absent' };
  // Linux says so when more are waiting to be let in than fit.
  const refusal = code === 'EAGAIN' ? 'overloaded' : 'unreachable';
  const message = `Could not connect to the coordinator of the board at ${endpoint} (${code}).`;
  return { kind: 'refused', refusal, message };
}

async function greet(
  socket: Socket,
  { token }: Pass,
  options: ConnectOptions,
): Promise<ConnectResult> {
  const { role, group, agent, name, build, protocol = PROTOCOL, timeoutMs = TIMEOUT_MS } = options;
  const limits = { ...TRANSPORT_LIMITS, ...options.limits };
  let isConnected = false;
  const wire = new ClientWire(socket, {
    limits,
    onNotification: options.onNotification,
    onClosed: (reason) => {
      if (isConnected) options.onClosed(reason);
    },
  });
  try {
    const said = { ...(group && { group }), ...(agent && { agent }) };
    const hello = { token, role, ...said, name, build, protocol };
    const welcome = await wire.request(HELLO, hello, limits.helloMs);
    if (!isWelcome(welcome)) {
      wire.close();
      const message = 'What listens for the board does not speak as its coordinator does.';
      return { kind: 'refused', refusal: 'unreachable', message };
    }
    isConnected = true;
    return {
      kind: 'connected',
      connection: {
        peer: welcome.peer,
        build: welcome.build,
        protocol: welcome.protocol,
        request: async (method, params, { timeoutMs: ownMs = timeoutMs } = {}) =>
          await wire.request(method, params, ownMs),
        close: () => wire.close(),
        [Symbol.dispose]: () => wire.close(),
      },
    };
  } catch (error) {
    wire.close();
    if (!(error instanceof RequestFailure)) throw error;
    return refusalOf(error);
  }
}

function refusalOf({ reason, message }: RequestFailure): ConnectResult {
  // It stopped while we came.
  if (reason.kind === 'closed') return { kind: 'absent' };
  if (reason.kind === 'timeout') return { kind: 'refused', refusal: 'unanswered', message };
  const refusal = reason.kind === 'answer' ? REFUSALS.get(reason.code) : undefined;
  return { kind: 'refused', refusal: refusal ?? 'unreachable', message };
}
