import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { BUILDING } from './building.ts';
import { EACH_CHANGE, STEADY } from './each-change.ts';
import { FULL_BOARD } from './full-board.ts';
import { GLOBS } from './globs.ts';
import { GRAPH } from './graph-primitives.ts';
import type { Bench, Row } from './measure.ts';
import { MEMORY } from './memory.ts';
import { CLAIMS } from './peers/claims.ts';
import { EDITOR } from './peers/editor.ts';
import { HOOK } from './peers/hook.ts';
import { HOSTS } from './peers/hosts.ts';
import { type Group, reportText } from './peers/report.ts';
import { START } from './peers/start.ts';
import { TASKS } from './peers/tasks.ts';
import { SIMULATOR } from './simulator.ts';

const BENCHES: readonly Bench[] = [
  EACH_CHANGE,
  STEADY,
  FULL_BOARD,
  BUILDING,
  MEMORY,
  GRAPH,
  GLOBS,
  SIMULATOR,
];

/** Programs next to ours, as whole processes. */
const GROUPS: readonly Group[] = [TASKS, CLAIMS, START, HOOK, EDITOR, HOSTS];

const NAMES = [...BENCHES, ...GROUPS].map(({ name }) => name);

/** Each bench has a process of its own: what one made the compiler believe must not slow the next. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      /** Names of contenders, with commas: whoever changes ours need not wait for all the others. */
      with: { type: 'string' },
    },
  });
  if (values.only !== undefined) {
    await runOne(values.only, { isJson: values.json, participants: values.with?.split(',') });
    return;
  }
  const [wanted] = positionals;
  const chosen = NAMES.filter((name) => wanted === undefined || name.includes(wanted));
  if (chosen.length === 0)
    console.error(`No bench is named "${wanted}". There are: ${NAMES.join(', ')}.`);
  const self = [...process.execArgv, ...process.argv.slice(1, 2), ...args];
  for (const name of chosen) {
    const { status } = spawnSync(process.execPath, [...self, '--only', name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

interface Wishes {
  readonly isJson: boolean;
  readonly participants: readonly string[] | undefined;
}

/** As JSON, each bench is one line. */
async function runOne(name: string, { isJson, participants }: Wishes): Promise<void> {
  const group = GROUPS.find((one) => one.name === name);
  if (group !== undefined) {
    const report = await group.run(participants === undefined ? {} : { participants });
    console.log(isJson ? JSON.stringify(report) : reportText(report));
    return;
  }
  const rows = BENCHES.find((one) => one.name === name)?.run() ?? [];
  console.log(isJson ? JSON.stringify({ name, rows }) : benchText(name, rows));
}

function benchText(name: string, rows: readonly Row[] | string): string {
  const lines = typeof rows === 'string' ? [rows] : rows.map((row) => lineOf(row));
  return [`\n${name}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function lineOf({ what, ours, limit, ratio, atMost }: Row): string {
  const goal = atMost === undefined ? '' : `goal ${atMost}: ${ratio <= atMost ? 'ok' : 'missed'}`;
  const figures = [ours.padStart(10), limit.padStart(10), ratio.toFixed(2).padStart(8)].join(' ');
  return `${what.padEnd(62)} ${figures}   ${goal}`.trimEnd();
}

await main(process.argv.slice(2));
