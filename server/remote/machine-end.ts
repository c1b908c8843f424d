import type { CommandEnd, Launch } from '../engine/ports.ts';
import { endOfStatus, notStarted } from '../runners/command-end.ts';

export const LOST: CommandEnd = { kind: 'lost', cause: 'killed' };
export const REBOOTED: CommandEnd = { kind: 'lost', cause: 'host-lost' };

/** What the result of a wrapper means. */
export function readEnd(result: string, launch: Launch | undefined): CommandEnd {
  if (result !== 'folder') return endOfStatus(Number(result));
  const folder =
    launch === undefined ? 'Its folder' : `The folder "${launch.definition.cwd}" of it`;
  return notStarted(`${folder} is not there. Create it, or correct "cwd" in the plan.`);
}
