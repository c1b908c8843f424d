import { expect, test } from 'vitest';
import { DrawLimit } from '../../client/draw-limit.ts';
import type { Timers } from '../../client/time.ts';

/** Time that passes when the test says so. */
class HandTimers implements Timers {
  readonly #acts = new Set<() => void>();

  after(_: number, act: () => void): Disposable {
    this.#acts.add(act);
    return { [Symbol.dispose]: () => void this.#acts.delete(act) };
  }

  pass(): void {
    const due = [...this.#acts];
    this.#acts.clear();
    for (const act of due) act();
  }
}

test('it draws after what comes in one turn, then what has come meanwhile together, and the last time always', () => {
  const timers = new HandTimers();
  let drawn = 0;
  const limit = new DrawLimit(
    () => (drawn += 1),
    () => 250,
    timers,
  );
  limit.ask();
  expect(drawn).toBe(0);
  timers.pass();
  expect(drawn).toBe(1);
  for (let times = 0; times < 1000; times += 1) limit.ask();
  expect(drawn).toBe(1);
  timers.pass();
  expect(drawn).toBe(2);
  timers.pass();
  expect(drawn).toBe(2);
  limit.ask();
  timers.pass();
  expect(drawn).toBe(3);
  limit.ask();
  limit[Symbol.dispose]();
  timers.pass();
  expect(drawn).toBe(3);
});
