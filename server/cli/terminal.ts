import type { BoardWorld } from '../board/ports.ts';
import type { Attachment } from '../board/session-ports.ts';
import type { AttachedCommand, Launch } from '../engine/ports.ts';
import type { ExitCode } from './exit-code.ts';

/** What a command has of the process it runs in. */
export interface Terminal {
  world(command: string): BoardWorld;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Absent: what it prints goes to a file or to another program. */
  readonly screen: Screen | undefined;
  /** Somebody is there who reads, and could do something: neither its input nor its output is a file. */
  readonly isAttended: boolean;
  /** What another program writes to it. */
  readonly input: AsyncIterable<unknown>;
  /** What the small program for hooks has found out already; absent where it did not run. */
  readonly hook?: FoundByHook | undefined;
  /** A mark for each process that started this one, the nearest first. */
  callers(): readonly string[];
  /** Whether the process that started this one has ended; false if the system does not say. */
  starterHasEnded(): boolean;
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Ctrl-C and its kin, each time; the command ends in its own time. */
  onInterrupt(interrupt: (kind: Interrupt, signal?: NodeJS.Signals) => void): void;
  /** Whoever read the output has gone; it is of use to nobody any more. */
  onUnread(unread: () => void): void;
  /**
   * Runs a command where this one runs: it reads what is typed, and writes to the same screen. By `proof`
   * it shows that it is the command of this launch.
   */
  attach(launch: Launch, proof: string): AttachedCommand;
  /** Gives the terminal to a program until that ends, and resolves with its exit code. */
  handOver(program: Attachment): Promise<number>;
  /** Somebody presses a key; nobody will where nobody is there. */
  keyPressed(): Promise<void>;
  /** Ends the process at once, whatever is left to be done. */
  abort(code: ExitCode): void;
}

export interface FoundByHook {
  /** All of the input. */
  readonly text: string;
  /** A process decides for the board and does not answer. */
  readonly isSilent: boolean;
}

/** Somebody wants it to end, or nobody is there any more: the terminal was closed. */
export type Interrupt = 'wanted' | 'alone';

/** Somebody looks at the output as it comes. */
export interface Screen {
  /** How wide and how high it is now. */
  size(): { readonly columns: number; readonly rows: number };
  readonly hasColours: boolean;
}

export interface Arguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** The folder that the command is about. */
  readonly folder: string;
  readonly isJson: boolean;
}

export type Perform = (args: Arguments, terminal: Terminal) => Promise<ExitCode> | ExitCode;
