import { setTimeout as delay } from 'node:timers/promises';
import { loadCoordinator } from './loaded-ours.ts';
import { cpuMsOf, endMarked, markedProcesses, memoryOf } from './marked-processes.ts';
import { ended, startCommand } from './measured-command.ts';
import { ourCommand } from './our-command.ts';
import { writePlan } from './our-contender.ts';
import { atMost, type Goal, type Table, type TableRow } from './report.ts';
import { inScratchFolder } from './scratch.ts';
import { graphOf } from './task-graphs.ts';

const SETTLE_MS = 3000;
const IDLE_MS = 20_000;
const MB = 1e6;
const CPU_PERCENT_AT_MOST = 0.5;
const IDLE_MB_AT_MOST = 80;
const LOADED_MB_AT_MOST = 200;

interface Idle {
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  readonly skipped: readonly string[];
}

/** What the coordinator takes while nobody asks it anything, empty and with a full board. */
export async function idleCoordinator(): Promise<Idle> {
  const empty = await inScratchFolder(async (folder) => await serveIn(folder));
  if (empty === undefined) return skipping('interlock serve: there is no such command yet');
  const row = { what: 'an idle coordinator', ...empty };
  const goals = [
    atMost('idle coordinator, percent of a core', empty['CPU percent'], CPU_PERCENT_AT_MOST),
    atMost('idle coordinator, MB resident', empty['resident MB'], IDLE_MB_AT_MOST),
  ];
  const full = await inScratchFolder(async (folder) => await serveIn(folder, loadCoordinator));
  if (full === undefined) return { tables: tablesOf([row]), goals, skipped: [] };
  return {
    tables: tablesOf([row, { what: '10 000 tasks, 1 000 live leases', ...full }]),
    goals: [...goals, atMost('full coordinator, MB', full['resident MB'], LOADED_MB_AT_MOST)],
    skipped: [],
  };
}

function skipping(why: string): Idle {
  return { tables: [], goals: [], skipped: [why] };
}

function tablesOf(rows: readonly TableRow[]): readonly Table[] {
  return [{ title: `over ${IDLE_MS / 1000} s in which nobody asks`, rows }];
}

interface Presence {
  readonly 'CPU percent': number;
  readonly 'resident MB': number;
  readonly 'not shared MB': number;
  readonly processes: number;
}

/** Undefined when there is no coordinator a moment after it was asked for. */
async function serveIn(
  folder: string,
  load?: (folder: string) => Promise<void>,
): Promise<Presence | undefined> {
  writePlan(
    graphOf('independent', 1, () => 'true'),
    folder,
  );
  const child = startCommand(ourCommand(['serve'], folder), 'ignore');
  const over = ended(child);
  try {
    await Promise.race([over, delay(SETTLE_MS)]);
    if (markedProcesses(folder).length === 0) return undefined;
    await load?.(folder);
    return await presenceOf(folder);
  } finally {
    await endMarked(folder);
  }
}

async function presenceOf(folder: string): Promise<Presence> {
  const used = (): number =>
    markedProcesses(folder).reduce((total, pid) => total + cpuMsOf(pid), 0);
  const before = used();
  await delay(IDLE_MS);
  const cpuMs = used() - before;
  const pids = markedProcesses(folder);
  const { residentBytes, proportionalBytes } = memoryOf(pids);
  return {
    'CPU percent': (cpuMs / IDLE_MS) * 100,
    'resident MB': residentBytes / MB,
    'not shared MB': proportionalBytes / MB,
    processes: pids.length,
  };
}
