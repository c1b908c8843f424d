import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Claims, measureClients } from './claim-clients.ts';
import { measureOurs, OUR_SYNC } from './claims-ours.ts';
import { onPath } from './on-path.ts';
import { PEERS, peersMissing } from './peer-packages.ts';
import { POSTGRES_USER, startPostgres, startRedis } from './servers.ts';

/** Something that hands out tasks, each to one client. */
export interface Engine {
  readonly name: string;
  /** What a completion has survived once it is answered: FULL a power cut, NORMAL a crash. */
  readonly sync: 'FULL' | 'NORMAL';
  /** Undefined when it can be measured, else why not. */
  readonly missing: () => string | undefined;
  readonly open: (folder: string) => Promise<OpenEngine>;
}

export interface OpenEngine {
  readonly measure: (clients: number) => Promise<Claims>;
  readonly close: () => Promise<void>;
}

export const RAW = 'raw better-sqlite3';
export const OURS = 'interlock';

export const ENGINES: readonly Engine[] = [
  inFile({ name: RAW, sync: 'FULL', program: 'claim-sqlite', tasks: 100_000 }),
  inFile({ name: RAW, sync: 'NORMAL', program: 'claim-sqlite', tasks: 250_000 }),
  inFile({ name: 'plainjob', sync: 'FULL', program: 'claim-plainjob', tasks: 60_000 }),
  inFile({ name: 'plainjob', sync: 'NORMAL', program: 'claim-plainjob', tasks: 100_000 }),
  inRedis('FULL', 'always'),
  inRedis('NORMAL', 'everysec'),
  inPostgres(),
  ours(),
];

function inFile({ name, sync, program, tasks }: FileEngine): Engine {
  return {
    name,
    sync,
    missing: name === RAW ? () => undefined : peersMissing,
    open: (folder) => {
      const file = path.join(folder, 'queue.db');
      const measure = async (clients: number): Promise<Claims> => {
        for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
        const target = { file, sync, tasks, packages: PEERS };
        return await measureClients({ program, target, clients });
      };
      return Promise.resolve({ measure, close: () => Promise.resolve() });
    },
  };
}

interface FileEngine extends Pick<Engine, 'name' | 'sync'> {
  readonly program: string;
  readonly tasks: number;
}

function inRedis(sync: Engine['sync'], appendFsync: string): Engine {
  return {
    name: `BullMQ ${appendFsync}`,
    sync,
    missing: () => programMissing('redis-server') ?? peersMissing(),
    open: async (folder) => {
      const { stop } = await startRedis(folder, appendFsync);
      const socket = path.join(folder, 'redis');
      const measure = async (clients: number): Promise<Claims> => {
        const target = { socket, tasks: clients === 1 ? 40_000 : 100_000, packages: PEERS };
        return await measureClients({ program: 'claim-bullmq', target, clients });
      };
      return { measure, close: stop };
    },
  };
}

function inPostgres(): Engine {
  return {
    name: 'PostgreSQL SKIP LOCKED',
    sync: 'FULL',
    missing: () => programMissing('postgres') ?? peersMissing(),
    open: async (folder) => {
      const { stop } = await startPostgres(folder);
      const target = { socketFolder: folder, user: POSTGRES_USER, tasks: 40_000, packages: PEERS };
      const measure = async (clients: number): Promise<Claims> =>
        await measureClients({ program: 'claim-postgres', target, clients });
      return { measure, close: stop };
    },
  };
}

function ours(): Engine {
  return {
    name: OURS,
    sync: OUR_SYNC,
    missing: () => undefined,
    open: () => Promise.resolve({ measure: measureOurs, close: () => Promise.resolve() }),
  };
}

function programMissing(name: string): string | undefined {
  return onPath(name) === undefined ? `${name} is not installed on this machine` : undefined;
}
