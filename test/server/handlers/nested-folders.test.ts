import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Both write the same file, each as it is called from its own folder. */
const PLANS = { outer: 'b/x', inner: 'x' } as const;
const SCRIPT = 'while [ ! -e go ]; do sleep 0.01; done';

/** Two folders, one inside the other, and a window on each. */
class Nested {
  readonly outer = path.join(temporaryFolder(), 'a');
  readonly inner = path.join(this.outer, 'b');
  readonly windows: readonly [LanguageClient, LanguageClient];

  constructor() {
    mkdirSync(this.inner, { recursive: true });
    const env = { ...process.env, INTERLOCK_STATE_DIR: temporaryFolder() };
    for (const which of ['outer', 'inner'] as const) {
      const plan = `tasks:\n  a:\n    run: ${SCRIPT}\n    writes: [${PLANS[which]}]\n`;
      writeFileSync(path.join(this[which], 'interlock.yaml'), plan);
    }
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

test('of two windows whose folders lie inside each other one runs tasks, and the other one says why not', async () => {
  const nested = new Nested();
  await nested.start();
  const [first, second] = nested.windows;
  expect(await first.run(nested.outer)).toMatchObject({ kind: 'accepted' });
  await first.until(() => first.states === 'a running');
  await second.until(() => second.errors.length > 0);
  const said = `Nothing runs in ${nested.inner}, because another board of Interlock is in use for ${nested.outer}`;
  expect(second.errors).toEqual([expect.stringContaining(said)]);
  const refused = { kind: 'refused', message: expect.stringContaining(said) };
  expect(await second.run(nested.inner)).toMatchObject(refused);
  nested.end();
  await first.until(() => first.finishedRuns.length > 0);
  expect(first.errors).toEqual([]);
});

test('in one repository, what a plan in a folder inside another one writes is waited for', async () => {
  const nested = new Nested();
  mkdirSync(path.join(nested.outer, '.git'));
  await nested.start();
  const [first, second] = nested.windows;
  expect(await first.run(nested.outer)).toMatchObject({ kind: 'accepted' });
  await first.until(() => first.states === 'a running');
  expect(await second.run(nested.inner)).toMatchObject({ kind: 'accepted' });
  await second.until(() => second.states === 'a waiting');
  expect([...first.errors, ...second.errors]).toEqual([]);
  writeFileSync(path.join(nested.outer, 'go'), '');
  await second.until(() => second.states === 'a running');
  nested.end();
  await second.until(() => second.finishedRuns.length > 0);
});
