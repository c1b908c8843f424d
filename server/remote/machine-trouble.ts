import { setTimeout as delay } from 'node:timers/promises';
import { isOfSystem } from '../runners/system-error.ts';
import { LinkError } from './channel.ts';
import { ShellLost } from './host-shell.ts';

const TROUBLE_MS = 1000;

/** What is seen when the machine is there again says what has become of it. */
export function ignoreLoss(error: unknown): undefined {
  if (!(error instanceof ShellLost)) throw error;
}

/** A full disk, or a way that takes no more channels: it may be better a moment later. */
export async function bearTrouble(error: unknown): Promise<void> {
  if (!(error instanceof LinkError || isOfSystem(error))) throw error;
  await delay(TROUBLE_MS);
}
