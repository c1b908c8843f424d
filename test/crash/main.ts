import { parseArgs } from 'node:util';
import { type EpisodeOptions, type Kill, KILLS, playEpisode } from './episode.ts';
import { allPoints, type PointRun, runPoint, type Scene, SCENES } from './points.ts';
import { inParallel, Line, tableOf } from './report.ts';
import { allSystemCalls, canTrace, runSystemCall } from './syscalls.ts';
import { spreadOf } from './take-over.ts';
import type { Violation } from './verdict.ts';
import { Random } from '../sim/random.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    /** How many pairs of a point and a passage; absent: every one. */
    points: { type: 'string' },
    /** One of them, as `store.together.after:17`; `--board` and `--succession` say where. */
    point: { type: 'string' },
    board: { type: 'string' },
    succession: { type: 'string' },
    calls: { type: 'string', default: '400' },
    /** At random moments, over all kinds of them. */
    kills: { type: 'string', default: '2000' },
    kind: { type: 'string' },
    tasks: { type: 'string', default: '200' },
    /** Of one episode. */
    each: { type: 'string', default: '50' },
    jobs: { type: 'string', default: '2' },
  },
});
/** Most of the kills are the plain ones. */
const MIX = [
  'kills',
  'kills',
  'kills',
  'slots',
  'kills',
  'power',
  'kills',
  'kills',
  'pauses',
  'kills',
];

const atOnce = Number(values.jobs);
const lines: Line[] = [];
const takeOversMs: number[] = [];
let bad = 0;

const seed = Number(values.seed ?? Date.now() % 1_000_000_007);
const begunAt = performance.now();
console.log(`seed ${seed}`);
if (isWanted('points')) await killAtPoints();
if (isWanted('syscalls')) await killAtSystemCalls();
if (isWanted('random')) await killAtRandom();
console.log(tableOf(lines));
console.log(`taken over by one that followed: ${spreadOf(takeOversMs)}`);
console.log(`${((performance.now() - begunAt) / 60_000).toFixed(1)} minutes`);
process.exitCode = bad === 0 ? 0 : 1;

function isWanted(group: string): boolean {
  return values.only === undefined || values.only === group;
}

async function killAtPoints(): Promise<void> {
  const points = await chosenPoints();
  const line = lineNamed('at a point of the coordinator');
  let done = 0;
  await inParallel(points, {
    atOnce,
    work: async (point) => {
      const result = await runPoint(point);
      line.runs += 1;
      if (result.wasKilled) line.kills += 1;
      if (result.takeOverMs !== undefined) takeOversMs.push(result.takeOverMs);
      const { board, succession, point: name, passage } = point;
      tell(
        line,
        result.violations,
        `--only points --board ${board} --succession ${succession} --point ${name}:${passage}`,
      );
      done += 1;
      if (done % 100 === 0) console.log(`${done} of ${points.length} points`);
    },
  });
}

async function chosenPoints(): Promise<readonly PointRun[]> {
  const { point, points } = values;
  if (point === undefined) {
    const all = await allPoints(seed, scenes());
    const kinds = new Set(all.map((one) => one.point)).size;
    console.log(`${all.length} points in all, of ${kinds} kinds`);
    return points === undefined ? all : all.slice(0, Number(points));
  }
  const [name = '', passage = '1'] = point.split(':');
  return scenes().map((scene) => ({ ...scene, point: name, passage: Number(passage) }));
}

/** Those of the boards and successions that were named; all where none was. */
function scenes(): readonly Scene[] {
  const { board = '', succession = '' } = values;
  return SCENES.filter((scene) => scene.board.includes(board)).filter((scene) =>
    scene.succession.includes(succession),
  );
}

async function killAtSystemCalls(): Promise<void> {
  if (!canTrace()) {
    console.log('Kills at system calls are left out: there is no strace that works here.');
    return;
  }
  const random = new Random(seed);
  const all = (await allSystemCalls()).map((at) => ({ at, key: random.next() }));
  const chosen = all.toSorted((a, b) => a.key - b.key).slice(0, Number(values.calls));
  console.log(`${chosen.length} of ${all.length} system calls`);
  const line = lineNamed('at a system call of the coordinator');
  await inParallel(chosen, {
    atOnce,
    work: async ({ at }) => {
      const { wasKilled, violations } = await runSystemCall(at);
      line.runs += 1;
      if (wasKilled) line.kills += 1;
      tell(line, violations, `--only syscalls --seed ${seed} (${JSON.stringify(at)})`);
    },
  });
}

async function killAtRandom(): Promise<void> {
  const [each, wanted] = [Number(values.each), Number(values.kills)];
  const kinds = values.kind === undefined ? MIX : [values.kind];
  const isOne = values.seed !== undefined && values.kind !== undefined;
  const episodes = Array.from({ length: isOne ? 1 : Math.ceil(wanted / each) }, (_, number) => ({
    seed: seed + number,
    kind: kinds[number % kinds.length] ?? 'kills',
    kills: each,
    tasks: Number(values.tasks),
  }));
  await inParallel(episodes, { atOnce, work: playOne });
}

async function playOne(options: EpisodeOptions): Promise<void> {
  const result = await playEpisode(options);
  const [first] = kindsOf(result.kills);
  for (const [kill, count] of result.kills) lineNamed(KILLS[kill]).kills += count;
  const line = lineNamed(KILLS[first ?? 'decider']);
  line.runs += result.runs;
  takeOversMs.push(...result.takeOversMs);
  const { seed: own, kind, kills, tasks } = options;
  const how = `--only random --seed ${own} --kind ${kind} --each ${kills} --tasks ${tasks}`;
  tell(line, result.violations, how);
  console.log(
    `episode ${own} of ${kind}: ${[...result.kills.values()].join(' + ')} kills, ${result.runs} runs, ${(result.tookMs / 1000).toFixed(0)} s`,
  );
}

/** The kill that gives an episode its name comes first. */
function kindsOf(kills: ReadonlyMap<Kill, number>): readonly Kill[] {
  return [...kills.keys()].toSorted((a, b) => rank(a) - rank(b));
}

function rank(kill: Kill): number {
  return ['power', 'slot', 'pause', 'decider', 'anybody'].indexOf(kill);
}

function lineNamed(name: string): Line {
  const known = lines.find((line) => line.name === name);
  if (known !== undefined) return known;
  const line = new Line(name);
  lines.push(line);
  return line;
}

function tell(line: Line, violations: readonly Violation[], how: string): void {
  line.add(violations);
  if (violations.length === 0) return;
  bad += 1;
  console.log(`npm run crash -- ${how}`);
  for (const { column, what } of violations.slice(0, 10))
    console.log(`  ${column}: ${what.slice(0, 600)}`);
}
