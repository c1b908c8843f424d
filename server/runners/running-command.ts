import type { Command, ProcessIdentity } from '../domain/task.ts';
import type { CommandEnd } from '../engine/ports.ts';
import { endOfStatus, KILLED, missingProgram, notStarted } from './command-end.ts';

/** A command between its start and the moment when its end is told. */
export interface RunningCommand {
  readonly run: string;
  readonly term: number;
  readonly process: ProcessIdentity;
  /** The mark of its slot. */
  readonly slot: string;
  /** Absent when somebody else has started it. */
  readonly journal?: string;
  readonly logFile: string;
  /** Absent when somebody else has started it. */
  readonly source?: {
    readonly command: Command;
    readonly cwd: string;
    readonly searchPath: string | undefined;
  };
  /** How far its end has been asked for. */
  stop?: 'terminate' | 'kill';
  /** What it has left behind may not have. */
  hasEnded?: boolean;
  told?: PromiseWithResolvers<void>;
}

/** The statuses with which a shell says that it could not run a program. */
const NOT_RUN = new Set([126, 127]);

/** What the last word of a slot means; a slot that died has none. */
export function endOf({ stop, source }: RunningCommand, word: string | undefined): CommandEnd {
  if (word === undefined) return stop === 'kill' ? KILLED : { kind: 'lost', cause: 'killed' };
  // Somebody else has the term, there is no place left to write that it began, or no log: it may pass.
  if (word === 'fenced' || word === 'log') return { kind: 'lost', cause: 'not-started' };
  const status = Number(word);
  const missing =
    source !== undefined && NOT_RUN.has(status)
      ? missingProgram(source.command, source)
      : undefined;
  return missing === undefined ? endOfStatus(status) : notStarted(missing);
}
