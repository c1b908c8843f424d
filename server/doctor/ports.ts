import type { Finding } from './finding.ts';

/** What is asked of the machine when somebody wants to know what is wrong. Nothing of it changes anything. */
export interface MachineFacts {
  runtime(): RuntimeFacts;
  sqlite(): SqliteFacts;
  state(): StateFacts;
  store(): StoreFacts;
  decider(): Promise<DeciderFacts>;
  /** Starts a program where the folder is, and ends it when it takes too long. */
  readonly program: (
    command: string,
    args: readonly string[],
    patienceMs?: number,
  ) => Promise<ProgramFacts>;
  /** Sends a program some messages, a line each, and answers with the reply to the last one that has an id. */
  readonly converse: (
    command: string,
    args: readonly string[],
    messages: readonly {
      readonly id?: number;
      readonly method: string;
      readonly params?: object;
    }[],
  ) => Promise<ProgramFacts>;
  /** The folder that is asked about. */
  readonly folder: string;
  readonly environment: (name: string) => string | undefined;
  /** A regular file of bounded size below the user's home or the folder; nothing for any other. */
  readonly configText: (where: 'home' | 'folder', file: string) => string | undefined;
  /** Nothing where the system has no such limits. */
  watches(): WatchFacts | undefined;
  clock(): ClockFacts;
}

export interface RuntimeFacts {
  readonly build: string;
  readonly node: string;
  /** As `linux x64`. */
  readonly platform: string;
  /** Why it is too old, as a sentence for the user. */
  readonly refusal: string | undefined;
}

export type SqliteFacts =
  | { readonly kind: 'loaded'; readonly version: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface StateFacts {
  readonly path: string;
  /** The folder, or the one above it that would hold it. */
  readonly isWritable: boolean;
  /** Whether others on this machine can look into it; nothing while it is not there. */
  readonly isOpenToOthers: boolean | undefined;
  readonly freeBytes: number | undefined;
  /** What kind of network file system it is on. */
  readonly network: string | undefined;
}

export type StoreFacts =
  | { readonly kind: 'absent'; readonly file: string }
  | {
      readonly kind: 'sound';
      readonly file: string;
      readonly bytes: number;
      /** Whether all of it was looked through: a large one is not. */
      readonly isLookedThrough: boolean;
    }
  | { readonly kind: 'damaged'; readonly file: string }
  | { readonly kind: 'unusable'; readonly message: string };

export interface DeciderFacts {
  /** Who has the board's lock. */
  readonly holder: string | undefined;
  readonly answer:
    | { readonly kind: 'connected'; readonly build: string; readonly protocol: number }
    | { readonly kind: 'absent' }
    | { readonly kind: 'refused'; readonly message: string };
}

export type ProgramFacts =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly message: string };

export interface WatchFacts {
  readonly watches: number;
  readonly instances: number;
}

/** In milliseconds since 1970. */
export interface ClockFacts {
  readonly nowMs: number;
  /** When the board's file was last written; nothing where there is none. */
  readonly writtenMs: number | undefined;
}

/** What came of one question about a host. */
export interface HostCheck extends Finding {
  readonly name: string;
}
