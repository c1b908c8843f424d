import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  type BoardConnection,
  connectBoard,
  type ConnectOptions,
} from '../../../server/coordinator/board-connection.ts';
import {
  type BoardServer,
  serveBoard,
  type ServeOptions,
} from '../../../server/coordinator/board-server.ts';
import { RequestFailure } from '../../../server/coordinator/client-wire.ts';
import { FrameDecoder, joinFrames, textOfFrame } from '../../../server/coordinator/frames.ts';
import { PROTOCOL } from '../../../server/coordinator/hello.ts';
import { requestOf, RequestError } from '../../../server/coordinator/messages.ts';
import type { BoardHandler, Peer } from '../../../server/coordinator/server-peer.ts';
import { readPass } from '../../../server/coordinator/token.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Handle = (peer: Peer, params: unknown) => unknown;

/** What happened, a line each. */
export class Notes {
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();

  add(line: string): void {
    this.lines.push(line);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves when a line has been written as often as this. */
  async until(line: string, times = 1): Promise<void> {
    while (this.lines.filter((each) => each === line).length < times)
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
  }
}

/** Answers what it was asked. */
export class EchoHandler implements BoardHandler {
  readonly peers: Peer[] = [];
  /** `joined ann`, `ann echo`, `left ann`. */
  readonly notes = new Notes();
  readonly #methods: Readonly<Record<string, Handle>>;

  constructor(methods: Readonly<Record<string, Handle>> = {}) {
    this.#methods = { echo: (_, params) => params, ...methods };
  }

  joined(peer: Peer): void {
    this.peers.push(peer);
    this.notes.add(`joined ${peer.name}`);
  }

  async request(peer: Peer, method: string, params: unknown): Promise<unknown> {
    this.notes.add(`${peer.name} ${method}`);
    const handle = this.#methods[method];
    if (handle === undefined) throw new RequestError(-32_601, `There is no method "${method}".`);
    return await handle(peer, params);
  }

  left(peer: Peer): void {
    this.notes.add(`left ${peer.name}`);
  }
}

export interface TestBoard {
  readonly directory: string;
  readonly server: BoardServer;
  readonly handler: EchoHandler;
  readonly faults: unknown[];
}

/** A board that listens until its test ends. */
export async function serve({
  handler = new EchoHandler(),
  directory = temporaryFolder(),
  ...options
}: Partial<Omit<ServeOptions, 'handler'>> & {
  readonly handler?: EchoHandler;
} = {}): Promise<TestBoard> {
  const faults: unknown[] = [];
  const server = await serveBoard({
    directory,
    build: '1.0.0',
    handler,
    onFault: (error) => faults.push(error),
    ...options,
  });
  onTestFinished(async () => await server.close());
  return { directory, server, handler, faults };
}

/** A peer as it should be. What it is told is written down. */
export async function join(
  directory: string,
  options: Partial<ConnectOptions> & { readonly heard?: Notes } = {},
): Promise<BoardConnection> {
  const { heard = new Notes(), ...rest } = options;
  const result = await connectBoard({
    directory,
    role: 'window',
    name: 'ann',
    build: '1.0.0',
    onNotification: (method, params) => heard.add(`${method} ${JSON.stringify(params)}`),
    onClosed: (reason) => heard.add(`closed ${reason.kind}`),
    ...rest,
  });
  if (result.kind !== 'connected') throw new Error(`Not connected: ${JSON.stringify(result)}`);
  onTestFinished(() => result.connection.close());
  return result.connection;
}

export async function failureOf(request: Promise<unknown>): Promise<RequestFailure> {
  try {
    await request;
  } catch (error) {
    if (error instanceof RequestFailure) return error;
    throw error;
  }
  throw new Error('The request did not fail.');
}

/** A peer that sends whatever bytes it likes. */
export class RawPeer {
  readonly socket: Socket;
  /** Frames that it was sent, parsed. */
  readonly heard: unknown[] = [];
  readonly #decoder = new FrameDecoder({ limitBytes: 2 ** 25, frameMs: 60_000 });
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#decoder.push(bytes, 0);
      for (let next = this.#decoder.take(); next.kind === 'frame'; next = this.#decoder.take())
        this.heard.push(next.value);
      this.#wake();
    });
    // It may be refused while it still writes.
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async connect(endpoint: string): Promise<RawPeer> {
    const socket = connect(endpoint);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return new RawPeer(socket);
  }

  /** One that has said hello and was answered. */
  static async join(board: TestBoard, name = 'raw'): Promise<RawPeer> {
    const peer = await RawPeer.connect(board.server.endpoint);
    peer.send(requestOf(0, 'hello', helloOf(board.directory, { name })));
    await peer.until(1);
    peer.heard.length = 0;
    return peer;
  }

  send(...messages: readonly unknown[]): void {
    this.socket.write(framesOf(...messages));
  }

  /** Everything it was told, once it has been told as many things or is closed. */
  async until(count: number): Promise<readonly unknown[]> {
    while (this.heard.length < count && !this.#isClosed) await this.#change();
    return this.heard;
  }

  /** Everything it was told until the other side closed. */
  async untilClosed(): Promise<readonly unknown[]> {
    while (!this.#isClosed) await this.#change();
    return this.heard;
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

export function framesOf(...messages: readonly unknown[]): Buffer {
  return joinFrames(
    messages.map((message) => textOfFrame(message, 2 ** 32) ?? { text: '', bytes: 0 }),
  );
}

/** A frame with these bytes in it, and a length that may not be theirs. */
export function frameOf(payload: string | Buffer, length = Buffer.byteLength(payload)): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(length);
  return Buffer.concat([header, Buffer.from(payload)]);
}

export function helloOf(directory: string, changes: object = {}): object {
  const token = readPass(directory)?.token;
  return { token, role: 'window', name: 'raw', build: '1.0.0', protocol: PROTOCOL, ...changes };
}

/** What an answer says, short: `1 {"a":1}`, `1 error -32600 …`, `null error …`. */
export function brief(message: unknown): string {
  const { id, result, error, method, params } = JSON.parse(JSON.stringify(message));
  if (method !== undefined) return `${method} ${JSON.stringify(params)}`;
  return error === undefined
    ? `${id} ${JSON.stringify(result)}`
    : `${id} error ${error.code} ${error.message}`;
}
