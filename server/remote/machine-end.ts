import type { CommandEnd, Launch } from '../engine/ports.ts';
import { endOfStatus, notStarted } from '../runners/command-end.ts';

export const LOST: CommandEnd = { kind: 'lost', cause: 'killed' };
/** What it has made did not get out of the machine. */
export const HOST_LOST: CommandEnd = { kind: 'lost', cause: 'host-lost' };

/** Nothing was run. */
export function isRefusal(result: string): boolean {
  return result === 'folder';
}

/** What the result of a wrapper means. */
export function readEnd(result: string, launch: Launch): CommandEnd {
  if (!isRefusal(result)) return endOfStatus(Number(result));
  const { cwd } = launch.definition;
  return notStarted(`The folder "${cwd}" is not there. Create it, or correct "cwd" in the plan.`);
}
