import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The place of a socket cannot be used. The message is a sentence for the user. */
export class EndpointError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EndpointError';
  }
}

export interface EndpointPlace {
  readonly platform: NodeJS.Platform;
  readonly temporary: string;
  readonly user: string;
}

/** What `sockaddr_un` has room for, its closing zero included. */
const SOCKET_PATH_BYTES = { darwin: 104, others: 108 };

/**
 * Where the coordinator of a board listens: in the board's directory, or, when that path is longer
 * than the system takes, in a directory of the user under the temporary one.
 *
 * A pipe of Windows is in no directory, and anybody may look for it: its name follows from the token.
 */
export function chooseEndpoint(directory: string, token: string, place = thisPlace()): string {
  const { platform, temporary, user } = place;
  if (platform === 'win32')
    return String.raw`\\.\pipe\interlock-${digest(`${directory}\0${token}`)}`;
  const beside = path.join(directory, 'socket');
  if (fits(beside, platform)) return beside;
  const short = path.join(temporary, `interlock-${user}`, digest(directory).slice(0, 16));
  if (fits(short, platform)) return short;
  throw new EndpointError(
    `The path of the board's socket is too long: ${short}. Set INTERLOCK_STATE_DIR or TMPDIR to a shorter path.`,
  );
}

/** Makes the directory of a socket; that of the board is there already. */
export function makeEndpointDirectory(endpoint: string): void {
  if (process.platform === 'win32') return;
  const directory = path.dirname(endpoint);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch {
    // Somebody made it before; whether they are us is what is looked at next.
  }
  requirePrivate(directory);
}

/**
 * Whether the folder of a socket is there; throws if somebody else could have put the socket into it.
 * Ask before the token is told to it.
 */
export function isEndpointThere(endpoint: string, directory: string): boolean {
  if (process.platform === 'win32') return true;
  const beside = path.dirname(endpoint);
  if (!existsSync(beside)) return false;
  requirePrivate(directory);
  if (beside !== directory) requirePrivate(beside);
  return true;
}

/**
 * Refuses a directory in which somebody else could put a socket of theirs, and be told the token.
 * A link is refused whatever it leads to: its owner can change it.
 */
export function requirePrivate(directory: string): void {
  if (process.platform === 'win32') return;
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  const isOurs = stats?.isDirectory() === true && stats.uid === process.getuid?.();
  if (isOurs && (stats.mode & 0o077) === 0) return;
  throw new EndpointError(
    `Interlock does not trust ${directory}: it must be a directory that is yours alone (mode 0700). Correct or remove it.`,
  );
}

function fits(socket: string, platform: NodeJS.Platform): boolean {
  const { darwin, others } = SOCKET_PATH_BYTES;
  return Buffer.byteLength(socket) < (platform === 'darwin' ? darwin : others);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function thisPlace(): EndpointPlace {
  const user = String(process.getuid?.() ?? '');
  return { platform: process.platform, temporary: os.tmpdir(), user };
}
