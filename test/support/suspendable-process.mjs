// A process that hands over before Ctrl-Z suspends it:
//   node test/support/suspendable-process.mjs
// It says that it is ready, each time that it hands over, and each line that it reads.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { SuspendSignal } from '../../server/system/suspend-signal.ts';

const HAND_OVER_MS = 100;

new SuspendSignal().before(async () => {
  console.log('hands over');
  await setTimeout(HAND_OVER_MS);
});
createInterface(process.stdin).on('line', (line) => console.log(line));
console.log('ready');
