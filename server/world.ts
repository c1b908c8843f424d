import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import type { BoardWorld } from './board/ports.ts';
import { Engine } from './engine/engine.ts';
import { ProcessRunner } from './runners/process-runner.ts';
import { SqliteLock } from './store/sqlite-lock.ts';
import { SqliteStore } from './store/sqlite-store.ts';
import { BoardDirectory } from './system/board-directory.ts';
import { every, SystemClock } from './system/clock.ts';
import { DiskPlanFiles } from './system/plan-files.ts';
import { RandomIds } from './system/random-ids.ts';

/** This machine. `name` is how the process presents itself to others who want the board. */
export function realWorld(name: string, env: NodeJS.ProcessEnv): BoardWorld {
  // macOS and Windows fold case on the disks they come with.
  const rules = { foldCase: process.platform === 'darwin' || process.platform === 'win32' };
  return {
    files: new DiskPlanFiles(),
    rules,
    defaultParallel: os.availableParallelism(),
    realFolder,
    every,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    open(root, { isTrusted, listener }) {
      const directory = new BoardDirectory(root, env);
      directory.create();
      const store = new SqliteStore(directory.databaseFile);
      const logFile = (attempt: { run: string; task: string; attempt: number }): string =>
        directory.logFile(attempt);
      const runner = new ProcessRunner({
        logFile: ({ run, definition, attempt }) => logFile({ run, task: definition.id, attempt }),
        parentEnv: env,
      });
      const lock = new SqliteLock(directory.path, name);
      const ports = {
        clock: new SystemClock(),
        ids: new RandomIds(),
        store,
        lock,
        runner,
        listener,
      };
      const notice =
        store.movedAside === undefined
          ? undefined
          : `The record of earlier runs was damaged. It is kept as ${store.movedAside}, and a new one begins.`;
      return { engine: new Engine(ports, { rules, isTrusted }), store, notice, logFile };
    },
  };
}

function realFolder(folder: string): string | undefined {
  try {
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
