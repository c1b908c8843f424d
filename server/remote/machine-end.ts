import type { CommandEnd } from '../engine/ports.ts';
import { endOfStatus, notStarted } from '../runners/command-end.ts';
import type { MachineOrder } from './machine-order.ts';

export const LOST: CommandEnd = { kind: 'lost', cause: 'killed' };
export const REBOOTED: CommandEnd = { kind: 'lost', cause: 'host-lost' };

/** What the result of a wrapper means. */
export function readEnd(result: string, order: MachineOrder | undefined): CommandEnd {
  if (result !== 'folder') return endOfStatus(Number(result));
  const folder = order === undefined ? 'Its folder' : `The folder "${order.folder}"`;
  return notStarted(`${folder} is not there. Create it, or correct "cwd" in the plan.`);
}
