import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry, Store } from '../../../server/engine/store-port.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { folded, kept } from '../../support/contracts/board-on-trial.ts';
import { MemoryDisk, MemoryStore } from '../../support/memory-store.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { outcomeOf, type Step, steps } from '../../support/store-play.ts';

const RUNS = 150;
/** Nothing here is about what survives a loss of power, and a disk is slow. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** Two processes on one board, and everything that anybody could have read of it so far. */
class Side {
  readonly #open: () => Store;
  readonly #stores: [Store, Store];
  readonly #read: LedgerEntry[] = [];
  readonly #terms = new Map<number, string>();
  #writes: 0 | 1 = 0;

  constructor(open: () => Store) {
    this.#open = open;
    this.#stores = [open(), open()];
  }

  play(step: Step, clock: StoreClock): unknown {
    if (step.kind === 'tenure') this.#writes = step.store;
    if (step.kind === 'reopen') {
      this.#stores[step.store].close();
      this.#stores[step.store] = this.#open();
    }
    const store = this.#stores[this.#writes];
    const outcome = outcomeOf(store, step, clock.now());
    const news = store.events(this.#read.at(-1)?.sequence ?? 0, 1000);
    this.#read.push(...news);
    return this.#named({ outcome, news, last: store.lastSequence() });
  }

  /** All that can be read of it, by whoever does not write. */
  get shown(): unknown {
    const store = this.#stores[this.#writes === 0 ? 1 : 0];
    const { revision, base, entries } = store.snapshot();
    const runs = store.runs(99);
    const states = runs.map(({ manifest: { id } }) => [...store.statesOf(id)]);
    const latest = store.latestStates('/project').map((record) => JSON.stringify(record));
    const ofRuns = runs.map(({ manifest: { id } }) => store.eventsOfRun(id, 0, 999));
    latest.sort((x, y) => x.localeCompare(y));
    const named = latest.map((text): unknown => JSON.parse(text));
    return this.#named({ revision, base, entries, runs, states, named, ofRuns });
  }

  get sequences(): readonly number[] {
    return this.#read.map(({ sequence }) => sequence);
  }

  /** The unfinished runs, from the ledger and from the tables. */
  get states(): readonly [unknown, unknown] {
    return [folded(this.#read), kept(this.#stores[0])];
  }

  close(): void {
    for (const store of this.#stores) store.close();
  }

  /** Who takes over leaves out terms that may have been used; the order is what counts. */
  #named(shown: unknown): unknown {
    const text = JSON.stringify(shown, (key, value: unknown) => {
      if (key !== 'term' && key !== 'currentTerm') return value;
      if (typeof value !== 'number' || value <= 0) return value;
      const name = this.#terms.get(value) ?? `term ${this.#terms.size + 1}`;
      this.#terms.set(value, name);
      return name;
    });
    return JSON.parse(text);
  }
}

const BEGUN: readonly Step[] = [
  { kind: 'tenure', store: 0 },
  { kind: 'submit', run: 1, tasks: 3 },
  { kind: 'submit', run: 2, tasks: 2 },
];

/** The same steps come to the same, in memory and on disk. */
function playBoth(script: readonly Step[]): void {
  const folder = mkdtempSync(path.join(IN_MEMORY, 'interlock-test-'));
  const clock = new StoreClock();
  const disk = new MemoryDisk();
  const file = path.join(folder, 'board.db');
  const sides = [
    new Side(() => new MemoryStore(clock, disk)),
    new Side(() => new SqliteStore(file, { clock })),
  ] as const;
  try {
    for (const step of [...BEGUN, ...script]) {
      if (step.kind === 'sleep') clock.set(clock.now() + step.ms);
      const [inMemory, onDisk] = sides.map((side) => side.play(step, clock));
      expect(onDisk).toEqual(inMemory);
    }
    expect(sides[1].shown).toEqual(sides[0].shown);
    for (const { sequences, states } of sides) {
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      expect(states[0]).toEqual(states[1]);
    }
  } finally {
    for (const side of sides) side.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('whatever is done to a board, memory and disk agree on what comes of it', () => {
  fc.assert(fc.property(steps, playBoth), { numRuns: RUNS });
}, 120_000);
