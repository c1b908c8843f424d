import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import type { BoardWorld } from './board/ports.ts';
import { Keeper, type KeeperOptions } from './keeper/keeper.ts';
import { SocketLinks } from './keeper/socket-links.ts';
import { processRunner } from './runners/process-runner.ts';
import { readLog } from './runners/read-log.ts';
import { ReopeningStore } from './store/reopening-store.ts';
import { SqliteLock } from './store/sqlite-lock.ts';
import { SqliteStore } from './store/sqlite-store.ts';
import { SystemAlarm } from './system/alarm.ts';
import { BoardDirectory, folderInTree } from './system/board-directory.ts';
import { callersOf } from './system/callers.ts';
import { SystemClock } from './system/clock.ts';
import { GitIgnored } from './system/git-ignored.ts';
import { userNameOf } from './system/user-name.ts';
import { rulesOfFolder } from './system/file-names.ts';
import { usingFolder } from './system/folder-use.ts';
import { DiskPlanFiles } from './system/plan-files.ts';
import { RandomIds } from './system/random-ids.ts';
import { realInTree } from './system/real-in-tree.ts';
import { DiskSharedFiles } from './system/shared-files.ts';
import { stateHome } from './system/state-home.ts';
import { SystemTreeWatch } from './system/tree-watch.ts';

/** This machine. `name` is how the process presents itself to others who want the board. */
export function realWorld(name: string, env: NodeJS.ProcessEnv): BoardWorld {
  const shared = new DiskSharedFiles();
  const isOurs = shared.hasWritten.bind(shared);
  return {
    files: new DiskPlanFiles(env),
    shared,
    rulesOf: (folder) => rulesOfFolder(folder),
    realInTree,
    ids: new RandomIds(),
    defaultParallel: os.availableParallelism(),
    ...THIS_MACHINE,
    isIgnored: isIgnoredBy(new GitIgnored(env)),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    open(root, options) {
      const directory = new BoardDirectory(root, env);
      directory.create();
      const clock = new SystemClock();
      const store = storeIn(directory, clock, options);
      const links = new SocketLinks({
        directory: directory.path,
        role: 'window',
        name,
        build: __INTERLOCK_VERSION__,
        events: (after, limit, length) => store.events(after, limit, length),
        onFault: (error) => options.listener.faulted(error),
      });
      const [{ alarm }, { mark }] = [THIS_MACHINE, directory];
      const lock = new SqliteLock(directory.path, name);
      const keeper = new Keeper(
        {
          clock,
          alarm,
          store,
          lock,
          links,
          newRunner: (onEnd) =>
            usingFolder(directory.commandsFolder, () =>
              processRunner({
                onEnd,
                logFile: ({ run, definition: { id: task }, revision, attempt }) =>
                  directory.logFile({ run, task, revision, attempt }),
                logFolder: (run) => directory.runFolder(run),
                commandsFolder: directory.commandsFolder,
                parentEnv: env,
              }),
            ),
          watch: new SystemTreeWatch({ clock, env, ownFolder: stateHome(env), isOurs }),
          machine: { cpu: os.availableParallelism(), memory: os.totalmem() },
        },
        { ...options, rules: rulesOfFolder(root), name },
      );
      const logFile = directory.logFile.bind(directory);
      const decider = (): string | undefined => holderOf(lock);
      const { movedAside } = store;
      const notice = movedAside === undefined ? undefined : movedAsideNotice(movedAside);
      const neighbours = (): string | undefined => directory.neighbours;
      return { keeper, store, clock, alarm, mark, notice, neighbours, logFile, readLog, decider };
    },
  };
}

/** A mark for each process that started this one, the nearest first. */
export function callersOfThisProcess(): readonly string[] {
  return callersOf(process.ppid);
}

const THIS_MACHINE = {
  alarm: new SystemAlarm(),
  realFolder,
  folderInTree,
  userName: userNameOf(),
};
function storeIn(
  { databaseFile: file }: BoardDirectory,
  clock: SystemClock,
  { listener }: Pick<KeeperOptions, 'listener'>,
): ReopeningStore {
  return new ReopeningStore({
    file,
    open: () => new SqliteStore(file, { clock }),
    onMovedAside: (aside) => listener.noticed(movedAsideNotice(aside)),
  });
}

function isIgnoredBy(git: GitIgnored): BoardWorld['isIgnored'] {
  return async (file) => await git.has(file);
}

/** Only who gets the lock knows that nobody has it; it is let go of at once. */
function holderOf(lock: SqliteLock): string | undefined {
  const result = lock.acquire();
  if (result.kind === 'held') return result.holder;
  result.lock[Symbol.dispose]();
  return undefined;
}

function movedAsideNotice(movedAside: string): string {
  return `The record of earlier runs was damaged. It is kept as ${movedAside}, and a new one begins.`;
}

function realFolder(folder: string): string | undefined {
  try {
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
