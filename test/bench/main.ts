import { spawnSync } from 'node:child_process';
import { BUILDING } from './building.ts';
import { EACH_CHANGE, STEADY } from './each-change.ts';
import { FULL_BOARD } from './full-board.ts';
import { GRAPH } from './graph-primitives.ts';
import type { Bench, Row } from './measure.ts';
import { MEMORY } from './memory.ts';
import { SIMULATOR } from './simulator.ts';

const BENCHES: readonly Bench[] = [
  EACH_CHANGE,
  STEADY,
  FULL_BOARD,
  BUILDING,
  MEMORY,
  GRAPH,
  SIMULATOR,
];

/** Each bench has a process of its own: what one made the compiler believe must not slow the next. */
function main([first, second]: readonly string[]): void {
  const only = first === '--only' ? BENCHES.find(({ name }) => name === second) : undefined;
  if (only !== undefined) {
    print(only);
    return;
  }
  const chosen = BENCHES.filter(({ name }) => first === undefined || name.includes(first));
  if (chosen.length === 0)
    console.error(
      `No bench is named "${first}". There are: ${BENCHES.map(({ name }) => name).join(', ')}.`,
    );
  const self = [...process.execArgv, ...process.argv.slice(1, 2), '--only'];
  for (const { name } of chosen) {
    const { status } = spawnSync(process.execPath, [...self, name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

function print({ name, run }: Bench): void {
  const rows = run();
  console.log(`\n${name}`);
  if (typeof rows === 'string') {
    console.log(`  ${rows}`);
    return;
  }
  for (const row of rows) console.log(`  ${lineOf(row)}`);
}

function lineOf({ what, ours, limit, ratio, atMost }: Row): string {
  const goal = atMost === undefined ? '' : `goal ${atMost}: ${ratio <= atMost ? 'ok' : 'missed'}`;
  const figures = [ours.padStart(10), limit.padStart(10), ratio.toFixed(2).padStart(8)].join(' ');
  return `${what.padEnd(62)} ${figures}   ${goal}`.trimEnd();
}

main(process.argv.slice(2));
