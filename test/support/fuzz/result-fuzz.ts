import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseRunId } from '../../../server/domain/ids.ts';
import type { Attempt, Runner, Sight } from '../../../server/engine/ports.ts';
import { orderLine, writerLine } from '../../../server/runners/journal-text.ts';
import { ProcessTable } from '../../../server/runners/process-identity.ts';
import { SlotRunner } from '../../../server/runners/slot-runner.ts';
import { Random } from '../../sim/random.ts';
import { taskId } from '../runs.ts';
import { EndLog } from '../end-log.ts';

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
  try {
    for (let first = 0; first < count; first += AT_ONCE)
      await tryMany(
        { commandsFolder, folder, seed, first, totals },
        Math.min(AT_ONCE, count - first),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return totals;
}

interface Trial {
  readonly commandsFolder: string;
  readonly folder: string;
  readonly seed: number;
  readonly first: number;
  readonly totals: ResultFuzzTotals;
}

async function tryMany(trial: Trial, count: number): Promise<void> {
  const { commandsFolder, folder, seed, first, totals } = trial;
  const texts = new Map<number, string>();
  for (let index = first; index < first + count; index += 1) {
    const random = new Random(seed * 1_000_003 + index);
    const term = index + 1;
    const text = spoil(random, whole(random, { term, logFile: path.join(folder, `${term}.log`) }));
    texts.set(term, text);
    const slots = path.join(commandsFolder, `1.${term}`);
    mkdirSync(slots, { mode: 0o700 });
    if (random.chance(0.98)) writeFileSync(path.join(slots, '1'), text, 'latin1');
    else mkdirSync(path.join(slots, '1'));
  }
  const runner = newRunner(commandsFolder, folder);
  const sights = await runner.adopt([...texts.keys()].map(attemptOf));
  const successes = new Set([...texts.values()].flatMap((text) => [...successesIn(text)]));
  for (const [term, text] of texts) {
    const sight = sights.get(term);
    const kind = kindOf(sight);
    totals.sights.set(kind, (totals.sights.get(kind) ?? 0) + 1);
    totals.inputs += 1;
    if (kind === 'succeeded' && !successes.has(term))
      throw new Error(
        `Input ${term - 1} of seed ${seed} is taken for a success: ${JSON.stringify(text)}`,
      );
  }
  runner.close();
  rmSync(commandsFolder, { recursive: true, force: true });
  mkdirSync(commandsFolder, { mode: 0o700 });
}

function newRunner(commandsFolder: string, folder: string): Runner {
  return new SlotRunner({
    commandsFolder,
    logFile: ({ term }) => path.join(folder, `${term}.log`),
    logFolder: (run) => path.join(folder, run),
    parentEnv: process.env,
    news: new EndLog(),
  });
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
function whole(random: Random, order: Parameters<typeof orderLine>[0]): string {
  const { bootId } = processes;
  const process = { bootId, pid: 2 ** 22 + random.below(1000), startTime: '1' };
  const writer = writerLine({ process, slot: `1.${random.below(9)}` });
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
  const other = [orderLine({ ...order, term: order.term + 1_000_000 }), 'begun', 'ended 0'];
  const before = random.chance(0.3) ? other : [];
  const lines = [
    writer,
    ...before,
    orderLine(order),
    ...(random.chance(0.5) ? ['begun'] : []),
    random.pick(ends),
  ];
  const room = random.chance(0.5) ? '\0'.repeat(64) : '';
  return `${lines.filter((line) => line !== '').join('\n')}\n${room}`;
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
  'begun\n',
  'order {"term":1,"logFile":"/"}\n',
  'order {"term":-1,"logFile":[]}\n',
  '{"bootId":"1","pid":1,"startTime":"1","slot":"1"}\n',
  '{"bootId":null,"pid":"self","startTime":0,"slot":{}}\n',
];

function insert(text: string, place: number, piece: string): string {
  return text.slice(0, place) + piece + text.slice(place);
}

/** Whole lines: an order, and that it ended with 0 before the next. The first word on an end counts. */
function* successesIn(text: string): Generator<unknown, void> {
  const lines = text.split('\n').slice(0, -1);
  const orders = lines.flatMap((line, at) => (line.startsWith('order ') ? [at] : []));
  for (const [index, at] of orders.entries()) {
    const own = lines.slice(at, orders[index + 1]);
    if (own.find((line) => line.startsWith('ended ')) === 'ended 0') yield* termIn(own[0] ?? '');
  }
}

function* termIn(line: string): Generator<unknown, void> {
  try {
    const fields: unknown = JSON.parse(line.slice('order '.length));
    if (typeof fields === 'object' && fields !== null && 'term' in fields) yield fields.term;
  } catch {
    // It is no order.
  }
}
