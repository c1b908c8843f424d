import { expect, onTestFinished, test } from 'vitest';
import { requestOf, RequestError } from '../../../server/coordinator/messages.ts';
import type { Peer } from '../../../server/coordinator/server-peer.ts';
import { EchoHandler, failureOf, framesOf, join, Notes, RawPeer, serve } from './echo-board.ts';

function refuse(): never {
  throw new RequestError(-1, 'This task is claimed.', { holder: 'bob' });
}

function long(): string {
  return 'a'.repeat(1000);
}

function tell(peer: Peer): string {
  for (let count = 1; count <= 1000; count += 1) peer.notify('count', { count });
  return 'told';
}

test('an error that the handler means is told with its code and data', async () => {
  const { directory, faults } = await serve({ handler: new EchoHandler({ refuse }) });
  const failure = await failureOf((await join(directory)).request('refuse', {}));
  expect(failure.message).toBe('This task is claimed.');
  expect(failure.reason).toEqual({ kind: 'answer', code: -1, data: { holder: 'bob' } });
  expect(faults).toEqual([]);
});

test('an error that it does not mean is an answer without details, and is reported', async () => {
  const bug = new Error('undefined is not a function at line 12');
  const fail = (): never => {
    throw bug;
  };
  const { directory, faults } = await serve({ handler: new EchoHandler({ fail }) });
  const connection = await join(directory);
  const failure = await failureOf(connection.request('fail', {}));
  expect(failure.message).toBe('Interlock failed at this request.');
  expect(failure.reason).toMatchObject({ kind: 'answer', code: -32_603 });
  expect(faults).toEqual([bug]);
  expect(await connection.request('echo', [1])).toEqual([1]);
});

test('a handler that throws before it answers with a promise breaks only that request', async () => {
  const board = await serve();
  board.handler.request = () => {
    throw new RequestError(-1, 'at once');
  };
  const failure = await failureOf((await join(board.directory)).request('echo', {}));
  expect(failure.message).toBe('at once');
});

test('a handler that throws when a peer comes or goes breaks nothing', async () => {
  const handler = new EchoHandler();
  handler.joined = () => {
    throw new Error('joined');
  };
  const left = Promise.withResolvers<void>();
  handler.left = () => {
    left.resolve();
    throw new Error('left');
  };
  const { directory, faults } = await serve({ handler });
  const connection = await join(directory);
  expect(await connection.request('echo', [1])).toEqual([1]);
  connection.close();
  await left.promise;
  expect(await (await join(directory)).request('echo', [2])).toEqual([2]);
  expect(faults.map(String)).toEqual(['Error: joined', 'Error: left', 'Error: joined']);
});

test('an answer that is no JSON is an error, and is reported', async () => {
  const { directory, faults } = await serve({ handler: new EchoHandler({ count: () => 1n }) });
  const failure = await failureOf((await join(directory)).request('count', {}));
  expect(failure.reason).toMatchObject({ kind: 'answer', code: -32_603 });
  expect(faults.map(String)).toEqual(['TypeError: Do not know how to serialize a BigInt']);
});

test('an answer of nothing is null', async () => {
  const { directory } = await serve({ handler: new EchoHandler({ nothing: () => undefined }) });
  expect(await (await join(directory)).request('nothing', {})).toBe(null);
});

test('what is longer than a frame is refused before it is sent, in both directions', async () => {
  const limits = { frameBytes: 1000 };
  const { directory } = await serve({ handler: new EchoHandler({ long }), limits });
  const connection = await join(directory, { limits });
  const request = await failureOf(connection.request('echo', [long()]));
  expect(request.reason).toEqual({ kind: 'too-long' });
  const answer = await failureOf(connection.request('long', []));
  expect(answer.reason).toMatchObject({ kind: 'answer', code: -32_004 });
  expect(await connection.request('echo', [1])).toEqual([1]);
});

test('whoever is told more than a frame holds is closed, as it would miss a part', async () => {
  const board = await serve({ limits: { frameBytes: 1000 } });
  const heard = new Notes();
  await join(board.directory, { heard });
  board.handler.peers[0]?.notify('changed', ['a'.repeat(1000)]);
  await board.handler.notes.until('left ann');
  await heard.until('closed refused');
});

test('a peer that the handler closes is told so, and the others stay', async () => {
  const board = await serve();
  const heard = new Notes();
  await join(board.directory, { heard });
  const bob = await join(board.directory, { name: 'bob' });
  board.handler.peers[0]?.close();
  await board.handler.notes.until('left ann');
  board.handler.peers[0]?.notify('to', ['nobody']);
  expect(await bob.request('echo', [1])).toEqual([1]);
  await heard.until('closed bye');
});

test('notifications and answers arrive in the order in which they were sent', async () => {
  const { directory } = await serve({ handler: new EchoHandler({ tell }) });
  const heard = new Notes();
  const connection = await join(directory, { heard });
  heard.add(String(await connection.request('tell', [])));
  expect(heard.lines).toEqual([
    ...Array.from({ length: 1000 }, (_, index) => `count {"count":${index + 1}}`),
    'told',
  ]);
});

test('what the handler tells a peer that joins comes after its welcome', async () => {
  const handler = new EchoHandler();
  handler.joined = (peer) => peer.notify('welcome', []);
  const { directory } = await serve({ handler });
  const heard = new Notes();
  const connection = await join(directory, { heard });
  await connection.request('echo', []);
  expect(heard.lines).toEqual(['welcome []']);
});

test('all requests of one read are handed over in one tick', async () => {
  let ticks = 0;
  const seen: number[] = [];
  const note = (): void => {
    if (seen.length === 0) setImmediate(() => (ticks += 1));
    seen.push(ticks);
  };
  const board = await serve({ handler: new EchoHandler({ note }) });
  const peer = await RawPeer.join(board);
  peer.send(...Array.from({ length: 500 }, (_, id) => requestOf(id, 'note', [])));
  await peer.until(500);
  expect(seen).toEqual(Array.from({ length: 500 }, () => 0));
});

test('a peer that does not read is closed, and others are not held up', async () => {
  const board = await serve({ limits: { outgoingBytes: 1_000_000, lingerMs: 30 } });
  const slow = await RawPeer.join(board, 'slow');
  const heard = new Notes();
  const ann = await join(board.directory, { heard });
  slow.socket.pause();
  let told = 0;
  for (; !board.handler.notes.lines.includes('left slow'); told += 1) {
    for (const peer of board.handler.peers) peer.notify('changed', [told, 'a'.repeat(50_000)]);
    expect(await ann.request('echo', [told])).toEqual([told]);
  }
  expect(heard.lines.map((line) => Number(/\d+/.exec(line)?.[0]))).toEqual(
    Array.from({ length: told }, (_, index) => index),
  );
});

test('a peer that sends and never reads is closed too', async () => {
  const board = await serve({ limits: { outgoingBytes: 1_000_000 } });
  const greedy = await RawPeer.join(board, 'greedy');
  greedy.socket.pause();
  const requests = framesOf(
    ...Array.from({ length: 20 }, (_, id) => requestOf(id, 'echo', ['a'.repeat(50_000)])),
  );
  const timer = setInterval(() => greedy.socket.write(requests), 1);
  onTestFinished(() => clearInterval(timer));
  await board.handler.notes.until('left greedy');
  expect(board.faults).toEqual([]);
});
