import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { refuseRuntime } from '../protocol/runtime.ts';
import type { BoardWorld, OpenBoard } from './board/ports.ts';
import type { Attachment, Machines } from './board/session-ports.ts';
import { connectBoard } from './coordinator/board-connection.ts';
import type { PeerGroup } from './coordinator/hello.ts';
import type { DeciderFacts, MachineFacts } from './doctor/ports.ts';
import { Keeper, type KeeperOptions } from './keeper/keeper.ts';
import { SocketLinks } from './keeper/socket-links.ts';
import type { RunId } from './domain/ids.ts';
import type { AttachedCommand, AttemptProofs, Launch, Runner, RunnerNews } from './engine/ports.ts';
import { type RunnerParts, UserMachines } from './remote/user-machines.ts';
import { startAttached } from './runners/attached-command.ts';
import { processRunner } from './runners/process-runner.ts';
import { GrowingLog, readLog } from './runners/growing-log.ts';
import { hasLiveCommands } from './runners/journals.ts';
import { ProcessTable } from './runners/process-identity.ts';
import { networkOf } from './store/file-system.ts';
import { ReopeningStore } from './store/reopening-store.ts';
import { SqliteLock } from './store/sqlite-lock.ts';
import { SqliteStore } from './store/sqlite-store.ts';
import { sqliteFacts, storeFacts } from './store/store-facts.ts';
import { SystemAlarm } from './system/alarm.ts';
import { StoreError } from './engine/store-error.ts';
import { KeyedProofs } from './system/attempt-proofs.ts';
import { BoardDirectory } from './system/board-directory.ts';
import { namedFolder } from './system/find-board.ts';
import { callersOf } from './system/callers.ts';
import { SystemClock } from './system/clock.ts';
import { handOver } from './system/hand-over.ts';
import { configHome } from './system/config-home.ts';
import { GitIgnored } from './system/git-ignored.ts';
import { userNameOf } from './system/user-name.ts';
import { rulesOfFolder } from './system/file-names.ts';
import { usingFolder } from './system/folder-use.ts';
import { HostBook } from './system/host-book.ts';
import {
  askProgram,
  clockFacts,
  configText,
  converse,
  stateFacts,
  watchFacts,
} from './system/machine-facts.ts';
import { DiskPlanFiles } from './system/plan-files.ts';
import { RandomIds } from './system/random-ids.ts';
import { realInTree } from './system/real-in-tree.ts';
import { DiskSharedFiles } from './system/shared-files.ts';
import { AgentEnds, agentProcess } from './system/starter.ts';
import { stateHome } from './system/state-home.ts';
import { ExclusiveTreeLock } from './system/exclusive-tree-lock.ts';
import { SystemTreeWatch } from './system/tree-watch.ts';
import { SuspendSignal } from './system/suspend-signal.ts';
import { folderInTree, foldersUpFrom } from './system/working-tree.ts';

/** This machine. `name` is how the process presents itself to others who want the board. */
export function realWorld(name: string, env: NodeJS.ProcessEnv, group?: PeerGroup): BoardWorld {
  const shared = new DiskSharedFiles();
  const suspendSignal = new SuspendSignal();
  const isOurs = shared.hasWritten.bind(shared);
  // Asked at once: later another process may be its parent.
  const agent = group === 'agent' ? agentProcess(process.ppid) : undefined;
  const hosts = new HostBook({ config: configHome(env), state: stateHome(env) });
  const timeOfDay = (): number => shared.timeOfDay();
  const machines = new UserMachines({ env, stateFolder: stateHome(env), known: hosts, timeOfDay });
  return {
    files: new DiskPlanFiles(env),
    shared,
    rulesOf: (folder) => rulesOfFolder(folder),
    realInTree,
    ids: new RandomIds(),
    hosts,
    defaultParallel: os.availableParallelism(),
    ...THIS_MACHINE,
    realFolder: (folder) => namedFolder(folder, env),
    ...placesIn(env, machines),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    facts: (root) => factsOf(root, env),
    open(root, options) {
      const directory = new BoardDirectory(root, env);
      directory.create();
      followMovedFolder(directory, name);
      const clock = new SystemClock();
      const own = new SqliteLock(directory.path, name);
      const { listener } = options;
      const store = storeIn(directory, own, { clock, listener });
      const links = new SocketLinks({
        directory: directory.path,
        role: 'window',
        group,
        ...(group === 'agent' && { agent }),
        ends: new AgentEnds(THIS_MACHINE.alarm),
        name,
        build: __INTERLOCK_VERSION__,
        ...(options.rank !== undefined && { rank: options.rank }),
        events: (after, limit, length) => store.events(after, limit, length),
        onFault: (error) => options.listener.faulted(error),
      });
      const [{ alarm }, { mark }] = [THIS_MACHINE, directory];
      const proofs = new KeyedProofs(directory.keyFile);
      const lock = new ExclusiveTreeLock(own, () => directory.conflict(isInUse));
      const noticed = (sentence: string): void => listener.noticed(sentence);
      const faulted = (error: unknown): void => listener.faulted(error);
      const keeper = new Keeper(
        {
          clock,
          alarm,
          store,
          lock,
          links,
          beforeSuspend: suspendSignal.before.bind(suspendSignal),
          newRunner: (news, mayAct) =>
            runnerOf(directory, machines, { news, mayAct, env, proofs, noticed, faulted }),
          watch: new SystemTreeWatch({ clock, env, ownFolder: stateHome(env), isOurs }),
          machine: { cpu: os.availableParallelism(), memory: os.totalmem() },
          proofs,
        },
        { ...options, rules: rulesOfFolder(root), name },
      );
      const decider = (): string | undefined => holderOf(own);
      const notice = store.movedAside && movedAsideNotice(store.movedAside);
      const neighbours = (): string | undefined => directory.neighbours(isInUse);
      const logs = logsIn(directory);
      return { keeper, store, clock, alarm, mark, proofs, notice, neighbours, ...logs, decider };
    },
  };
}

/** Runs the commands of a board, wherever they are to run. */
function runnerOf(
  directory: BoardDirectory,
  machines: UserMachines,
  parts: Pick<RunnerParts, 'news' | 'mayAct' | 'noticed' | 'faulted'> & {
    readonly env: NodeJS.ProcessEnv;
    readonly proofs: AttemptProofs;
  },
): Runner {
  const { news, mayAct, noticed, faulted, proofs, env: parentEnv } = parts;
  const { commandsFolder, machineName: name, repository: repo, path: folder } = directory;
  const logFile = ({ run, definition: { id: task }, revision, attempt }: Launch): string =>
    directory.logFile({ run, task, revision, attempt });
  const proofOf = (launch: Launch): string => proofs.of({ ...launch, task: launch.definition.id });
  const logFolder = (run: RunId): string => directory.runFolder(run);
  const newProcesses = (own: RunnerNews): Runner =>
    processRunner({ news: own, logFile, logFolder, commandsFolder, parentEnv, proofOf });
  return usingFolder(commandsFolder, () =>
    machines.runner(
      { name, repo, folder },
      { news, newProcesses, logFile, proofOf, mayAct, noticed, faulted },
    ),
  );
}

/** Runs commands in the terminal of this process. */
export function attachedCommands(
  env: NodeJS.ProcessEnv,
): (launch: Launch, proof: string) => AttachedCommand {
  return (launch, proof) => startAttached(launch, { parentEnv: env, proof });
}

/** Gives the terminal of this process to a program, and outlives what is typed there. */
export function handOverTerminal(env: NodeJS.ProcessEnv): (program: Attachment) => Promise<number> {
  return async (program) => await handOver(program, env);
}

/** A mark for each process that started this one, the nearest first. */
export function callersOfThisProcess(): readonly string[] {
  return callersOf(process.ppid);
}

const THIS_MACHINE = {
  alarm: new SystemAlarm(),
  folderInTree,
  foldersUpFrom,
  userName: userNameOf(),
};

function logsIn(
  directory: BoardDirectory,
): Pick<OpenBoard, 'logFile' | 'loggedAttempts' | 'readLog' | 'openLog'> {
  return {
    logFile: (attempt) => directory.logFile(attempt),
    loggedAttempts: (run, task) => directory.loggedAttempts(run, task),
    readLog,
    openLog,
  };
}

function openLog(file: string, onGrown: () => void): GrowingLog {
  return new GrowingLog(file, onGrown);
}

function machinesOf(root: string, env: NodeJS.ProcessEnv, machines: UserMachines): Machines {
  const directory = new BoardDirectory(root, env);
  const boardName = (): string => directory.machineName;
  return machines.of({ boardName, repo: directory.repository, root });
}

/** Nothing of it makes a folder or a file. */
function factsOf(root: string | undefined, env: NodeJS.ProcessEnv): MachineFacts {
  const directory = root === undefined ? undefined : new BoardDirectory(root, env);
  const asked = root ?? os.homedir();
  const folder = directory?.path ?? stateHome(env);
  const file = directory?.databaseFile ?? path.join(folder, 'board.db');
  return {
    runtime: () => ({
      build: __INTERLOCK_VERSION__,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      refusal: refuseRuntime(process.versions),
    }),
    sqlite: sqliteFacts,
    state: () => stateFacts(folder, networkOf),
    store: () => storeFacts(file),
    decider: async () => await deciderFacts(folder),
    program: askProgram(asked, env),
    converse: converse(asked, env),
    configText: configText(asked, os.homedir()),
    environment: (name) => env[name],
    folder: asked,
    watches: watchFacts,
    clock: () => clockFacts(file),
  };
}

async function deciderFacts(directory: string): Promise<DeciderFacts> {
  const name = looker();
  // Where no lock is, nobody has it; and whoever looks for it makes one.
  const hasLock = existsSync(path.join(directory, 'lock.db'));
  const holder = hasLock ? holderOf(new SqliteLock(directory, name)) : undefined;
  if (holder === undefined) return { holder, answer: { kind: 'absent' } };
  const result = await connectBoard({
    directory,
    name,
    role: 'observer',
    build: __INTERLOCK_VERSION__,
    timeoutMs: DECIDER_MS,
    onNotification: () => {},
    onClosed: () => {},
  });
  if (result.kind !== 'connected') return { holder, answer: result };
  const { build, protocol } = result.connection;
  result.connection.close();
  return { holder, answer: { kind: 'connected', build, protocol } };
}

const DECIDER_MS = 3000;

function storeIn(
  directory: BoardDirectory,
  lock: SqliteLock,
  { clock, listener }: { readonly clock: SystemClock } & Pick<KeeperOptions, 'listener'>,
): ReopeningStore {
  const file = (): string => directory.databaseFile;
  return new ReopeningStore({
    file,
    open: () => new SqliteStore(file(), { clock }),
    holdsLock: () => lock.isHeld,
    onMovedAside: (aside) => listener.noticed(movedAsideNotice(aside)),
  });
}

function placesIn(
  env: NodeJS.ProcessEnv,
  machines: UserMachines,
): Pick<BoardWorld, 'isIgnored' | 'machines' | 'stateFolder'> {
  const git = new GitIgnored(env);
  const boards = new Map<string, Machines>();
  return {
    isIgnored: async (file) => await git.has(file),
    machines: (asked = os.homedir()) => {
      // A folder may go from the disk while its board is open: then it has what belongs to none.
      const root = boards.has(asked) || existsSync(asked) ? asked : os.homedir();
      const known = boards.get(root) ?? machinesOf(root, env, machines);
      boards.set(root, known);
      return known;
    },
    stateFolder: (root) => {
      const directory = new BoardDirectory(root, env);
      return { path: directory.path, isThere: existsSync(directory.path) };
    },
  };
}

/**
 * A folder was renamed or moved since its board was last used. What the board knows of its tasks is about
 * the folder where it is now, unless a process still decides that knows the old path only.
 */
function followMovedFolder(directory: BoardDirectory, name: string): void {
  const from = directory.movedFrom;
  if (from === undefined) return;
  const result = new SqliteLock(directory.path, name).acquire();
  if (result.kind === 'held')
    throw new StoreError(
      'world',
      `The folder ${directory.tree} was ${from} when Interlock opened it, and "${result.holder}" still works there. ` +
        'End that program, or give the folder its old name.',
    );
  using _ = result.lock;
  const store = new SqliteStore(directory.databaseFile, { clock: new SystemClock() });
  try {
    store.relocate({ from, to: directory.tree });
    directory.moved();
  } finally {
    store.close();
  }
}

/** How a process presents itself that takes a lock only to see whether it is free. */
function looker(): string {
  return `Interlock, which looks at it (process ${process.pid})`;
}

/** Whether a process decides for the board in a directory now, or commands of it still run. */
function isInUse(directory: string): boolean {
  // Where no lock is, nobody has it; and whoever looks for it makes one.
  if (!existsSync(path.join(directory, 'lock.db'))) return false;
  if (holderOf(new SqliteLock(directory, looker())) !== undefined) return true;
  const processes = new ProcessTable();
  return hasLiveCommands(path.join(directory, 'commands'), (each) => processes.isAlive(each));
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
