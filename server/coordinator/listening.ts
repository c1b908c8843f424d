import { randomInt } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';

interface ListeningOptions {
  readonly onSocket: (socket: Socket) => void;
  readonly onFault: (error: unknown) => void;
}

const LETTERS = 36;
/** As many letters as no name of a socket has less of. */
const NAME_LENGTH = 6;

/**
 * A socket at a name. It is made under another one, that nobody looks for, and then renamed: Node.js
 * deletes what has the name that it listened at, and that may be the socket of somebody else by then.
 */
export class Listening {
  readonly #endpoint: string;
  readonly #server: Server;
  readonly #onFault: (error: unknown) => void;
  #identity: string | undefined;
  #closed: Promise<void> | undefined;

  constructor(endpoint: string, { onSocket, onFault }: ListeningOptions) {
    this.#endpoint = endpoint;
    this.#onFault = onFault;
    // A peer that closes its side in the middle of a frame is told so before we close ours.
    this.#server = createServer({ allowHalfOpen: true }, onSocket);
  }

  /** Whoever looks for the name finds this one. A pipe of Windows cannot be deleted. */
  get isThere(): boolean {
    return process.platform === 'win32' || this.#identity === identityOf(this.#endpoint);
  }

  async begin(): Promise<void> {
    if (process.platform === 'win32') await this.#listen(this.#endpoint);
    else await this.#take();
    this.#server.on('error', this.#onFault);
  }

  /** Resolves when all that came this way have gone. */
  async close(): Promise<void> {
    this.#closed ??= this.#stop();
    await this.#closed;
  }

  /** What is in the way goes. */
  async #take(): Promise<void> {
    const own = path.join(path.dirname(this.#endpoint), newName());
    try {
      await this.#listen(own);
      // A second fence: its directory keeps others out already.
      chmodSync(own, 0o600);
      this.#identity = identityOf(own);
      renameSync(own, this.#endpoint);
    } catch (error) {
      this.#server.close();
      throw error;
    }
  }

  async #listen(name: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(name, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async #stop(): Promise<void> {
    if (process.platform !== 'win32' && this.isThere) rmSync(this.#endpoint, { force: true });
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

function newName(): string {
  const limit = LETTERS ** (NAME_LENGTH - 1);
  return `s${randomInt(limit)
    .toString(LETTERS)
    .padStart(NAME_LENGTH - 1, '0')}`;
}

function identityOf(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
