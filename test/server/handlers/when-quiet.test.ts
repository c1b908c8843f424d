import { expect, test } from 'vitest';
import { WhenQuiet } from '../../../server/handlers/when-quiet.ts';
import { HandTime } from '../../support/hand-time.ts';

function begin(): {
  readonly time: HandTime;
  readonly quiet: WhenQuiet;
  readonly done: () => number;
} {
  const time = new HandTime();
  let count = 0;
  const quiet = new WhenQuiet(time, () => void (count += 1));
  return { time, quiet, done: () => count };
}

test('what was asked for once is done once, a moment later', async () => {
  const { time, quiet, done } = begin();
  quiet.ask();
  await time.pass(99);
  expect(done()).toBe(0);
  await time.pass(1000);
  expect(done()).toBe(1);
});

test('whoever asks again waits until nobody has for a moment', async () => {
  const { time, quiet, done } = begin();
  for (let key = 0; key < 8; key += 1) {
    quiet.ask();
    await time.pass(60);
  }
  expect(done()).toBe(0);
  await time.pass(200);
  expect(done()).toBe(1);
});

test('whoever asks all the time is not put off for more than a second', async () => {
  const { time, quiet, done } = begin();
  for (let key = 0; key < 1000; key += 1) {
    quiet.ask();
    await time.pass(10);
  }
  expect(done()).toBeGreaterThanOrEqual(8);
  const before = done();
  quiet.ask();
  await time.pass(1100);
  expect(done()).toBeGreaterThan(before);
});

test('what was done otherwise is not done again, and the next time counts', async () => {
  const { time, quiet, done } = begin();
  quiet.ask();
  quiet[Symbol.dispose]();
  await time.pass(1000);
  expect(done()).toBe(0);
  quiet.ask();
  await time.pass(1000);
  expect(done()).toBe(1);
});
