import { readFileSync } from 'node:fs';
import { Lab } from '../../support/lab/lab.ts';
import { missingForMachines } from '../../support/lab/lab-kind.ts';
import { median, quantile } from './figures.ts';
import {
  GNU_PARALLEL,
  type HostContender,
  hostContenders,
  inSlots,
  OURS,
  SLOTS,
  SSH2,
} from './host-contenders.ts';
import { machineFacts, withEnd } from './machine.ts';
import { OurHost } from './our-host.ts';
import { atLeast, atMost, type Goal, type Group, progress, type Table } from './report.ts';
import { inScratchFolder } from './scratch.ts';

const TASKS = 200;
const ROUNDS = 3;
const PARALLEL_AT_LEAST = 10;
const SSH2_AT_MOST = 3;
const END_AT_MOST_MS = 100;
const TALKERS = 50;
const TALK_SECONDS = 10;
const MEMORY_AT_MOST = 1.1;

interface Measured {
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  readonly skipped: readonly string[];
}

/** Commands on a host that is this machine, over real ssh. */
export const HOSTS: Group = {
  name: 'hosts',
  run: async ({ participants }) => {
    const machine = await machineFacts();
    const missing = missingForMachines();
    const nothing = { name: 'hosts', machine, tables: [], goals: [] };
    if (missing !== undefined) return { ...nothing, skipped: [missing] };
    await using lab = await Lab.open(['host'], { sshd: ['MaxSessions 100'] });
    const parts = await inScratchFolder(async (folder) => {
      const rates = await measureRates(await hostContenders(lab, folder), participants);
      progress('hosts: from the end of a command to its being told');
      const ends = await measureEnds(lab, folder);
      progress(`hosts: ${TALKERS} sessions that print`);
      return [rates, ends, await measureMemory(lab, folder)];
    });
    return {
      ...nothing,
      machine: await withEnd(machine),
      tables: parts.flatMap(({ tables }) => tables),
      goals: parts.flatMap(({ goals }) => goals),
      skipped: parts.flatMap(({ skipped }) => skipped),
    };
  },
};

async function measureRates(
  contenders: readonly HostContender[],
  participants: readonly string[] | undefined,
): Promise<Measured> {
  const chosen = contenders.filter(
    ({ name, missing }) => missing === undefined && participants?.includes(name) !== false,
  );
  const samples = new Map<string, number[]>(chosen.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const { name, run } of chosen) {
      progress(`hosts: ${name}, round ${round} of ${ROUNDS}`);
      const before = performance.now();
      await run(TASKS);
      // The first round makes connections.
      if (round > 0) samples.get(name)?.push((performance.now() - before) / TASKS);
    }
  for (const { close } of contenders) close();
  const of = (name: string): number => median(samples.get(name) ?? []);
  const rows = chosen.map(({ name }) => ({
    what: name,
    'ms a task': of(name),
    '/ ours': of(name) / of(OURS),
  }));
  return {
    tables: [{ title: `${TASKS} commands that do nothing, ${SLOTS} at a time`, rows }],
    goals: [
      atLeast(`${GNU_PARALLEL} / ours`, of(GNU_PARALLEL) / of(OURS), PARALLEL_AT_LEAST),
      atMost(`ours / ${SSH2}`, of(OURS) / of(SSH2), SSH2_AT_MOST),
    ],
    skipped: contenders.flatMap(({ name, missing }) => (missing ? [`${name}: ${missing}`] : [])),
  };
}

/** Its clock is ours: a command says when it ends. */
async function measureEnds(lab: Lab, folder: string): Promise<Measured> {
  const ours = new OurHost('host', { sshConfig: lab.sshConfig, folder: `${folder}/ends` });
  const samples: number[] = [];
  const one = async (): Promise<void> => {
    const term = await ours.run('sleep 0.02; date +%s%N');
    const toldAt = performance.timeOrigin + performance.now();
    const endedAt = Number(readFileSync(ours.logOf(term), 'utf8').trim()) / 1e6;
    samples.push(toldAt - endedAt);
  };
  await one();
  samples.length = 0;
  await inSlots(TASKS, one);
  ours.close();
  const [p50, p99] = [quantile(samples, 0.5), quantile(samples, 0.99)];
  const row = { what: `${SLOTS} at a time`, 'p50 ms': p50, 'p99 ms': p99 };
  return {
    tables: [{ title: 'from the end of a command on the host to its being told', rows: [row] }],
    goals: [atMost('p99 of an end being told / 1 ms', p99, END_AT_MOST_MS)],
    skipped: [],
  };
}

async function measureMemory(lab: Lab, folder: string): Promise<Measured> {
  const ours = new OurHost('host', { sshConfig: lab.sshConfig, folder: `${folder}/talk` });
  const script = `i=0; while [ $i -lt ${TALK_SECONDS * 10} ]; do i=$((i + 1)); printf '%01000d\\n' $i; sleep 0.1; done`;
  const sizes: number[] = [];
  const sample = setInterval(() => {
    globalThis.gc?.();
    sizes.push(process.memoryUsage.rss() / 1e6);
  }, 500);
  await Promise.all(
    Array.from({ length: TALKERS }, async () => await ours.run(script, { isInSession: true })),
  );
  clearInterval(sample);
  ours.close();
  // At first everything is there that has been used before.
  const quarter = Math.ceil(sizes.length / 4);
  const [early, late] = [median(sizes.slice(quarter, quarter * 2)), median(sizes.slice(-quarter))];
  const row = { what: 'RSS of this process', 'second quarter MB': early, 'last quarter MB': late };
  return {
    tables: [{ title: `${TALKERS} sessions that print 10 kB a second each`, rows: [row] }],
    goals: [atMost('memory, last quarter / second', late / early, MEMORY_AT_MOST)],
    skipped: [],
  };
}
