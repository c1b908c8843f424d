import { expect, test } from 'vitest';
import { join, Notes, RawPeer, serve } from './echo-board.ts';

test('what goes to many is encoded once', async () => {
  const board = await serve();
  const ears = [new Notes(), new Notes(), new Notes()];
  for (const heard of ears) await join(board.directory, { heard });
  let encoded = 0;
  const params = {
    toJSON: () => {
      encoded += 1;
      return ['a'.repeat(50_000)];
    },
  };
  for (const peer of board.handler.peers) peer.notify('changed', params);
  await Promise.all(
    ears.map(async (heard) => await heard.until(`changed ["${'a'.repeat(50_000)}"]`)),
  );
  expect(encoded).toBe(1);
});

test('when too much waits for all together, the one for whom most waits goes', async () => {
  const limits = { outgoingBytes: 50_000_000, outgoingTogetherBytes: 4_000_000, lingerMs: 30 };
  const board = await serve({ limits });
  const { notes, peers } = board.handler;
  const slow = await RawPeer.join(board, 'slow');
  const slower = await RawPeer.join(board, 'slower');
  for (const { socket } of [slow, slower]) socket.pause();
  const quick = await join(board.directory, { name: 'quick' });
  const tell = (name: string, count: number): void => {
    const peer = peers.find((each) => each.name === name);
    for (let times = 0; times < count; times += 1) peer?.notify('changed', ['a'.repeat(500_000)]);
  };
  tell('slow', 4);
  await quick.request('echo', [1]);
  tell('slower', 12);
  await notes.until('left slower');
  expect(await quick.request('echo', [2])).toEqual([2]);
  expect(notes.lines.filter((line) => line.startsWith('left'))).toEqual(['left slower']);
});
