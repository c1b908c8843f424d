import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_QUEUE_LIMIT,
  isQueueFull,
  isServed,
  loadMode,
  timeoutFactor,
  type LoadMode,
} from '../../../../server/domain/failure/load.ts';
import { PRIORITIES } from '../../../../server/domain/priority.ts';

const MODES: readonly LoadMode[] = ['normal', 'moderate', 'high', 'critical'];

/** All three signals, in percent of the queue's limit, of the memory and of the processors. */
interface Percents {
  readonly queue: number;
  readonly memory: number;
  readonly cpu: number;
}

const IDLE: Percents = { queue: 0, memory: 0, cpu: 0 };

function modeAfter(previous: LoadMode, { queue, memory, cpu }: Percents): LoadMode {
  return loadMode(previous, {
    queued: queue * 100,
    queueLimit: DEFAULT_QUEUE_LIMIT,
    memory: memory / 100,
    cpu: cpu / 100,
  });
}

/** The mode that follows each of the four modes, in their order. */
function check(name: string, percents: Partial<Percents>, expected: string): void {
  test(name, () => {
    const following = MODES.map((previous) => modeAfter(previous, { ...IDLE, ...percents }));
    expect(following.join(' ')).toBe(expected);
  });
}

check('without load every mode becomes normal', {}, 'normal normal normal normal');

check('a queue below 40 % is normal', { queue: 39.99 }, 'normal normal normal normal');
check('a queue of 40 % keeps moderate', { queue: 40 }, 'normal moderate moderate moderate');
check(
  'a queue below 50 % does not enter it',
  { queue: 49.99 },
  'normal moderate moderate moderate',
);
check('a queue of 50 % enters moderate', { queue: 50 }, 'moderate moderate moderate moderate');
check('a queue below 70 % leaves high', { queue: 69.99 }, 'moderate moderate moderate moderate');
check('a queue of 70 % keeps high', { queue: 70 }, 'moderate moderate high high');
check('a queue below 80 % does not enter it', { queue: 79.99 }, 'moderate moderate high high');
check('a queue of 80 % enters high', { queue: 80 }, 'high high high high');
check('a queue below 85 % leaves critical', { queue: 84.99 }, 'high high high high');
check('a queue of 85 % keeps critical', { queue: 85 }, 'high high high critical');
check('a queue of 95 % enters critical', { queue: 95 }, 'critical critical critical critical');
check('an overfull queue is critical', { queue: 300 }, 'critical critical critical critical');

check('memory below 75 % is normal', { memory: 74.9 }, 'normal normal normal normal');
check('memory of 75 % keeps moderate', { memory: 75 }, 'normal moderate moderate moderate');
check('memory of 80 % enters moderate', { memory: 80 }, 'moderate moderate moderate moderate');
check('memory of 85 % keeps high', { memory: 85 }, 'moderate moderate high high');
check('memory of 90 % enters high', { memory: 90 }, 'high high high high');
check('memory of 92 % keeps critical', { memory: 92 }, 'high high high critical');
check('memory of 97 % enters critical', { memory: 97 }, 'critical critical critical critical');

check('processors below 85 % are normal', { cpu: 84.9 }, 'normal normal normal normal');
check('processors at 85 % keep moderate', { cpu: 85 }, 'normal moderate moderate moderate');
check('processors at 90 % enter moderate', { cpu: 90 }, 'moderate moderate moderate moderate');
check('processors at 92 % keep high', { cpu: 92 }, 'moderate moderate high high');
check('processors at 94.5 % keep critical', { cpu: 94.5 }, 'moderate moderate high critical');
check('processors at 97 % enter high', { cpu: 97 }, 'high high high critical');
check('processors at 99.5 % enter critical', { cpu: 99.5 }, 'critical critical critical critical');

check('the worst signal counts', { queue: 50, memory: 90, cpu: 10 }, 'high high high high');
check(
  'one signal may keep a mode that another entered',
  { queue: 86, cpu: 10 },
  'high high high critical',
);

const mode = fc.constantFrom(...MODES);
const percent = fc.double({ min: 0, max: 100, noNaN: true });
const percents = fc.record({ queue: percent, memory: percent, cpu: percent });
const signal = fc.constantFrom<keyof Percents>('queue', 'memory', 'cpu');

test('a higher reading never gives a lower mode', () => {
  fc.assert(
    fc.property(mode, percents, fc.tuple(signal, percent), (previous, reading, [raised, more]) => {
      const higher = { ...reading, [raised]: reading[raised] + more };
      expect(MODES.indexOf(modeAfter(previous, higher))).toBeGreaterThanOrEqual(
        MODES.indexOf(modeAfter(previous, reading)),
      );
    }),
  );
});

/** From where a mode is kept to where it, or another of the same signal, is entered. */
const BANDS: readonly (readonly [keyof Percents, number, number])[] = [
  ['queue', 40, 50],
  ['queue', 70, 80],
  ['queue', 85, 95],
  ['memory', 75, 80],
  ['memory', 85, 90],
  ['memory', 92, 97],
  ['cpu', 85, 90],
  ['cpu', 92, 97],
  ['cpu', 97, 99.5],
];

test('a reading that swings within a band changes the mode at most once', () => {
  const swings = fc
    .constantFrom(...BANDS)
    .chain(([swinging, min, max]) =>
      fc.array(
        fc
          .double({ min, max, maxExcluded: true, noNaN: true })
          .map((value): Partial<Percents> => ({ [swinging]: value })),
      ),
    );
  fc.assert(
    fc.property(mode, percents, swings, (first, others, swing) => {
      let current = first;
      let changes = 0;
      for (const value of swing) {
        const next = modeAfter(current, { ...others, ...value });
        if (next !== current) changes++;
        current = next;
      }
      expect(changes).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1000 },
  );
});

test.for([
  ['normal', 1, 'critical high normal low'],
  ['moderate', 1.5, 'critical high normal low'],
  ['high', 2.5, 'critical high normal'],
  ['critical', 5, 'critical'],
] as const)('%s load makes timeouts %d times as long and serves %s', ([load, factor, served]) => {
  expect(timeoutFactor(load)).toBe(factor);
  expect(PRIORITIES.filter((priority) => isServed(load, priority)).join(' ')).toBe(served);
});

test.for([
  ['an empty queue takes a run', 0, false],
  ['a queue with one place left takes a run, however large it is', 9_999, false],
  ['a full queue refuses a new run', 10_000, true],
  ['a queue that is more than full refuses a new run', 12_000, true],
] as const)('%s', ([, queued, expected]) => {
  expect(isQueueFull({ queued, queueLimit: DEFAULT_QUEUE_LIMIT })).toBe(expected);
});
