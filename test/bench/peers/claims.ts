import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Claims } from './claim-clients.ts';
import { type Engine, ENGINES, type OpenEngine, OURS, RAW } from './claim-engines.ts';
import { median } from './figures.ts';
import { machineFacts, withEnd } from './machine.ts';
import { programFile } from './program-file.ts';
import {
  atLeast,
  atMost,
  type Goal,
  type Group,
  type GroupOptions,
  progress,
  type Table,
} from './report.ts';
import { inScratchFolder } from './scratch.ts';

const ROUNDS = 3;
const CLIENTS = [1, 2, 8];
const MANY = 8;

interface Result extends Pick<Engine, 'name' | 'sync'> {
  readonly clients: number;
  readonly claims: Claims;
}

/** What it costs that a task is claimed by one worker only, and that this is not forgotten. */
export const CLAIMS: Group = {
  name: 'claims',
  run: async (options) =>
    await inScratchFolder(async (folder) => {
      const machine = { ...(await machineFacts()), SQLite: sqliteVersion() };
      const { open, skipped } = await openEngines(options, folder);
      const results: Result[] = [];
      const failures: string[] = [];
      try {
        for (const clients of CLIENTS) {
          const measured = await measureRounds(open, clients);
          results.push(...measured.results);
          failures.push(...measured.failures);
        }
      } finally {
        for (const { engine } of open) await engine.close();
      }
      const tables = CLIENTS.map((clients) => tableOf(results, clients));
      const notes = [...skipped, ...failures];
      return {
        name: 'claims',
        machine: await withEnd(machine),
        tables,
        goals: goalsOf(results),
        skipped: notes,
      };
    }),
};

interface Open extends Pick<Engine, 'name' | 'sync'> {
  readonly engine: OpenEngine;
}

async function openEngines(
  { participants }: GroupOptions,
  folder: string,
): Promise<{ readonly open: readonly Open[]; readonly skipped: readonly string[] }> {
  const open: Open[] = [];
  const skipped: string[] = [];
  const asked = ENGINES.filter(({ name }) => participants?.includes(name) ?? true);
  for (const [index, { name, sync, missing, open: start }] of asked.entries()) {
    const place = path.join(folder, String(index));
    mkdirSync(place);
    const why = missing();
    if (why !== undefined) skipped.push(`${name}: ${why}`);
    else
      try {
        open.push({ name, sync, engine: await start(place) });
      } catch (error) {
        skipped.push(`${name}: ${String(error)}`);
      }
  }
  return { open, skipped };
}

/** Who fails once is left out for this number of clients. */
async function measureRounds(
  open: readonly Open[],
  clients: number,
): Promise<{ readonly results: readonly Result[]; readonly failures: readonly string[] }> {
  const samples = new Map<Open, Claims[]>(open.map((one) => [one, []]));
  const failures: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const [one, all] of samples) {
      const who = `${one.name} (${one.sync}), clients: ${clients}`;
      progress(`claims, ${who}: round ${round} of ${ROUNDS}`);
      try {
        all.push(await one.engine.measure(clients));
      } catch (error) {
        samples.delete(one);
        failures.push(`${who}: ${String(error)}`);
      }
    }
  const results = [...samples].map(([{ name, sync }, all]) => ({
    name,
    sync,
    clients,
    claims: middleOf(all),
  }));
  return { results, failures };
}

function middleOf(all: readonly Claims[]): Claims {
  const times = all.flatMap(({ claimMs }) => (claimMs === undefined ? [] : [claimMs]));
  const middle = (field: 'p50' | 'p99' | 'p999' | 'longest'): number =>
    median(times.map((time) => time[field]));
  return {
    cyclesPerSecond: median(all.map(({ cyclesPerSecond }) => cyclesPerSecond)),
    fairness: median(all.map(({ fairness }) => fairness)),
    ...(times.length === 0
      ? {}
      : {
          claimMs: {
            p50: middle('p50'),
            p99: middle('p99'),
            p999: middle('p999'),
            longest: middle('longest'),
          },
        }),
  };
}

function tableOf(results: readonly Result[], clients: number): Table {
  const rows = results.filter((result) => result.clients === clients);
  return {
    title: `claim and complete, 200 bytes, ${clients} client ${clients === 1 ? 'process' : 'processes'}`,
    rows: rows
      .toSorted((a, b) => b.claims.cyclesPerSecond - a.claims.cyclesPerSecond)
      .map(({ name, sync, claims }) => ({
        engine: name,
        sync,
        'cycles/s': Math.round(claims.cyclesPerSecond),
        '/ raw': ratioTo(results, { sync, clients }, claims),
        '/ one raw client': ratioTo(results, { sync, clients: 1 }, claims),
        'claim ms p50': claims.claimMs?.p50,
        p99: claims.claimMs?.p99,
        'p99.9': claims.claimMs?.p999,
        longest: claims.claimMs?.longest,
        fairness: claims.fairness,
      })),
  };
}

/** To the raw engine of the same durability. */
function ratioTo(
  results: readonly Result[],
  { sync, clients }: Pick<Result, 'sync' | 'clients'>,
  { cyclesPerSecond }: Claims,
): number | undefined {
  const raw = results.find(
    (result) => result.name === RAW && result.sync === sync && result.clients === clients,
  );
  return raw === undefined ? undefined : cyclesPerSecond / raw.claims.cyclesPerSecond;
}

function goalsOf(results: readonly Result[]): readonly Goal[] {
  return results
    .filter(({ name }) => name === OURS)
    .flatMap(({ sync, clients, claims }) => {
      const who = `${clients} clients, ${sync}: ours`;
      const alone = ratioTo(results, { sync, clients: 1 }, claims);
      if (alone === undefined) return [];
      if (clients === 1) return [atLeast(`${who} / raw`, alone, 0.7)];
      if (clients !== MANY) return [];
      return [
        atLeast(`${who} / one raw client`, alone, 1),
        atLeast(`${who}, fairness`, claims.fairness, 0.95),
        atMost(`${who}, longest claim in ms`, claims.claimMs?.longest ?? Number.NaN, 50),
      ];
    });
}

function sqliteVersion(): string {
  const { stdout } = spawnSync(process.execPath, [programFile('sqlite-version')], {
    encoding: 'utf8',
  });
  return stdout.trim();
}
