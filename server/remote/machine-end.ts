import type { CommandEnd, Launch } from '../engine/ports.ts';
import { endOfStatus, notStarted } from '../runners/command-end.ts';

export const LOST: CommandEnd = { kind: 'lost', cause: 'killed' };
/** What it has made did not get out of the machine. */
export const HOST_LOST: CommandEnd = { kind: 'lost', cause: 'host-lost' };

/** What the result of a wrapper means. */
export function readEnd(result: string, launch: Launch): CommandEnd {
  if (result !== 'folder') return endOfStatus(Number(result));
  const { cwd } = launch.definition;
  return notStarted(`The folder "${cwd}" is not there. Create it, or correct "cwd" in the plan.`);
}
