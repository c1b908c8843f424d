import os from 'node:os';
import type { BoardWorld } from '../../server/board/ports.ts';
import type { BoardCalls } from '../../server/engine/board-calls.ts';
import { lateNews } from '../../server/engine/late-news.ts';
import type { BoardLock, Runner, RunnerNews } from '../../server/engine/ports.ts';
import type { Store } from '../../server/engine/store-port.ts';
import { Keeper } from '../../server/keeper/keeper.ts';
import type { Links, LinkServer } from '../../server/keeper/links.ts';
import { SocketLinks } from '../../server/keeper/socket-links.ts';
import { processRunner } from '../../server/runners/process-runner.ts';
import { GrowingLog, readLog } from '../../server/runners/growing-log.ts';
import { ReopeningStore } from '../../server/store/reopening-store.ts';
import { SqliteLock } from '../../server/store/sqlite-lock.ts';
import { SqliteStore } from '../../server/store/sqlite-store.ts';
import { SystemAlarm } from '../../server/system/alarm.ts';
import { KeyedProofs } from '../../server/system/attempt-proofs.ts';
import { BoardDirectory } from '../../server/system/board-directory.ts';
import { SystemClock } from '../../server/system/clock.ts';
import { realWorld } from '../../server/world.ts';
import { digestOf } from './ledger-digest.ts';
import { type Journal, type Probe, probed } from './probe.ts';

interface Watch {
  readonly probe: Probe;
  readonly journal: Journal;
}

/** This machine, with a point before and after everything that the engine does to it. */
export function probedWorld(name: string, env: NodeJS.ProcessEnv, watch: Watch): BoardWorld {
  return {
    ...realWorld(name, env),
    open(root, options) {
      const directory = new BoardDirectory(root, env);
      directory.create();
      const clock = new SystemClock();
      const file = (): string => directory.databaseFile;
      const lock = new SqliteLock(directory.path, name);
      const opened = new ReopeningStore({
        file,
        open: () => new SqliteStore(file(), { clock }),
        holdsLock: () => lock.isHeld,
        onMovedAside: (aside) => options.listener.noticed(`moved aside: ${aside}`),
      });
      const store = probedStore(opened, watch);
      const links = new SocketLinks({
        directory: directory.path,
        role: 'window',
        name,
        build: __INTERLOCK_VERSION__,
        events: (after, limit, length) => store.events(after, limit, length),
        onFault: (error) => options.listener.faulted(error),
      });
      const proofs = new KeyedProofs(directory.keyFile);
      const [alarm, { mark }] = [new SystemAlarm(), directory];
      const logFile = directory.logFile.bind(directory);
      const newRunner = (news: RunnerNews): Runner =>
        probedRunner(
          (told) =>
            processRunner({
              news: told,
              logFolder: (run) => directory.runFolder(run),
              logFile: ({ run, definition: { id: task }, revision, attempt }) =>
                logFile({ run, task, revision, attempt }),
              commandsFolder: directory.commandsFolder,
              parentEnv: env,
              proofOf: (launch) => proofs.of({ ...launch, task: launch.definition.id }),
            }),
          news,
          watch,
        );
      const keeper = new Keeper(
        {
          clock,
          alarm,
          store,
          lock: probedLock(lock, watch),
          links: probedLinks(links, watch),
          newRunner,
          machine: { cpu: os.availableParallelism(), memory: os.totalmem() },
          proofs,
        },
        { ...options, rules: { foldCase: false }, name },
      );
      const told = { notice: undefined, neighbours: nobody, decider: nobody };
      const loggedAttempts = directory.loggedAttempts.bind(directory);
      const logs = { logFile, loggedAttempts, readLog, openLog };
      return { keeper, store, clock, alarm, mark, proofs, ...told, ...logs };
    },
  };
}

function openLog(file: string, onGrown: () => void): GrowingLog {
  return new GrowingLog(file, onGrown);
}

/** Who decides is not asked here. */
function nobody(): undefined {}

const WRITES = ['beginTenure', 'commit', 'claim', 'renew', 'settle', 'record', 'rebase'] as const;

/** `together`: before it begins, inside when all is written, and when it is on the disk. */
function probedStore(store: Store, { probe, journal }: Watch): Store {
  let hasBegun = false;
  const own = probed(store, { name: 'store', methods: WRITES, probe });
  return new Proxy(own, {
    get(target, key) {
      if (key !== 'together') return Reflect.get(target, key, target);
      return <T>(write: () => T): T => {
        probe.pass('store.together.before');
        const result = store.together(() => {
          const written = write();
          probe.pass('store.together.inside');
          return written;
        });
        if (!hasBegun) journal.write('began', process.pid, Date.now());
        hasBegun = true;
        probe.pass('store.together.after');
        return result;
      };
    },
  });
}

function probedRunner(
  make: (news: RunnerNews) => Runner,
  news: RunnerNews,
  { probe }: Watch,
): Runner {
  const runner = make({
    ...lateNews(() => news),
    ended: (term, end) => {
      probe.pass('runner.end.before');
      news.ended(term, end);
      probe.pass('runner.end.after');
    },
  });
  const methods = ['start', 'adopt', 'signal', 'sweep'] as const;
  return probed(runner, { name: 'runner', methods, probe });
}

function probedLock(lock: BoardLock, { probe }: Watch): BoardLock {
  return {
    acquire: () => {
      const result = lock.acquire();
      if (result.kind === 'acquired') probe.pass('lock.acquire.after');
      return result;
    },
    look: () => lock.look(),
    takeOver: (silent) => {
      const result = lock.takeOver(silent);
      if (result.kind === 'acquired') probe.pass('lock.takeOver.after');
      return result;
    },
  };
}

const CALLS = [
  'submit',
  'control',
  'claim',
  'say',
  'own',
  'hook',
  'free',
  'greet',
  'leave',
  'told',
] as const;

function probedLinks(links: Links, { probe, journal }: Watch): Links {
  const serve = (onYield: () => void): LinkServer => {
    const server = probed(links.server(onYield), {
      name: 'links',
      methods: ['wake', 'close'],
      probe,
    });
    return {
      open: async (calls, revision) => {
        probe.pass('links.open.before');
        const asked: BoardCalls = probed(calls, { name: 'request', methods: CALLS, probe });
        await server.open(asked, revision);
        probe.pass('links.open.after');
      },
      tell: (entries) => {
        probe.pass('links.tell.before');
        const [first, last] = [entries[0]?.sequence, entries.at(-1)?.sequence];
        if (first !== undefined && last !== undefined)
          journal.write('told', process.pid, first, last, digestOf(entries));
        server.tell(entries);
        probe.pass('links.tell.after');
      },
      wake: (worker, task) => server.wake(worker, task),
      halt: (sentence) => server.halt(sentence),
      restore: async () => server.restore(),
      close: async () => server.close(),
    };
  };
  return {
    present: links.present,
    server: serve,
    connect: async (listener, after) => links.connect(listener, after),
    cutOff: () => links.cutOff(),
  };
}
