import path from 'node:path';
import { mkdirSync, rmSync } from 'node:fs';
import { idleCoordinator } from './idle-coordinator.ts';
import { median } from './figures.ts';
import { machineFacts, withEnd } from './machine.ts';
import { type Command, measureCommand } from './measured-command.ts';
import { ourCommand, ourCommandMissing, ourState } from './our-command.ts';
import { writePlan } from './our-contender.ts';
import { atMost, type Goal, type Group, progress, type Table } from './report.ts';
import { inScratchFolder } from './scratch.ts';
import { graphOf } from './task-graphs.ts';

const ROUNDS = 20;
const RUN = 'interlock run, one task, cold';
const LIMIT = 'node -e 0';
const RUN_AT_MOST = 3.5;

interface Subject {
  readonly name: string;
  readonly command: Command;
  /** Puts things back to before the first time. */
  readonly reset?: () => void;
}

/** How long anybody waits before anything happens, and what is there while nothing does. */
export const START: Group = {
  name: 'start',
  run: async () => {
    const machine = await machineFacts();
    const why = ourCommandMissing();
    if (why !== undefined)
      return { name: 'start', machine, tables: [], goals: [], skipped: [`interlock: ${why}`] };
    const starts = await inScratchFolder(async (folder) => await measureStarts(folder));
    progress('start: an idle coordinator');
    const idle = await idleCoordinator();
    return {
      name: 'start',
      machine: await withEnd(machine),
      tables: [starts.table, ...idle.tables],
      goals: [starts.goal, ...idle.goals],
      skipped: idle.skipped,
    };
  },
};

async function measureStarts(
  folder: string,
): Promise<{ readonly table: Table; readonly goal: Goal }> {
  const subjects = await subjectsIn(folder);
  const samples = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round % 5 === 0) progress(`start: round ${round} of ${ROUNDS}`);
    for (const { name, command, reset } of subjects) {
      reset?.();
      const { wallMs } = await measureCommand(command);
      // The first round reads everything from the disk.
      if (round > 0) samples.get(name)?.push(wallMs);
    }
  }
  const middle = (name: string): number => median(samples.get(name) ?? []);
  const limit = middle(LIMIT);
  const rows = subjects.map(({ name }) => ({
    what: name,
    'median ms': middle(name),
    [`/ ${LIMIT}`]: middle(name) / limit,
  }));
  return {
    table: { title: `from start to end, medians of ${ROUNDS}`, rows },
    goal: atMost(`${RUN} / ${LIMIT}`, middle(RUN) / limit, RUN_AT_MOST),
  };
}

/** Each has a folder of its own, with a plan of one task in it. */
async function subjectsIn(folder: string): Promise<readonly Subject[]> {
  const place = (name: string): string => {
    const own = path.join(folder, name);
    mkdirSync(own);
    writePlan(
      graphOf('independent', 1, () => 'true'),
      own,
    );
    return own;
  };
  const [bare, version, status, run] = ['bare', 'version', 'status', 'run'].map(place);
  await measureCommand(runIn(status!));
  const reset = (): void => rmSync(ourState(run!), { recursive: true, force: true });
  return [
    { name: LIMIT, command: { file: process.execPath, args: ['-e', '0'], folder: bare! } },
    { name: 'interlock --version', command: ourCommand(['--version'], version!) },
    {
      name: 'interlock status, one run',
      command: ourCommand(['status', '--board', status!], status!),
    },
    { name: RUN, command: runIn(run!), reset },
  ];
}

function runIn(folder: string): Command {
  return ourCommand(['run', '--board', folder], folder);
}
