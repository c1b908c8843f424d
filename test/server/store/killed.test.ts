import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { holderOf } from '../../../server/domain/task.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { folded, kept } from '../../support/contracts/board-on-trial.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../support/store-writer.mjs', import.meta.url));
const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const COMMITS = [1, 7, 40, 2, 100];

/** A process that writes until it has said so many times what it wrote, and is killed then. */
async function killedAfter(file: string, commits: number): Promise<number> {
  const child = spawn(process.execPath, [QUIET, SCRIPT, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const isGone = once(child, 'exit');
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
    if (said.split('\n').length > commits) child.kill('SIGKILL');
  });
  await isGone;
  // What it was about to say is no number yet.
  return Number(said.split('\n').at(-2));
}

test('whoever opens a board in the middle of the work of another finds it sound', async () => {
  const file = path.join(temporaryFolder(), 'board.db');
  const child = spawn(process.execPath, [QUIET, SCRIPT, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let last = 0;
  for await (const _ of child.stdout) {
    const store = new SqliteStore(file, { clock: new StoreClock() });
    expect(store.movedAside).toBeUndefined();
    expect(store.lastSequence()).toBeGreaterThanOrEqual(last);
    last = store.lastSequence();
    store.close();
  }
  expect(last).toBeGreaterThan(1000);
}, 60_000);

test('whatever was said to be written is there after the process was killed', async () => {
  const file = path.join(temporaryFolder(), 'board.db');
  for (const commits of COMMITS) {
    const written = await killedAfter(file, commits);
    const store = new SqliteStore(file, { clock: new StoreClock() });
    const { entries, revision } = store.snapshot();
    expect(store.movedAside).toBeUndefined();
    expect(revision).toBeGreaterThanOrEqual(written);
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
    expect(folded(entries)).toEqual(kept(store));
    // A claim and its end were written together.
    for (const { manifest } of store.runs(9))
      for (const state of store.statesOf(manifest.id).values())
        expect(holderOf(state)).toBeUndefined();
    const terms = entries.flatMap(({ event }) =>
      event.kind === 'taskMoved' && event.event.kind === 'taskClaimed' ? [event.event.term] : [],
    );
    expect(new Set(terms).size).toBe(terms.length);
    store.close();
  }
}, 60_000);
