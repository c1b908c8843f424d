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
}
