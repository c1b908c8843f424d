import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseRunId } from '../../../server/domain/ids.ts';
import type { Attempt, Runner, Sight } from '../../../server/engine/ports.ts';
import { fenceText } from '../../../server/runners/fences.ts';
import { ProcessTable } from '../../../server/runners/process-identity.ts';
import { SlotRunner } from '../../../server/runners/slot-runner.ts';
import { Random } from '../../sim/random.ts';
import { taskId } from '../runs.ts';

export interface ResultFuzzTotals {
  inputs: number;
  /** By what was made of the file. */
  readonly sights: Map<string, number>;
}

/** Those that are looked at together wait together for files that may not be written yet. */
const AT_ONCE = 500;

/**
 * Spoils what slots have left behind of commands, and lets a runner find it. It never throws, it has an
 * answer for each, and only what a slot can have written of a command that ended well is a success.
 */
export async function fuzzResults({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<ResultFuzzTotals> {
  const totals: ResultFuzzTotals = { inputs: 0, sights: new Map() };
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'interlock-fuzz-')));
  const commandsFolder = path.join(folder, 'commands');
  mkdirSync(commandsFolder, { mode: 0o700 });
  const runner = new SlotRunner({
    commandsFolder,
    logFile: ({ term }) => path.join(folder, `${term}.log`),
    logFolder: (run) => path.join(folder, run),
    parentEnv: process.env,
    onEnd: () => {},
  });
  try {
    for (let first = 0; first < count; first += AT_ONCE)
      await tryMany(
        { runner, commandsFolder, folder, seed, first, totals },
        Math.min(AT_ONCE, count - first),
      );
  } finally {
    runner.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return totals;
}

interface Trial {
  readonly runner: Runner;
  readonly commandsFolder: string;
  readonly folder: string;
  readonly seed: number;
  readonly first: number;
  readonly totals: ResultFuzzTotals;
}

async function tryMany(trial: Trial, count: number): Promise<void> {
  const { runner, commandsFolder, folder, seed, first, totals } = trial;
  const texts = new Map<number, string>();
  for (let index = first; index < first + count; index += 1) {
    const random = new Random(seed * 1_000_003 + index);
    const term = index + 1;
    const text = spoil(random, whole(random, path.join(folder, `${term}.log`)));
    texts.set(term, text);
    if (random.chance(0.98)) writeFileSync(path.join(commandsFolder, String(term)), text, 'latin1');
    else mkdirSync(path.join(commandsFolder, String(term)));
  }
  const sights = await runner.adopt([...texts.keys()].map(attemptOf));
  for (const [term, text] of texts) {
    const sight = sights.get(term);
    const kind = kindOf(sight);
    totals.sights.set(kind, (totals.sights.get(kind) ?? 0) + 1);
    totals.inputs += 1;
    if (kind === 'succeeded' && !mayBeSuccess(text))
      throw new Error(
        `Input ${term - 1} of seed ${seed} is taken for a success: ${JSON.stringify(text)}`,
      );
    runner.forget(term);
    rmSync(path.join(commandsFolder, String(term)), { recursive: true, force: true });
  }
}

function attemptOf(term: number): Attempt {
  const run = parseRunId('run-of-the-result-fuzzer');
  if (run === undefined) throw new Error('it is the id of a run');
  return { place: 'local', run, task: taskId('a'), term, process: undefined };
}

function kindOf(sight: Sight | undefined): string {
  if (sight === undefined) return 'nothing';
  return sight.kind === 'ended' ? sight.end.kind : sight.kind;
}

/** What a slot leaves behind: of a process that is not there any more. */
function whole(random: Random, logFile: string): string {
  const { bootId } = processes;
  const process = { bootId, pid: 2 ** 22 + random.below(1000), startTime: '1' };
  const beginning = fenceText({ process, slot: `1.${random.below(9)}`, logFile });
  const ends = [
    '',
    'ended 0',
    'ended 0',
    'ended 1',
    'ended 143',
    'ended log',
    'ended 127',
    'ended',
  ];
  const lines = [beginning, ...(random.chance(0.5) ? ['begun'] : []), random.pick(ends)];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

const processes = new ProcessTable();

function spoil(random: Random, text: string): string {
  let spoilt = text;
  for (let times = random.below(4); times > 0; times -= 1) {
    const place = random.below(spoilt.length + 1);
    const kind = random.below(8);
    if (kind === 0) spoilt = spoilt.slice(0, place);
    else if (kind === 1) spoilt = spoilt.slice(place);
    else if (kind === 2) spoilt = insert(spoilt, place, random.pick(STRANGE));
    else if (kind === 3) spoilt = insert(spoilt, place, String.fromCodePoint(random.below(256)));
    else if (kind === 4)
      spoilt = spoilt.slice(0, place) + spoilt.slice(place + random.between(1, 9));
    else if (kind === 5) spoilt += random.pick(STRANGE);
    else if (kind === 6) spoilt = insert(spoilt, place, '\0'.repeat(random.between(1, 40)));
    else spoilt = random.pick(STRANGE) + spoilt;
  }
  return spoilt;
}

const STRANGE = [
  'ended 0',
  'ended 0\n',
  'ended \n',
  'ended\n',
  'ended 0x0\n',
  'ended -0\n',
  'ended 0 \n',
  'ended 1e-9\n',
  'ended NaN\n',
  'ended 256\n',
  'ended fenced\n',
  '\n',
  '{}',
  'null\n',
  '[]\n',
  '0\n',
  '{"pid":1,"startTime":"1","slot":"1","logFile":"/"}\n',
  '{"bootId":null,"pid":"self","startTime":0,"slot":{},"logFile":[]}\n',
];

function insert(text: string, place: number, piece: string): string {
  return text.slice(0, place) + piece + text.slice(place);
}

/** Whole lines: what has begun, and later that it ended with 0. The first word on its end counts. */
function mayBeSuccess(text: string): boolean {
  const [first = '', ...rest] = text.split('\n').slice(0, -1);
  const end = rest.find((line) => line.startsWith('ended '));
  if (end !== 'ended 0') return false;
  try {
    const fields: unknown = JSON.parse(first);
    return typeof fields === 'object' && fields !== null && 'pid' in fields && 'slot' in fields;
  } catch {
    return false;
  }
}
