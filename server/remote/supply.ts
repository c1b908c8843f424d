import type { Launch } from '../engine/ports.ts';
import type { Machine } from './machine.ts';
import type { MachineOrder } from './machine-order.ts';
import type { Refusal } from './task-session.ts';

/** How what a task needs gets to a machine, and how what it has made comes back. All of it may be done again. */
export interface Supply {
  /** When all is there; or why the task cannot be run there. */
  prepare(launch: Launch, machine: Machine, signal: AbortSignal): Promise<MachineOrder | Refusal>;
  /** All that it has made is here then, or does not get here. */
  collect(launch: Launch, machine: Machine): Promise<'here' | 'lost'>;
  /** Of those something may be left there. */
  terms(machine: Machine): Promise<readonly number[]>;
  /** Nobody asks for what these have made any more. */
  discard(terms: readonly number[], machine: Machine): Promise<void>;
  /** Where what an attempt prints is kept on this machine. */
  logFile(launch: Launch): string;
  /** What is being brought here is given up. */
  close(): void;
}
