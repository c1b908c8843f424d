import { StoreError } from './store-error.ts';

/** Something to be written in a turn. */
export interface Step {
  /** What it answers is done when the turn is on the disk. */
  readonly perform: () => (() => void) | undefined;
  /** Absent: nobody waits for it, and it must not be lost. */
  readonly refuse?: (error: unknown) => void;
}

export function kept(perform: Step['perform']): Step {
  return { perform };
}

export function deposed(): StoreError {
  return new StoreError('deposed', 'This process does not decide any more.');
}
