import type { BoardWorld } from '../board/ports.ts';

/** What a command has of the process it runs in. */
export interface Terminal {
  world(command: string): BoardWorld;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Ctrl-C and its kin; the command ends in its own time. */
  onInterrupt(interrupt: () => void): void;
}

export interface Arguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** The folder that the command is about. */
  readonly folder: string;
  readonly isJson: boolean;
}
