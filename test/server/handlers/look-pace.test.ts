import { expect, test } from 'vitest';
import { LookPace } from '../../../server/handlers/look-pace.ts';
import { HandTime } from '../../support/hand-time.ts';

test('however often there is news, those that wait are looked at some at a time, and all of them', async () => {
  const time = new HandTime();
  let [looks, left, rounds] = [0, 10_000, 0];
  const look = (): void => {
    const { most } = pace;
    looks += most;
    rounds += 1;
    left -= most;
    pace.looked({ isMore: left > 0 });
  };
  const pace = new LookPace(time, look);
  for (let news = 0; news < 1000; news += 1) {
    look();
    await time.pass(1);
  }
  expect(rounds).toBeGreaterThanOrEqual(1000);
  expect(looks).toBeLessThanOrEqual(5500);
  await time.pass(1000);
  expect(left).toBeLessThanOrEqual(0);
  const before = rounds;
  await time.pass(1000);
  expect(rounds).toBe(before);
});
