import { expect, test } from 'vitest';
import type { ChannelListener, Link } from '../../../server/remote/channel.ts';
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

test('a channel that has ended is not kept', async () => {
  const { pool, log, end } = opened();
  const link = pool.of('build');
  const [one, other] = [await link.open(), await link.open()];
  one.listen({ onBytes: () => {}, onClosed: (why) => void log.push(why) });
  end(1);
  other.close();
  await link.open();
  link.close();
  expect(log).toEqual([
    'open build',
    'its shell has ended',
    'channel 2 closed',
    'channel 3 closed',
    'close build',
  ]);
});

function opened() {
  const log: string[] = [];
  const listeners = new Map<number, ChannelListener>();
  let channels = 0;
  const pool = new LinkPool((destination): Link => {
    log.push(`open ${destination}`);
    return {
      open: async () => {
        channels += 1;
        const [number, name] = [channels, `channel ${channels}`];
        return {
          write: () => {},
          listen: (listener) => void listeners.set(number, listener),
          close: () => void log.push(`${name} closed`),
        };
      },
      close: () => void log.push(`close ${destination}`),
    };
  });
  const end = (number: number): void => listeners.get(number)?.onClosed('its shell has ended');
  return { pool, log, end };
}
