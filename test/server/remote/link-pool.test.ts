import { expect, test } from 'vitest';
import type { Link } from '../../../server/remote/channel.ts';
import { LinkPool } from '../../../server/remote/link-pool.ts';

test('boards share the way to a machine, and the last of them closes it', async () => {
  const { pool, log } = opened();
  const [one, other] = [pool.of('build'), pool.of('build')];
  expect(log).toEqual(['open build']);
  await one.open();
  await other.open();
  one.close();
  one.close();
  expect(log).toEqual(['open build', 'channel 1 closed']);
  other.close();
  expect(log.slice(2)).toEqual(['channel 2 closed', 'close build']);
  pool.of('build');
  expect(log.at(-1)).toBe('open build');
});

test('a way has room for the channels of two boards', () => {
  const { pool, log } = opened();
  const links = Array.from({ length: 3 }, () => pool.of('build'));
  expect(log).toEqual(['open build', 'open build']);
  links[0]?.close();
  pool.of('build');
  expect(log).toEqual(['open build', 'open build']);
});

test('machines have ways of their own', () => {
  const { pool, log } = opened();
  pool.of('build').close();
  pool.of('other');
  expect(log).toEqual(['open build', 'close build', 'open other']);
});

test('a channel that comes too late is closed', async () => {
  const { pool, log } = opened();
  const link = pool.of('build');
  const channel = link.open();
  link.close();
  await channel;
  expect(log).toContain('channel 1 closed');
});

function opened() {
  const log: string[] = [];
  let channels = 0;
  const pool = new LinkPool((destination): Link => {
    log.push(`open ${destination}`);
    return {
      open: async () => {
        channels += 1;
        const name = `channel ${channels}`;
        return { write: () => {}, listen: () => {}, close: () => void log.push(`${name} closed`) };
      },
      close: () => void log.push(`close ${destination}`),
    };
  });
  return { pool, log };
}
