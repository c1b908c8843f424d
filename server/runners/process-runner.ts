import type { Runner } from '../engine/ports.ts';
import type { RunnerOptions } from './runner-options.ts';
import { SlotRunner } from './slot-runner.ts';
import { SpawnRunner } from './spawn-runner.ts';

/** Runs commands on this machine, in the way that its system allows. */
export function processRunner(options: RunnerOptions): Runner {
  return process.platform === 'win32' ? new SpawnRunner(options) : new SlotRunner(options);
}
