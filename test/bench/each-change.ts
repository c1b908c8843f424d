import { assert } from '../../server/domain/assert.ts';
import {
  boardOf,
  type Detail,
  manifestOf,
  Play,
  playEachChange,
  playEachCompletion,
  tasksOf,
} from './boards.ts';
import { layeredGraph, namedMs, plainGraph, plainMs, randomGraph } from './graphs.ts';
import { type Bench, formatMs, medians, milliseconds, perStep } from './measure.ts';

const SIZE = 100_000;
const DEGREE = 3;
const PARALLEL = 16;

/** Each change of a big board and its decision, next to counting down in arrays. */
export const EACH_CHANGE: Bench = {
  name: 'each-change',
  run: () => {
    const earlier = randomGraph(SIZE, DEGREE);
    const plain = plainGraph(earlier);
    const tasks = tasksOf(earlier);
    const names = tasks.map(({ id }) => id);
    const measured = tasksOf(earlier, measuredDetail);
    const ms = medians({
      plain: () => plainMs(plain, PARALLEL),
      named: () => namedMs(plain, names, PARALLEL),
      change: () => playMs(() => new Play(boardOf(manifestOf(tasks))), playEachChange),
      measured: () => playMs(() => new Play(boardOf(manifestOf(measured))), playEachChange),
      completion: () => playMs(() => new Play(boardOf(manifestOf(tasks))), playEachCompletion),
    });
    const limit = { ms: ms('plain'), count: SIZE };
    const each = (name: 'change' | 'measured') => ({
      ours: { ms: ms(name), count: 3 * SIZE },
      limit,
    });
    const whole = (name: 'change' | 'completion') => ({
      ours: { ms: ms(name), count: SIZE },
      limit,
    });
    const named = { ms: ms('named'), count: 3 * SIZE };
    return [
      perStep('a change and its decide / a plain node', each('change'), 20),
      perStep('  / a change of named tasks by events', { ...each('change'), limit: named }),
      perStep('  a change of named tasks by events / a plain node', { ours: named, limit }),
      perStep('the same, each task with its own expected time', each('measured'), 20),
      perStep('a task, 3 changes and 3 decides / a plain node', whole('change')),
      perStep('a task, 3 changes and 1 decide / a plain node', whole('completion')),
    ];
  },
};

/** The last tasks of a long run cost what the first did. */
export const STEADY: Bench = {
  name: 'steady',
  run: () => {
    const manifest = manifestOf(tasksOf(layeredGraph(SIZE, 1000, DEGREE)));
    const tenth = SIZE / 10;
    let [first, last] = [0, 0];
    const ms = medians({
      first: () => {
        const play = new Play(boardOf(manifest));
        const start = performance.now();
        let before = start;
        playEachChange(play, (completed) => {
          if (completed === tenth) first = performance.now() - start;
          if (completed === SIZE - tenth) before = performance.now();
        });
        last = performance.now() - before;
        return first;
      },
      last: () => last,
    });
    const [ours, limit] = [
      { ms: ms('last'), count: tenth },
      { ms: ms('first'), count: tenth },
    ];
    return [perStep('a task of the last 10 % / of the first 10 %', { ours, limit }, 1.3)];
  },
};

function measuredDetail(number: number): Detail {
  return { asks: { expectedMs: 500 + ((number * 7919) % 1000) } };
}

function playMs(prepare: () => Play, run: (play: Play) => void): number {
  const play = prepare();
  globalThis.gc?.();
  const ms = milliseconds(() => run(play));
  assert(play.claimed.length === SIZE, 'a run comes to its end');
  if (process.env['BENCH_VERBOSE'] !== undefined)
    console.log(formatMs(ms), { changes: play.changes, decides: play.decides });
  return ms;
}
