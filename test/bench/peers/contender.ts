import type { Command } from './measured-command.ts';
import type { GraphTask, Shape } from './task-graphs.ts';

/** A program that runs graphs of commands, two at a time. */
export interface Contender {
  readonly name: string;
  /** Its own start-up is Node's, or is ours: shown also without. */
  readonly kind: 'native' | 'loop' | 'npm' | 'ours';
  /** Undefined when it can be measured, else why not. */
  readonly missing: () => string | undefined;
  readonly runs: (shape: Shape) => boolean;
  /** Absent: as many as the others. A slow one shows the same with fewer. */
  readonly mostTasks?: number;
  /** Writes what the program reads into the folder, and says how it is started. */
  readonly prepare: (tasks: readonly GraphTask[], folder: string) => Omit<Command, 'folder'>;
  /** Puts the folder back to what it was before the program ran in it for the first time. */
  readonly reset?: (folder: string) => void;
}

export const PARALLEL = 2;

export const anyShape = (): boolean => true;
