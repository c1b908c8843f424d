import {
  chooseEndpoint,
  EndpointError,
  makeEndpointDirectory,
  requirePrivate,
} from './endpoint.ts';
import { PROTOCOL, type ProtocolRange } from './hello.ts';
import { TRANSPORT_LIMITS, type TransportLimits } from './limits.ts';
import { Listening } from './listening.ts';
import { Reception } from './reception.ts';
import type { BoardHandler } from './server-peer.ts';
import { isSameToken, leadsTo, newToken, type Pass, removePass, writePass } from './token.ts';

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
  /** Somebody may have deleted what leads here: puts it back, and throws where that cannot be done. */
  restore(): Promise<void>;
  /** Says goodbye to everybody; takes no longer than `lingerMs`. Closing twice is harmless. */
  close(): Promise<void>;
}

/**
 * Listens for the peers of a board.
 *
 * Invariant: only whoever holds the board's lock calls this, and closes before giving the lock back.
 * So a socket that is in the way is that of a coordinator that was killed, and goes. Where somebody
 * has deleted the lock there may be two all the same: each removes nothing but what is its own.
 *
 * Nobody pings: the system closes the socket of a process that dies. One that is stopped and not dead
 * keeps its socket; whoever takes the board from it puts another one in its place.
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
  const doors = new Doors({ directory, pass: { token, endpoint }, reception, onFault });
  await doors.open();
  return {
    endpoint,
    restore: async () => await doors.restore(),
    close: async () => await doors.close(),
    [Symbol.asyncDispose]: async () => await doors.close(),
  };
}

interface DoorsOptions extends Pick<ServeOptions, 'directory' | 'onFault'> {
  readonly pass: Pass;
  readonly reception: Reception;
}

/** The way in: a file that says where it is, and the socket itself. */
class Doors {
  readonly #options: DoorsOptions;
  #listening: Listening | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: DoorsOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { directory, pass } = this.#options;
    try {
      // Before it listens: whoever finds the socket finds its token.
      writePass(directory, pass);
      await this.#listen();
    } catch (cause) {
      removePass(directory, pass);
      throw this.#failure(cause);
    }
  }

  async restore(): Promise<void> {
    const { directory, pass } = this.#options;
    if (this.#closed !== undefined) return;
    try {
      if (!leadsTo(directory, pass)) writePass(directory, pass);
      if (this.#listening?.isThere === true) return;
      makeEndpointDirectory(pass.endpoint);
      const former = this.#listening;
      await this.#listen();
      // Whoever came that way stays.
      void former?.close();
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  async close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    await this.#closed;
  }

  #failure(cause: unknown): EndpointError {
    if (cause instanceof EndpointError) return cause;
    const { directory, pass } = this.#options;
    const message = `Interlock could not listen at ${pass.endpoint}. Make ${directory} writable, and free its disk.`;
    return new EndpointError(message, { cause });
  }

  async #listen(): Promise<void> {
    const { pass, reception, onFault } = this.#options;
    const listening = new Listening(pass.endpoint, {
      // Whoever comes while all are being closed is sent away.
      onSocket: (socket) => reception.accept(socket),
      onFault,
    });
    await listening.begin();
    this.#listening = listening;
    if (this.#closed !== undefined) await listening.close();
  }

  async #closeAll(): Promise<void> {
    const { directory, pass, reception } = this.#options;
    removePass(directory, pass);
    const stopped = this.#listening?.close();
    await reception.close();
    await stopped;
  }
}
