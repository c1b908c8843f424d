import type { HostCheck } from '../doctor/ports.ts';
import type { HostDefinition } from '../domain/host.ts';
import type { SessionKey } from '../domain/session-name.ts';

/** A session of a board, as it is on one machine. Times are milliseconds since 1970, by its clock. */
export interface Session extends SessionKey {
  readonly name: string;
  /** Whose it is, in full: the board, and then the run and the term, or the work of a person. */
  readonly key: string;
  readonly createdAt: number;
  /** When something was typed or printed in it last. */
  readonly changedAt: number;
  /** How many look at it. */
  readonly clients: number;
  /** Its command has ended, and it was kept. */
  readonly isOver: boolean;
}

export type SessionsSeen =
  | {
      readonly kind: 'seen';
      /** The machine's clock. */
      readonly now: number;
      readonly sessions: readonly Session[];
      /** Names of others that somebody has made there; nobody of us touches them. */
      readonly foreign: readonly string[];
    }
  | { readonly kind: 'no-tmux' };

export interface SessionWanted {
  readonly name: string;
  readonly key: string;
  /** Where it begins: absolute, or below the home folder with `~/`. */
  readonly folder: string;
}

export type SessionMaking =
  | { readonly kind: 'there' | 'foreign' | 'no-tmux' }
  /** What the machine says of it. */
  | { readonly kind: 'failed'; readonly why: string };

export type SessionEnding = 'ended' | 'gone' | 'foreign';

/** The sessions of one board on one machine, until it is closed. */
export interface Sessions {
  list(): Promise<SessionsSeen>;
  /** A session with a shell in it, where there is none of that name; one of another key stays. */
  make(wanted: SessionWanted): Promise<SessionMaking>;
  /** Ends this very session, and none that has taken its place. */
  end(session: Pick<Session, 'name' | 'key'>): Promise<SessionEnding>;
  close(): void;
}

/** A program that shows a session in the terminal in which it is started. */
export interface Attachment {
  readonly file: string;
  readonly args: readonly string[];
}

/** This machine or a host is out of reach. The message is a sentence for the user. */
export class MachineUnreachable extends Error {}

/** This machine and the hosts of the user's settings, as far as they have to do with one board. */
export interface Machines {
  /** What the board is called there; keys of sessions begin with it. */
  readonly board: string;
  /** What sessions of it are named after. */
  readonly repo: string;
  /** `local` first, and then hosts in the order of the settings. */
  readonly places: readonly string[];
  /** Where somebody begins who comes there. */
  folderAt(place: string): string;
  /** Throws `MachineUnreachable`. */
  sessionsAt(place: string): Promise<Sessions>;
  attachment(place: string, name: string, mode: 'read' | 'write'): Attachment;
  /** As the user has set them, without what is wrong. */
  readonly hosts: readonly HostDefinition[];
  /** What those are called of which the user says that they never come back. */
  readonly gone: readonly string[];
  /** What is wrong there, each a sentence for the user. */
  readonly problems: readonly string[];
  /** How those of them are seen that this process has to do with; of the others nobody knows. */
  readonly sights: readonly HostSight[];
  /** Hosts, or how they are seen, may have changed. */
  onChanged(listener: () => void): Disposable;
  /** Goes to a host of the settings and looks; whatever happens, there is an answer in time. */
  check(host: string): Promise<readonly HostCheck[]>;
  /** Asks a host of the settings for its key, and trusts nothing. */
  offeredKey(host: string): Promise<KeyOffer>;
  /** Writes down that a host has the key of this fingerprint, if it still shows it. */
  trust(host: string, fingerprint: string): Promise<KeyTrust>;
}

/** How the way to a host is now. */
export interface HostSight {
  readonly name: string;
  /** `idle`: nobody needs it, so nobody is connected to it. */
  readonly state:
    | 'idle'
    | 'connecting'
    | 'reachable'
    | 'reconnecting'
    | 'unreachable'
    | 'unhealthy';
  /** A clause for the user; empty where all is well. */
  readonly why: string;
  readonly system?: string;
  readonly hasTmux?: boolean;
}

export type KeyOffer =
  /** Nobody knows it yet. `file` is where it would be written down, under `name`. */
  | {
      readonly kind: 'offered';
      readonly type: string;
      readonly fingerprint: string;
      readonly name: string;
      readonly file: string;
    }
  | { readonly kind: 'known' }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

export type KeyTrust =
  | { readonly kind: 'trusted'; readonly file: string }
  | { readonly kind: 'refused'; readonly message: string };
