import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Contender } from './contender.ts';
import { median } from './figures.ts';
import { LOOP_CONTENDERS } from './loop-contenders.ts';
import { machineFacts, withEnd } from './machine.ts';
import { type Command, type Measured, measureCommand, watchCommand } from './measured-command.ts';
import { NATIVE_CONTENDERS } from './native-contenders.ts';
import { NPM_CONTENDERS } from './npm-contenders.ts';
import { OURS } from './our-contender.ts';
import { type Group, type GroupOptions, progress, type Report } from './report.ts';
import { inScratchFolder } from './scratch.ts';
import { graphOf, leavingNames, mistakeIn, type Shape, SHAPES } from './task-graphs.ts';
import { goalsOf, type Result, tableOf } from './tasks-report.ts';

const ROUNDS = 3;
const COUNTS: Readonly<Record<Shape, number>> = { independent: 1000, layered: 1000, chain: 500 };
/** A shell answers the first one itself; for the second one it has to start a program. */
const COMMANDS = ['true', '/bin/true'];

/** What a task costs that does nothing: the rest of a run is the user's. */
export const TASKS: Group = {
  name: 'tasks',
  run: async (options) => {
    const machine = await machineFacts();
    const present = presentOf(options);
    const skipped = [...present.skipped];
    const results: Result[] = [];
    for (const shape of SHAPES) {
      const { sound, mistakes } = await soundOf(present.contenders, shape);
      skipped.push(...mistakes);
      for (const command of COMMANDS) {
        const all = command === COMMANDS[0] ? sound : sound.filter(isQuick);
        const round = { shape, command, contenders: all };
        results.push(...(await inScratchFolder((folder) => measureRounds(round, folder))));
      }
    }
    return reportOf({ machine: await withEnd(machine), results, skipped });
  },
};

function reportOf(all: Pick<Report, 'machine' | 'skipped'> & { results: Result[] }): Report {
  const { machine, results, skipped } = all;
  const tables = SHAPES.flatMap((shape) =>
    COMMANDS.map((command) =>
      tableOf(results.filter((result) => result.shape === shape && result.command === command)),
    ),
  );
  return { name: 'tasks', machine, tables, goals: goalsOf(results), skipped };
}

/** A result of somebody who needs many times as long says the same with every command. */
const isQuick = ({ contender }: Sound): boolean => contender.mostTasks === undefined;

function presentOf({ participants }: GroupOptions): {
  readonly contenders: readonly Contender[];
  readonly skipped: readonly string[];
} {
  const all = [...LOOP_CONTENDERS, ...NATIVE_CONTENDERS, ...NPM_CONTENDERS, OURS];
  const asked = all.filter(({ name }) => participants?.includes(name) ?? true);
  const known = asked.map((contender) => ({ contender, why: contender.missing() }));
  return {
    contenders: known.filter(({ why }) => why === undefined).map(({ contender }) => contender),
    skipped: known
      .filter(({ why }) => why !== undefined)
      .map(({ contender, why }) => `${contender.name}: ${why}`),
  };
}

interface Sound {
  readonly contender: Contender;
  readonly peakBytes: number;
}

/** Whoever runs each task once and in order, with the memory it took. This also warms the caches. */
async function soundOf(
  contenders: readonly Contender[],
  shape: Shape,
): Promise<{ readonly sound: readonly Sound[]; readonly mistakes: readonly string[] }> {
  const sound: Sound[] = [];
  const mistakes: string[] = [];
  for (const contender of contenders.filter(({ runs }) => runs(shape)))
    await inScratchFolder(async (folder) => {
      progress(`tasks, ${shape}: does ${contender.name} run them?`);
      const names = path.join(folder, 'names');
      const tasks = graphOf(shape, countOf(contender, shape), leavingNames(names));
      try {
        const command = { ...contender.prepare(tasks, folder), folder };
        const { peakBytes } = await watchCommand(command);
        const mistake = mistakeIn(tasks, names);
        if (mistake === undefined) sound.push({ contender, peakBytes });
        else mistakes.push(`${contender.name}, ${shape}: ${mistake}`);
      } catch (error) {
        mistakes.push(`${contender.name}, ${shape}: ${String(error)}`);
      }
    });
  return { sound, mistakes };
}

interface Rounds {
  readonly shape: Shape;
  readonly command: string;
  readonly contenders: readonly Sound[];
}

interface Entry extends Sound {
  readonly count: number;
  readonly many: Command;
  readonly one: Command;
  readonly samples: { readonly many: Measured[]; readonly one: Measured[] };
}

/** They take turns, so a slow minute of the machine is everybody's. */
async function measureRounds(
  { shape, command, contenders }: Rounds,
  folder: string,
): Promise<readonly Result[]> {
  const entries = contenders.map((sound): Entry => {
    const { contender } = sound;
    const count = countOf(contender, shape);
    const prepared = (tasks: number): Command => {
      const place = path.join(folder, `${contender.name.replaceAll(' ', '-')}-${tasks}`);
      mkdirSync(place);
      const graph = graphOf(shape, tasks, () => command);
      return { ...contender.prepare(graph, place), folder: place };
    };
    const samples = { many: [], one: [] };
    return { ...sound, count, many: prepared(count), one: prepared(1), samples };
  });
  for (let round = 1; round <= ROUNDS; round += 1) {
    progress(`tasks, ${shape}, ${command}: round ${round} of ${ROUNDS}`);
    for (const { contender, many, one, samples } of entries)
      for (const [to, next] of [
        [samples.one, one],
        [samples.many, many],
      ] as const) {
        contender.reset?.(next.folder);
        to.push(await measureCommand(next));
      }
  }
  return entries.map((entry) => resultOf(entry, shape, command));
}

function resultOf(
  { contender, peakBytes, count, samples }: Entry,
  shape: Shape,
  command: string,
): Result {
  const [wallMs, startMs] = [middle(samples.many, 'wallMs'), middle(samples.one, 'wallMs')];
  return {
    shape,
    command,
    name: contender.name,
    kind: contender.kind,
    count,
    wallMs: wallMs / count,
    afterStartMs: (wallMs - startMs) / (count - 1),
    startMs,
    cpuMs: middle(samples.many, 'cpuMs') / count,
    spread: spreadOf(samples.many.map((sample) => sample.wallMs)),
    peakMiB: peakBytes / 1024 ** 2,
  };
}

function spreadOf(samples: readonly number[]): number {
  return (Math.max(...samples) - Math.min(...samples)) / median(samples);
}

function middle(all: readonly Measured[], field: keyof Measured): number {
  return median(all.map((sample) => sample[field]));
}

function countOf({ mostTasks = Number.POSITIVE_INFINITY }: Contender, shape: Shape): number {
  return Math.min(COUNTS[shape], mostTasks);
}
