import picomatch from 'picomatch';
import { buildGraph, type GraphNode } from '../../server/domain/graph/graph.ts';
import { findHazards, HazardFinder } from '../../server/domain/paths/hazard-finder.ts';
import type { TaskPaths } from '../../server/domain/paths/hazard.ts';
import { overlap } from '../../server/domain/paths/overlap.ts';
import { PathIndex } from '../../server/domain/paths/path-index.ts';
import { parsePathSet, type PathSet } from '../../server/domain/paths/path-set.ts';
import { GlobLanguage } from '../support/glob-oracle.ts';
import { realisticList } from '../support/realistic-globs.ts';
import { type Bench, chance, formatMs, medians, milliseconds, type Row } from './measure.ts';

const RULES = { foldCase: false };
const CLAIMS = 10_000;
const TASKS = 10_000;

/** Patterns next to what others offer for the same question. */
export const GLOBS: Bench = {
  name: 'globs',
  run: () => [...pairRows(), ...ownerRows(), ...hazardRows()],
};

/** Every pair of so many globs. */
const CROWD = 300;

function pairRows(): readonly Row[] {
  const random = chance(1);
  const lists = Array.from({ length: 4 * CROWD }, () => realisticList(random));
  const globs = lists.map(([glob]) => glob!).slice(0, CROWD);
  const sets = globs.map((glob) => parsePathSet([glob]));
  const whole = lists.slice(0, CROWD).map((list) => parsePathSet(list));
  const few = globs.slice(0, 60);
  const languages = few.map((glob) => new GlobLanguage([glob]));
  const ms = medians({
    ours: () => milliseconds(() => allPairs(sets, (a, b) => overlap(a, b, RULES))),
    examples: () => milliseconds(() => allPairs(sets, exampleOf)),
    lists: () => milliseconds(() => allPairs(whole, (a, b) => overlap(a, b, RULES))),
    refa: () => milliseconds(() => allPairs(languages, (a, b) => a.meets(b))),
    texts: () =>
      milliseconds(() =>
        allPairs(globs, (a, b) => overlap(parsePathSet([a]), parsePathSet([b]), RULES)),
      ),
    refaTexts: () =>
      milliseconds(() =>
        allPairs(few, (a, b) => new GlobLanguage([a]).meets(new GlobLanguage([b]))),
      ),
  });
  const ours = (name: 'ours' | 'examples' | 'lists' | 'texts'): number => ms(name) / CROWD ** 2;
  const refa = (name: 'refa' | 'refaTexts'): number => ms(name) / few.length ** 2;
  const wanted = 1000 / 500_000;
  return [
    against('two globs / refa', [ours('ours'), refa('refa')], 0.01),
    against('two globs, reading them included / refa', [ours('texts'), refa('refaTexts')]),
    against('two globs / 500 000 a second', [ours('ours'), wanted], 1),
    against(
      'two globs, and the shortest path of both / 500 000 a second',
      [ours('examples'), wanted],
      1,
    ),
    against('two lists, some with exceptions / 500 000 a second', [ours('lists'), wanted]),
  ];
}

function exampleOf(a: PathSet, b: PathSet): string | undefined {
  const found = overlap(a, b, RULES);
  return found.kind === 'overlaps' ? found.example : undefined;
}

function allPairs<T>(things: readonly T[], decide: (a: T, b: T) => unknown): void {
  for (const a of things) for (const b of things) decide(a, b);
}

/** Both sides in milliseconds. */
function against(what: string, [ours, limit]: readonly [number, number], atMost?: number): Row {
  const row = { what, ours: formatMs(ours), limit: formatMs(limit), ratio: ours / limit };
  return atMost === undefined ? row : { ...row, atMost };
}

/** Folders of their own, single files, and every tenth without a folder that it begins with. */
function claimOf(number: number): string {
  const place = placeOf(number);
  switch (number % 20) {
    case 0:
      return `**/*.m${number}.ts`;
    case 1:
      return number % 200 === 1 ? '**/*.ts' : `**/m${number}/**`;
    case 2:
      return `*/p${number % 97}/test/m${number}*/**`;
    case 3:
    case 4:
    case 5:
      return `${place}/index.ts`;
    case 6:
      return `packages/p${number % 97}/**/m${number}.ts`;
    default:
      return `${place}/**`;
  }
}

const QUESTIONS = 20_000;

function ownerRows(): readonly Row[] {
  const claims = Array.from({ length: CLAIMS }, (_, number) => claimOf(number));
  const index = new PathIndex<number>(RULES);
  const sets = claims.map((claim) => parsePathSet([claim]));
  for (const [number, paths] of sets.entries()) index.add(paths, number);
  const random = chance(2);
  const below = (limit: number): number => Math.floor(random() * limit);
  const paths = Array.from({ length: QUESTIONS }, () => {
    const number = below(CLAIMS);
    return `packages/p${number % 97}/src/m${number}/a/b${below(9)}.ts`;
  });
  const globs = paths.map((path, at) =>
    at % 3 === 0 ? path.replace(/\/b.*/, '/**') : path.replace(/\/m.*/, '/*/index.ts'),
  );
  const matchers = claims.map((claim) => picomatch(claim, { dot: true }));
  const scanned = paths.slice(0, 20);
  const naive = medians({
    scan: () =>
      milliseconds(() => {
        for (const path of scanned) matchers.filter((isMatch) => isMatch(path));
      }),
  });
  const scan = naive('scan') / scanned.length;
  const covering = percentiles(paths, (path) => index.covering(path));
  const meeting = percentiles(globs, (glob) => index.overlaps(parsePathSet([glob]), () => true));
  const replacing = percentiles(paths, (_, at) => {
    const number = at % CLAIMS;
    index.remove(sets[number]!, number);
    index.add(sets[number]!, number);
  });
  return [
    against('owners of a path at 10 000 claims / a scan by picomatch', [covering.p50, scan], 0.005),
    against('owners of a path, p99 / 10 µs', [covering.p99, 0.01], 1),
    against('owners that meet a glob / a scan by picomatch', [meeting.p50, scan]),
    against('owners that meet a glob, p99 / 1 ms', [meeting.p99, 1]),
    against('a claim is replaced, p99 / 10 µs', [replacing.p99, 0.01], 1),
  ];
}

function percentiles<T>(
  questions: readonly T[],
  ask: (question: T, at: number) => unknown,
): { readonly p50: number; readonly p99: number } {
  for (const [at, question] of questions.entries()) ask(question, at);
  const times = questions.map((question, at) => milliseconds(() => ask(question, at)));
  const sorted = times.toSorted((a, b) => a - b);
  const part = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  return { p50: part(0.5), p99: part(0.99) };
}

const EDITS = 40;

interface Task extends TaskPaths<string>, GraphNode<string> {}

function placeOf(module: number): string {
  return `packages/p${module % 97}/src/m${module}`;
}

/** Each of its own module; one in ten writes where another does, one in five behind an earlier one. */
function taskOf(number: number, random: () => number): Task {
  const below = (limit: number): number => Math.floor(random() * limit);
  const other = below(TASKS);
  const writes = [
    `${placeOf(number)}/**`,
    random() < 0.1 ? `${placeOf(other)}/*.ts` : `packages/p${number % 97}/test/m${number}*.ts`,
  ];
  const reads = [random() < 0.1 ? `${placeOf(other)}/**/*.json` : `docs/m${number}/**`];
  // Two that look at everything have something to do with everybody.
  if (number % 5000 === 1) reads.push('**/*.md');
  const dependsOn = number > 0 && random() < 0.2 ? [`t${below(number)}`] : [];
  return { id: `t${number}`, reads, writes, dependsOn, after: [] };
}

function planOf(size: number): readonly Task[] {
  const random = chance(3);
  return Array.from({ length: size }, (_, number) => taskOf(number, random));
}

function hazardRows(): readonly Row[] {
  const plan = planOf(TASKS);
  const chain = plan.map((task, at) => ({
    ...task,
    writes: ['src/**', ...task.writes],
    dependsOn: at === 0 ? [] : [`t${at - 1}`],
  }));
  const small = planOf(1000);
  const finder = new HazardFinder<string>();
  let edits = 0;
  /** As after some changes in an editor: each time everything is read anew. */
  const timed = (change: (task: Task) => Partial<Task>): number => {
    const versions = Array.from({ length: EDITS }, () => {
      edits += 1;
      return structuredClone(small).map((task, at) =>
        at === 500 ? { ...task, ...change(task) } : task,
      );
    });
    const graphs = versions.map((tasks) => [buildGraph(tasks)]);
    const ask = (): void => {
      for (const [at, tasks] of versions.entries()) finder.find(tasks, graphs[at]!, RULES);
    };
    return milliseconds(ask) / EDITS;
  };
  finder.find(small, [buildGraph(small)], RULES);
  const ms = medians({
    plan: () => milliseconds(() => void findHazards(plan, buildGraph(plan), RULES)),
    chain: () => milliseconds(() => void findHazards(chain, buildGraph(chain), RULES)),
    same: () => timed(() => ({})),
    paths: () => timed(({ writes }) => ({ writes: [...writes, `other${edits}/**`] })),
    order: () => timed(() => ({ after: [`t${edits % 400}`] })),
  });
  const { hazards, isComplete } = findHazards(plan, buildGraph(plan), RULES);
  const found = `${hazards.length}${isComplete ? '' : ' and more'}`;
  return [
    against(`hazards of 10 000 tasks with 3 globs each (${found}) / 1 s`, [ms('plan'), 1000], 1),
    against('10 000 tasks in a chain that write one folder / 1 s', [ms('chain'), 1000]),
    against('1 000 tasks again, nothing of paths or order changed / 1 ms', [ms('same'), 1], 1),
    against('1 000 tasks again, one writes elsewhere / 5 ms', [ms('paths'), 5], 1),
    against('1 000 tasks again, one has another order / 5 ms', [ms('order'), 5], 1),
  ];
}
