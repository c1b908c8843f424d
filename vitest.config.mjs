import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { CountsReporter } from './test/support/counts-reporter.ts';
import { extensionHostPool } from './test/editor/host/pool.ts';

const inRoot = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const SECOND = 1000;

/** Real files, processes and sockets, what holds for anything, and what is large: too long for each change. */
const THOROUGH = [
  'test/server/{coordinator,keeper,runners,store,system}/**/*.test.ts',
  'test/server/handlers/ownership/**/*.test.ts',
  'test/server/remote/ssh/real/**/*.test.ts',
  'test/server/remote/sync/**/*.test.ts',
  'test/server/remote/machine-runner.test.ts',
  'test/server/**/*-properties.test.ts',
  'test/server/board/tables-play.test.ts',
  'test/server/domain/paths/overlap-oracle.test.ts',
  'test/server/language/format/format.test.ts',
  'test/server/plans/{hostile,large}-plans.test.ts',
  'test/server/plans/vscode-tasks/hostile.test.ts',
  'test/server/scheduler/board-facts-in-play.test.ts',
  'test/server/scheduler/files-past-the-budget.test.ts',
];

/** After those that may run at the same time, and each file when the one before it has ended. */
const ONE_BY_ONE = { fileParallelism: false, maxWorkers: 1, sequence: { groupOrder: 1 } };

export default defineConfig({
  define: { __INTERLOCK_VERSION__: '"0.0.0-test"' },
  test: {
    reporters: ['default', new CountsReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{client,picture,scripts,server,grammar,tidy}/**/*.test.ts'],
          exclude: THOROUGH,
          // To load all modules for each file anew takes as long as the tests: no file leaves a trace.
          isolate: false,
          // Nobody measures here: a machine may be as busy as it likes.
          testTimeout: 60 * SECOND,
        },
      },
      {
        extends: true,
        test: { name: 'thorough', include: THOROUGH, testTimeout: 60 * SECOND },
      },
      {
        extends: true,
        test: {
          name: 'sim',
          include: ['test/sim/**/*.test.ts'],
          testTimeout: 180 * SECOND,
        },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          include: ['test/crash/**/*.test.ts'],
          testTimeout: 300 * SECOND,
          ...ONE_BY_ONE,
        },
      },
      {
        extends: true,
        test: {
          name: 'machines',
          include: ['test/machines/**/*.test.ts'],
          testTimeout: 120 * SECOND,
          hookTimeout: 60 * SECOND,
          ...ONE_BY_ONE,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60 * SECOND,
          hookTimeout: 60 * SECOND,
        },
      },
      {
        extends: true,
        resolve: { alias: { vscode: inRoot('test/editor/host/vscode.cjs') } },
        test: {
          name: 'editor',
          include: ['test/editor/**/*.test.ts'],
          pool: extensionHostPool(inRoot('test/fixtures/plan')),
          isolate: false,
          ...ONE_BY_ONE,
          testTimeout: 20 * SECOND,
        },
      },
      {
        extends: true,
        test: {
          name: 'workbench',
          include: ['test/workbench/**/*.test.ts'],
          testTimeout: 120 * SECOND,
          hookTimeout: 120 * SECOND,
          // What is on the screen changes row by row: a test waits for all that it expects.
          expect: { poll: { timeout: 30 * SECOND } },
          ...ONE_BY_ONE,
        },
      },
    ],
  },
});
