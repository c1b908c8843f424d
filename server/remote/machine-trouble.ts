import { setTimeout as delay } from 'node:timers/promises';
import { isOfSystem } from '../runners/system-error.ts';
import { LinkError } from './channel.ts';
import { ShellLost } from './host-shell.ts';

const TROUBLE_MS = 1000;

/** What is seen when the machine is there again says what has become of it. */
export function ignoreLoss(error: unknown): undefined {
  if (!(error instanceof ShellLost)) throw error;
}

/**
 * A full disk, or a way that takes no more channels, may be better a moment later. Anything else is a
 * mistake of ours, which is told, and ends nothing else.
 */
export function bearing(faulted: (error: unknown) => void): (error: unknown) => Promise<void> {
  return async (error) => {
    if (!(error instanceof LinkError || isOfSystem(error))) faulted(error);
    await delay(TROUBLE_MS);
  };
}
