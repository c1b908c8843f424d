import type { ProcessIdentity } from '../domain/task.ts';
import type { Launch } from '../engine/ports.ts';
import { ShellLost } from './host-shell.ts';
import type { Machine } from './machine.ts';
import type { MachineOrder } from './machine-order.ts';
import type { SlotShell } from './slot-shells.ts';
import type { Supply } from './supply.ts';
import type { Refusal } from './task-session.ts';

/** A command between its order and the moment when its end is told. */
export interface MachineCommand {
  readonly launch: Launch;
  /** Somebody else has ordered it, and it has started. */
  readonly isAdopted: boolean;
  process?: ProcessIdentity;
  stop?: 'terminate' | 'kill';
  /** Aborted when it is to end: what is done to start it need not be done. */
  readonly stopping: AbortController;
  /** It was asked to end, and is asked once: who asks again means that it should not tidy up. */
  hasHeard?: boolean;
  /** Since when its command has ended, and something else of its group has not. */
  endingAt?: number;
  /** Something is being done about it; it is looked at again after that. */
  isBusy?: boolean;
  /** Whoever ordered it knows that it has started. */
  hasTold?: boolean;
  /** When it was given to whoever runs it, and how often. */
  givenAt?: number;
  orders?: number;
  /** Who runs it, where it needs no terminal. */
  slot?: SlotShell;
  /** It has ended, and has printed nothing. */
  isSilent?: boolean;
}

/** Who was given a command begins it by then. */
const BEGINNING_MS = 2000;

/** Whether somebody is about to begin it. */
export function isAwaited({ givenAt }: MachineCommand): boolean {
  return givenAt !== undefined && performance.now() - givenAt < BEGINNING_MS;
}

const MOST_ORDERS = 5;
const NEVER_BEGUN: Refusal = {
  refusal: 'It did not begin there, however often it was ordered.',
  mayPass: true,
};
const STOPPED: Refusal = { refusal: 'It was stopped before it began.', mayPass: true };

export function newCommand(launch: Launch, isAdopted: boolean): MachineCommand {
  return { launch, isAdopted, stopping: new AbortController() };
}

/** What the machine is told of it, when all that it needs is there. */
export async function prepareOrder(
  { launch, orders = 0, stopping: { signal } }: MachineCommand,
  machine: Machine,
  supply: Supply,
): Promise<MachineOrder | Refusal> {
  if (orders >= MOST_ORDERS) return NEVER_BEGUN;
  try {
    return await supply.prepare(launch, machine, signal);
  } catch (error) {
    if (!signal.aborted || error instanceof ShellLost) throw error;
    return STOPPED;
  }
}
