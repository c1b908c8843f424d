import { expect, test } from 'vitest';
import type { BoardWorld } from '../../../server/board/ports.ts';
import { EXIT } from '../../../server/cli/exit-code.ts';
import { run } from '../../../server/cli/run.ts';
import { Engine } from '../../../server/engine/engine.ts';
import { instant } from '../../../server/domain/time.ts';
import { HandRunner, SharedLock } from '../../support/engine-world.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { definition, manifest, runId, taskId } from '../../support/runs.ts';

const PLAN = 'tasks:\n  a:\n    run: "true"\n';

/** A machine with one plan, on which every version of it has the same hash. */
function worldWith(store: MemoryStore): BoardWorld {
  const rules = { foldCase: false };
  return {
    files: { list: () => ['interlock.yaml'], read: () => PLAN },
    rules,
    defaultParallel: 1,
    hash: () => 'hash',
    every: () => ({ [Symbol.dispose]: () => {} }),
    realFolder: (folder) => folder,
    open(_, { isTrusted, listener }) {
      const clock = { now: () => instant(1000) };
      const ids = { runId: () => runId(2) };
      const ports = { clock, ids, store, lock: new SharedLock(), runner: new HandRunner() };
      const engine = new Engine({ ...ports, listener }, { rules, isTrusted });
      return { engine, store, notice: undefined, logFile: () => 'log' };
    },
  };
}

test('a run that is left with tasks which can never start says so, with a code of its own', async () => {
  const store = new MemoryStore();
  store.submit(manifest(1, { tasks: [definition('a', { dependsOn: [taskId('nobody')] })] }), []);
  store.interrupt(runId(1), instant(2));
  const said: string[] = [];
  const code = await run(
    { words: [], options: {}, folder: '/project', isJson: false },
    {
      world: () => worldWith(store),
      env: {},
      cwd: '/project',
      out: () => {},
      err: (text) => said.push(text),
      onInterrupt: () => {},
    },
  );
  expect(code).toBe(EXIT.deadlocked);
  expect(said).toEqual(['Some tasks can never start. `interlock status` names them.\n']);
});
