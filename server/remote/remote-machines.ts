import {
  type Attachment,
  type HostSight,
  type KeyOffer,
  type KeyTrust,
  type Machines,
  MachineUnreachable,
  type Sessions,
} from '../board/session-ports.ts';
import { judgeHost } from '../doctor/host-checks.ts';
import type { HostCheck } from '../doctor/ports.ts';
import { assert } from '../domain/assert.ts';
import type { HostDefinition } from '../domain/host.ts';
import { attachmentOf } from './attachment.ts';
import { type Link, LinkError } from './channel.ts';
import { LOCAL, machineWord } from './machine-word.ts';
import { lookAtHost } from './host-look.ts';
import type { HostSights } from './host-sights.ts';
import { HostOverrun, HostShell, ShellLost } from './host-shell.ts';
import { MachineSessions } from './sessions.ts';

/** The hosts of the user, wherever they are set. */
export interface SetHosts {
  readonly hosts: readonly HostDefinition[];
  readonly gone: readonly string[];
  readonly problems: readonly string[];
  onChanged(listener: () => void): Disposable;
}

/** How this machine gets to others, and what it knows of them. */
export interface SshSide {
  /** A way of its own; absent is this machine. */
  linkTo(host: HostDefinition | undefined): Link;
  /** What ssh makes of a host, as a clause. Throws `LinkError`. */
  wayTo(host: HostDefinition): Promise<string>;
  /** What an error is about that a link has thrown. */
  keyOf(error: LinkError): KeyShown;
}

export type KeyShown =
  | { readonly kind: 'none' }
  /** It is revoked, or another one than is known. */
  | { readonly kind: 'wrong' }
  | {
      readonly kind: 'unknown';
      readonly type: string;
      readonly fingerprint: string;
      readonly name: string;
      readonly file: string;
      /** Throws `LinkError`. */
      add(): Promise<void>;
    };

export interface RemoteMachinesOptions {
  /** What the board is called on machines. */
  readonly boardName: () => string;
  readonly repo: string;
  /** The folder on this machine that it is about. */
  readonly root: string;
  readonly set: SetHosts;
  readonly sights: HostSights;
  readonly ssh: SshSide;
  /** Somebody has looked at a host, or done something about it. */
  readonly hurry: (host: string) => void;
  readonly newWord: () => string;
  /** In milliseconds since 1970. */
  readonly timeOfDay: () => number;
}

/** The machines of the user, each asked when somebody wants to know. */
export class RemoteMachines implements Machines {
  readonly repo: string;
  readonly #options: RemoteMachinesOptions;
  #board: string | undefined;

  constructor(options: RemoteMachinesOptions) {
    this.repo = options.repo;
    this.#options = options;
  }

  get board(): string {
    this.#board ??= this.#options.boardName();
    return this.#board;
  }

  get hosts(): readonly HostDefinition[] {
    return this.#options.set.hosts;
  }

  get gone(): readonly string[] {
    return this.#options.set.gone;
  }

  get problems(): readonly string[] {
    return this.#options.set.problems;
  }

  get sights(): readonly HostSight[] {
    return this.#options.sights.of(this.board);
  }

  get places(): readonly string[] {
    return [LOCAL, ...this.hosts.map(({ name }) => name)];
  }

  onChanged(listener: () => void): Disposable {
    const { set, sights } = this.#options;
    const both = [set.onChanged(listener), sights.onChanged(listener)];
    return {
      [Symbol.dispose]: () => {
        for (const one of both) one[Symbol.dispose]();
      },
    };
  }

  folderAt(place: string): string {
    const host = this.#host(place);
    return host === undefined ? this.#options.root : `${host.folder}/${this.repo}`;
  }

  async sessionsAt(place: string): Promise<Sessions> {
    const { ssh, newWord } = this.#options;
    const link = ssh.linkTo(this.#host(place));
    try {
      const sessions = await MachineSessions.reach({
        link,
        board: this.board,
        word: machineWord(this.board, place),
        hello: newWord(),
      });
      // It may go while it is asked.
      return {
        list: async () => await orUnreachable(place, sessions.list()),
        make: async (wanted) => await orUnreachable(place, sessions.make(wanted)),
        end: async (session) => await orUnreachable(place, sessions.end(session)),
        close: () => sessions.close(),
      };
    } catch (error) {
      link.close();
      throw asUnreachable(place, error);
    }
  }

  attachment(place: string, name: string, mode: 'read' | 'write'): Attachment {
    return attachmentOf({
      word: machineWord(this.board, place),
      name,
      host: this.#host(place),
      mode,
    });
  }

  async check(name: string): Promise<readonly HostCheck[]> {
    const { ssh, newWord, timeOfDay } = this.#options;
    const host = this.#known(name);
    const look = await lookAtHost({
      host,
      link: ssh.linkTo(host),
      wayTo: async () => await ssh.wayTo(host),
      isKeyOffered: (error) => {
        const { kind } = ssh.keyOf(error);
        return kind === 'none' ? undefined : kind === 'unknown';
      },
      hello: newWord(),
      clock: { now: timeOfDay, elapsedMs: () => performance.now() },
      signal: AbortSignal.timeout(CHECK_MS),
    });
    this.#options.hurry(name);
    return judgeHost(look);
  }

  async offeredKey(name: string): Promise<KeyOffer> {
    const shown = await this.#keyShown(name);
    if (shown.kind !== 'unknown') return shown;
    const { type, fingerprint, name: knownAs, file } = shown;
    return { kind: 'offered', type, fingerprint, name: knownAs, file };
  }

  async trust(name: string, fingerprint: string): Promise<KeyTrust> {
    const shown = await this.#keyShown(name);
    if (shown.kind === 'refused') return shown;
    if (shown.kind === 'known')
      return { kind: 'refused', message: `The key of "${name}" is known already.` };
    if (shown.fingerprint !== fingerprint) {
      const message = `"${name}" shows another key now: ${shown.fingerprint}. Nothing was written down.`;
      return { kind: 'refused', message };
    }
    try {
      await shown.add();
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return { kind: 'refused', message: error.message };
    }
    this.#options.hurry(name);
    return { kind: 'trusted', file: shown.file };
  }

  async #keyShown(
    name: string,
  ): Promise<Exclude<KeyOffer, { kind: 'offered' }> | Extract<KeyShown, { kind: 'unknown' }>> {
    const { ssh, newWord } = this.#options;
    const link = ssh.linkTo(this.#known(name));
    try {
      const channel = await link.open();
      const shell = await HostShell.greet(channel, { hello: newWord(), onLost: () => {} });
      shell.close();
      return { kind: 'known' };
    } catch (error) {
      if (!isOfWorld(error)) throw error;
      const shown = error instanceof LinkError ? ssh.keyOf(error) : { kind: 'none' as const };
      return shown.kind === 'unknown' ? shown : { kind: 'refused', message: sentence(name, error) };
    } finally {
      link.close();
    }
  }

  #known(name: string): HostDefinition {
    const host = this.#host(name);
    assert(host !== undefined, 'only hosts of the settings are looked at');
    return host;
  }

  /** Nothing is this machine. */
  #host(place: string): HostDefinition | undefined {
    if (place === LOCAL) return undefined;
    const host = this.hosts.find(({ name }) => name === place);
    if (host === undefined)
      throw new MachineUnreachable(`"${place}" is not among your hosts any more.`);
    return host;
  }
}

const CHECK_MS = 30_000;

function isOfWorld(error: unknown): error is LinkError | ShellLost {
  return error instanceof LinkError || error instanceof ShellLost;
}

async function orUnreachable<T>(place: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw asUnreachable(place, error);
  }
}

/** Anything else is a mistake of ours. */
function asUnreachable(place: string, error: unknown): unknown {
  if (!isOfWorld(error)) return error;
  return new MachineUnreachable(sentence(place, error), { cause: error });
}

function sentence(place: string, error: LinkError | ShellLost): string {
  if (error instanceof LinkError) return error.message;
  const who = place === LOCAL ? 'A shell of this machine' : `"${place}"`;
  if (error instanceof HostOverrun) return `${who} was left: ${error.message}.`;
  return `${who} does not answer: ${error.message}.`;
}
