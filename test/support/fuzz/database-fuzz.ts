import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { instant } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/engine/store-port.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { claimOf, finishOf } from '../decisions.ts';
import { manifest, runId, taskId } from '../runs.ts';
import { StoreClock } from '../store-clock.ts';
import { Random } from '../../sim/random.ts';

/** What became of the damaged files. */
export interface FuzzReport {
  /** The damage changed nothing that anybody reads. */
  sound: number;
  movedAside: number;
  /** Somebody is told so, when it is opened or when it is read. */
  refused: number;
  /** The last transactions are gone, as after a loss of power, and everything before them is there. */
  shortened: number;
}

interface Template {
  readonly folder: string;
  readonly file: string;
  readonly term: number;
  readonly tenure: number;
  readonly shown: Shown;
}

/**
 * Damages a small database in many ways and opens it. Throws where that ends in anything but the
 * states that were written, a new database, or a sentence that says so.
 */
export function fuzzDatabase({ seed, count }: { seed: number; count: number }): FuzzReport {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
  const folder = mkdtempSync(path.join(parent, 'interlock-fuzz-'));
  const report = { sound: 0, movedAside: 0, refused: 0, shortened: 0 };
  try {
    const template = newTemplate(folder);
    for (let number = 0; number < count; number += 1) {
      const random = new Random(seed + number);
      try {
        report[tryOne(template, random)] += 1;
      } catch (cause) {
        throw new Error(`a damaged database was not noticed, seed ${seed + number}`, { cause });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

/** All that can be read of a board. */
interface Shown {
  readonly entries: readonly unknown[];
  readonly rest: unknown;
}

/** A board with a little of everything, once in the middle of the work and once closed. */
function newTemplate(folder: string): Template {
  const file = path.join(folder, 'template.db');
  const clock = new StoreClock();
  const store = new SqliteStore(file, { clock });
  const tenure = store.beginTenure();
  submit(store, 1);
  store.commit(1, [finishOf('failed')]);
  submit(store, 2);
  store.rebase({ facts: 'of the board' });
  for (const [number, task] of ['a', 'b'].entries()) {
    const decision = claimOf({ task: taskId(task), run: runId(2) }, { expiresAt: instant(900) });
    store.claim({ operation: `operation ${number}`, decision });
  }
  submit(store, 3);
  for (const suffix of ['', '-wal', '-terms']) copyFileSync(file + suffix, `${file}-open${suffix}`);
  const { term } = store.snapshot();
  const shown = shownBy(store);
  store.close();
  return { folder, file, term, tenure, shown };
}

function submit(store: Store, number: number): void {
  const at = instant(number);
  store.record([{ kind: 'runSubmitted', at, manifest: manifest(number) }]);
}

function shownBy(store: Store): Shown {
  const { base, revision, term, tenure } = store.snapshot();
  const runs = store.runs(99);
  const ofRuns = runs.map(({ manifest: { id } }) => [
    [...store.statesOf(id)],
    store.eventsOfRun(id, 0, 99),
  ]);
  const latest = store.latestStates('/project');
  const operations = [0, 1].map((number) => store.resolve(`operation ${number}`));
  const rest = { base, revision, term, tenure, runs, ofRuns, latest, operations };
  return { entries: store.events(0, 999), rest };
}

function tryOne(template: Template, random: Random): keyof FuzzReport {
  const file = path.join(template.folder, 'board.db');
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true });
  const isOpen = random.chance(0.3);
  const from = isOpen ? `${template.file}-open` : template.file;
  copyFileSync(from, file);
  if (isOpen) copyFileSync(`${from}-wal`, `${file}-wal`);
  copyFileSync(`${from}-terms`, `${file}-terms`);
  const isLogDamaged = isOpen && random.chance(0.5);
  damage(isLogDamaged ? `${file}-wal` : file, random);
  if (random.chance(0.1)) damage(`${file}-terms`, random);
  try {
    return look(file, template, isLogDamaged);
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason === 'deposed') throw error;
    return 'refused';
  }
}

const SUFFIXES = [
  '',
  '-wal',
  '-shm',
  '-terms',
  '-bell',
  '-suspect',
  '-gate',
  '.damaged-1',
  '.damaged-1-wal',
  '.damaged-1-shm',
];

function look(file: string, template: Template, isLogDamaged: boolean): keyof FuzzReport {
  const clock = new StoreClock(2_000_000);
  const store = new SqliteStore(file, { clock });
  try {
    const { movedAside } = store;
    const shown = shownBy(store);
    const kind = movedAside === undefined ? compare(shown, template, isLogDamaged) : 'movedAside';
    goOn(store, template);
    return kind;
  } finally {
    store.close();
  }
}

function compare(shown: Shown, template: Template, isLogDamaged: boolean): keyof FuzzReport {
  const expected = template.shown;
  if (isDeepStrictEqual(shown, expected)) return 'sound';
  const { entries } = shown;
  const isPrefix = isDeepStrictEqual(entries, expected.entries.slice(0, entries.length));
  if (isLogDamaged && (isPrefix || entries.length < expected.entries.length)) return 'shortened';
  throw new Error(`it shows ${JSON.stringify(shown)}`);
}

/** Whatever it holds by now, it can be worked with, and nobody is given a term a second time. */
function goOn(store: Store, { term, tenure }: Template): void {
  const begun = store.beginTenure();
  const run = manifest(9);
  store.record([{ kind: 'runSubmitted', at: instant(1), manifest: run }]);
  const [claimed] = store.commit(1, [claimOf({ task: taskId('a'), run: run.id })]);
  const event = claimed?.entry.event;
  const isClaim = event?.kind === 'taskMoved' && event.event.kind === 'taskClaimed';
  const minted = isClaim && event.event.kind === 'taskClaimed' ? event.event.term : 0;
  if (begun <= tenure || minted <= term)
    throw new Error(`tenure ${begun} after ${tenure}, term ${minted} after ${term}`);
}

function damage(file: string, random: Random): void {
  const bytes = readFileSync(file);
  const kind = random.below(20);
  if (kind === 0) return truncateSync(file, random.below(bytes.length));
  if (kind === 1) return writeFileSync(file, '');
  if (kind === 2) return writeFileSync(file, 'this was never a database'.repeat(random.below(99)));
  if (kind === 3) bytes.fill(0, random.below(bytes.length), random.below(bytes.length));
  else if (kind === 4) copyPage(bytes, random);
  else for (let left = random.between(1, 3); left > 0; left -= 1) flip(bytes, random);
  writeFileSync(file, bytes);
}

function flip(bytes: Buffer, random: Random): void {
  const place = random.below(bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
}

/** As when a disk has written the right bytes to the wrong place. */
function copyPage(bytes: Buffer, random: Random): void {
  const pages = Math.floor(bytes.length / PAGE_BYTES);
  if (pages === 0) return;
  const [from, to] = [random.below(pages) * PAGE_BYTES, random.below(pages) * PAGE_BYTES];
  bytes.copy(bytes, to, from, from + PAGE_BYTES);
}

const PAGE_BYTES = 4096;
