import type { ProcessIdentity } from '../domain/task.ts';
import type { Launch } from '../engine/ports.ts';
import type { SlotShell } from './slot-shells.ts';

/** A command between its order and the moment when its end is told. */
export interface MachineCommand {
  readonly launch: Launch;
  /** Somebody else has ordered it, and it has started. */
  readonly isAdopted: boolean;
  process?: ProcessIdentity;
  stop?: 'terminate' | 'kill';
  /** Since when its command has ended, and something else of its group has not. */
  endingAt?: number;
  /** Something is being done about it; it is looked at again after that. */
  isBusy?: boolean;
  /** Whoever ordered it knows that it has started. */
  hasTold?: boolean;
  /** Who runs it, where it needs no terminal. */
  slot?: SlotShell;
  /** It has ended, and has printed nothing. */
  isSilent?: boolean;
}
