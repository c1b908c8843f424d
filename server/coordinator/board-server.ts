import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import {
  chooseEndpoint,
  EndpointError,
  makeEndpointDirectory,
  requirePrivate,
} from './endpoint.ts';
import { PROTOCOL, type ProtocolRange } from './hello.ts';
import { TRANSPORT_LIMITS, type TransportLimits } from './limits.ts';
import { Reception } from './reception.ts';
import type { BoardHandler } from './server-peer.ts';
import { isSameToken, newToken, removePass, writePass } from './token.ts';

export interface ServeOptions {
  /** Of the board: there already, and this user's alone. */
  readonly directory: string;
  /** The version of Interlock that this process is. */
  readonly build: string;
  readonly handler: BoardHandler;
  /** What nobody was meant to throw. The server goes on; whoever runs it writes it down. */
  readonly onFault: (error: unknown) => void;
  readonly protocol?: ProtocolRange;
  readonly limits?: Partial<TransportLimits>;
}

export interface BoardServer extends AsyncDisposable {
  readonly endpoint: string;
  /** Says goodbye to everybody; takes no longer than `lingerMs`. Closing twice is harmless. */
  close(): Promise<void>;
}

/**
 * Listens for the peers of a board.
 *
 * Invariant: only whoever holds the board's lock calls this, and closes before giving the lock back.
 * So a socket that is in the way is that of a coordinator that was killed, and goes; and no later
 * coordinator's socket is removed when this one closes.
 *
 * Nobody pings: the system closes the socket of a process that dies. One that is stopped and not dead
 * keeps the lock and the socket, so nobody takes its place; requests to it end by their timeout.
 */
export async function serveBoard(options: ServeOptions): Promise<BoardServer> {
  const { directory, build, handler, onFault, protocol = PROTOCOL } = options;
  requirePrivate(directory);
  const token = newToken();
  const endpoint = chooseEndpoint(directory, token);
  makeEndpointDirectory(endpoint);
  const reception = new Reception({
    handler,
    build,
    protocol,
    limits: { ...TRANSPORT_LIMITS, ...options.limits },
    onFault,
    isToken: (claimed) => isSameToken(token, claimed),
  });
  // A peer that closes its side in the middle of a frame is told so before we close ours.
  const server = createServer({ allowHalfOpen: true }, (socket) => reception.accept(socket));
  try {
    // Before it listens: whoever finds the socket finds its token.
    writePass(directory, { token, endpoint });
    if (process.platform !== 'win32') rmSync(endpoint, { force: true });
    await listen(server, endpoint);
  } catch (cause) {
    removePass(directory);
    const message = `Interlock could not listen at ${endpoint}. Make ${directory} writable, and free its disk.`;
    throw new EndpointError(message, { cause });
  }
  server.on('error', onFault);
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closed ??= closeAll({ server, reception, directory });
    await closed;
  };
  return { endpoint, close, [Symbol.asyncDispose]: close };
}

async function listen(server: Server, endpoint: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(endpoint, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A second fence: its directory keeps others out already.
  if (process.platform !== 'win32') chmodSync(endpoint, 0o600);
}

async function closeAll({
  server,
  reception,
  directory,
}: {
  readonly server: Server;
  readonly reception: Reception;
  readonly directory: string;
}): Promise<void> {
  removePass(directory);
  const stopped = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await reception.close();
  await stopped;
}
