import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { join, serve } from './echo-board.ts';

for (const what of ['token', 'socket'])
  test(`whoever listens puts its ${what} back, and keeps who is there`, async () => {
    const { directory, server } = await serve();
    const early = await join(directory, { name: 'early' });
    rmSync(path.join(directory, what));
    await server.restore();
    const late = await join(directory, { name: 'late' });
    expect(await Promise.all([early.request('echo', [1]), late.request('echo', [2])])).toEqual([
      [1],
      [2],
    ]);
    await server.close();
    expect(readdirSync(directory)).toEqual([]);
  });

test('what is there is left as it is, and after the end nothing is put back', async () => {
  const { directory, server } = await serve();
  await server.restore();
  expect(readdirSync(directory).toSorted()).toEqual(['socket', 'token']);
  await server.close();
  await server.restore();
  expect(readdirSync(directory)).toEqual([]);
});

test('whoever ends removes only what is its own', async () => {
  const first = await serve();
  const { directory } = first;
  const second = await serve({ directory });
  await first.server.close();
  expect(existsSync(second.server.endpoint)).toBe(true);
  const connection = await join(directory);
  expect(await connection.request('echo', ['who'])).toEqual(['who']);
  await second.server.close();
  expect(readdirSync(directory)).toEqual([]);
});
