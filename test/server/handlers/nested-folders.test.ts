import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PLAN = 'tasks:\n  a:\n    run: while [ ! -e go ]; do sleep 0.01; done\n';

/** Two folders, one inside the other, and a window on each. */
class Nested {
  readonly outer = path.join(temporaryFolder(), 'a');
  readonly inner = path.join(this.outer, 'b');
  readonly windows: readonly [LanguageClient, LanguageClient];

  constructor() {
    mkdirSync(this.inner, { recursive: true });
    const env = { ...process.env, INTERLOCK_STATE_DIR: temporaryFolder() };
    for (const folder of [this.outer, this.inner])
      writeFileSync(path.join(folder, 'interlock.yaml'), PLAN);
    this.windows = [clientInMemory(realWorld('one', env)), clientInMemory(realWorld('two', env))];
  }

  async start(): Promise<void> {
    await this.windows[0].start(this.outer);
    await this.windows[1].start(this.inner);
  }

  end(): void {
    for (const folder of [this.outer, this.inner]) writeFileSync(path.join(folder, 'go'), '');
  }
}

test('the window on a folder inside another one with a board in use says so', async () => {
  const nested = new Nested();
  await nested.start();
  const [, second] = nested.windows;
  await second.until(() => second.errors.length > 0);
  expect(second.errors).toEqual([
    expect.stringContaining(`${nested.inner} lies inside ${nested.outer}, and each has a board`),
  ]);
});

test('in one repository, whoever runs tasks in a folder inside another one where tasks run is told', async () => {
  const nested = new Nested();
  mkdirSync(path.join(nested.outer, '.git'));
  await nested.start();
  const [first, second] = nested.windows;
  expect(await first.run(nested.outer)).toMatchObject({ kind: 'accepted' });
  await first.until(() => first.states === 'a running');
  expect(first.errors).toEqual([]);
  expect(await second.run(nested.inner)).toMatchObject({ kind: 'accepted' });
  await second.until(() => second.errors.length > 0);
  expect(second.errors).toEqual([
    expect.stringContaining(`${nested.inner} lies inside ${nested.outer}, and tasks run in both`),
  ]);
  nested.end();
  await second.until(() => second.finishedRuns.length > 0);
});
