import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { SystemClock } from '../../../server/system/clock.ts';

const DAY_MS = 86_400_000;
/** By then the clock has noticed that the machine has slept. */
const AWAKE_MS = 10;

/** A machine whose time somebody sets, that sleeps, and that is started anew. */
class Machine {
  wall = 1_000_000;
  awakeMs = 500;
  sleptMs = 0;
  bootId = 'first';

  clock(): SystemClock {
    return new SystemClock({
      wallMs: () => this.wall,
      monotonicMs: () => this.awakeMs,
      // In whole steps, as Linux says it.
      uptimeMs: () => Math.floor((this.awakeMs + this.sleptMs) / 20) * 20,
      bootId: this.bootId,
    });
  }

  work(ms: number): void {
    this.awakeMs += ms;
    this.wall += ms;
  }

  /** And wakes up, which takes a moment. */
  sleep(ms: number): void {
    this.sleptMs += ms;
    this.wall += ms;
    this.work(AWAKE_MS);
  }

  setWall(byMs: number): void {
    this.wall += byMs;
  }

  restart(offMs: number): void {
    this.awakeMs = 3;
    this.sleptMs = 0;
    this.wall += offMs;
    this.bootId += "'";
  }
}

test('the clock starts at the time of day and goes on with it', () => {
  const machine = new Machine();
  const clock = machine.clock();
  expect(clock.now()).toBe(1_000_000);
  machine.work(25);
  expect(clock.now()).toBe(1_000_025);
});

for (const days of [1, -1])
  test(`setting the time of day by ${days} day changes nothing`, () => {
    const machine = new Machine();
    const clock = machine.clock();
    clock.now();
    machine.setWall(days * DAY_MS);
    machine.work(30);
    expect(clock.now()).toBe(1_000_030);
  });

test('the time in which the machine sleeps counts', () => {
  const machine = new Machine();
  const clock = machine.clock();
  clock.now();
  machine.work(10);
  machine.sleep(60_000);
  const now = clock.now();
  expect(now).toBeGreaterThanOrEqual(1_000_020 + 60_000 - 20);
  expect(now).toBeLessThanOrEqual(1_000_020 + 60_000 + 20);
  machine.work(7);
  expect(clock.now()).toBe(now + 7);
});

test('a clock of another process goes on at the same time, whatever the time of day is', () => {
  const machine = new Machine();
  const first = machine.clock();
  first.now();
  machine.work(1000);
  const saved = first.save();
  machine.setWall(-DAY_MS);
  machine.sleep(5000);
  const second = machine.clock();
  second.resume(saved);
  expect(Math.abs(second.now() - first.now())).toBeLessThanOrEqual(40);
  expect(second.now()).toBeGreaterThanOrEqual(saved.at);
});

test('it does not follow a clock that was set forward before it was started', () => {
  const machine = new Machine();
  const saved = machine.clock().save();
  machine.setWall(DAY_MS);
  machine.work(100);
  const second = machine.clock();
  second.resume(saved);
  expect(second.now()).toBeLessThanOrEqual(1_000_120);
});

for (const [offMs, expected] of [
  [60_000, 1_060_000],
  [-DAY_MS, 1_000_000],
] as const)
  test(`after a start of the machine the later one counts, of what was saved and the time of day (${offMs})`, () => {
    const machine = new Machine();
    const saved = machine.clock().save();
    machine.restart(offMs);
    const clock = machine.clock();
    clock.resume(saved);
    expect(clock.now()).toBe(expected);
  });

test('where nobody knows whether the machine was started, the later one counts', () => {
  const machine = new Machine();
  machine.bootId = '';
  const saved = machine.clock().save();
  machine.work(500);
  machine.setWall(1000);
  const clock = machine.clock();
  clock.resume(saved);
  expect(clock.now()).toBe(1_001_500);
});

test('a clock that has been read does not go back to what another one has saved', () => {
  const machine = new Machine();
  const clock = machine.clock();
  const now = clock.now();
  clock.resume({ at: instant(now - 5000), bootId: 'first', uptimeMs: 500 });
  expect(clock.now()).toBe(now);
  clock.resume({ at: instant(now + 5000), bootId: 'first', uptimeMs: 500 });
  expect(clock.now()).toBeGreaterThanOrEqual(now + 5000);
});

type Step = ['work' | 'sleep' | 'setWall', number] | ['save' | 'resume' | 'look', number];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom('work' as const, 'look' as const), fc.integer({ min: 0, max: 300 })),
  fc.tuple(fc.constant('sleep' as const), fc.integer({ min: 0, max: 100_000 })),
  fc.tuple(fc.constant('setWall' as const), fc.integer({ min: -DAY_MS, max: DAY_MS })),
  fc.tuple(fc.constantFrom('save' as const, 'resume' as const), fc.constant(0)),
);

test('whatever the machine does, time never goes back, and is what has passed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (script) => {
      const machine = new Machine();
      const clock = machine.clock();
      const start = clock.now();
      let last = start;
      let passedMs = 0;
      let saved = clock.save();
      for (const [kind, ms] of script) {
        if (kind === 'save') saved = clock.save();
        else if (kind === 'resume') clock.resume(saved);
        else if (kind !== 'look') machine[kind](ms);
        if (kind === 'work' || kind === 'sleep') passedMs += ms;
        if (kind === 'sleep') passedMs += AWAKE_MS;
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(last);
        // Naps too short to be told from coarseness, and the coarseness itself.
        expect(Math.abs(now - start - passedMs)).toBeLessThanOrEqual(50 + 20 + 20 * script.length);
        last = now;
      }
    }),
    { numRuns: 500 },
  );
});

test('it reads the time of day, and this machine goes on', () => {
  const clock = new SystemClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  const saved = clock.save();
  const other = new SystemClock();
  other.resume(saved);
  expect(other.now()).toBeGreaterThanOrEqual(saved.at);
  expect(other.now() - clock.now()).toBeLessThan(1000);
});

test('what is held stands still, and nothing of the time is lost', () => {
  const machine = new Machine();
  const clock = machine.clock();
  const before = clock.now();
  {
    using _ = clock.hold();
    machine.work(500);
    expect(clock.now()).toBe(before);
  }
  expect(clock.now()).toBe(before + 500);
});
