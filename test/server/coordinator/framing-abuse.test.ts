import { expect, test } from 'vitest';
import { requestOf } from '../../../server/coordinator/messages.ts';
import {
  brief,
  EchoHandler,
  frameOf,
  framesOf,
  helloOf,
  join,
  RawPeer,
  serve,
  type TestBoard,
} from './echo-board.ts';

const MIB = 1024 * 1024;

/** Bytes that a peer sends which has said hello: one error, then it is closed, and no one else is. */
function check(name: string, bytes: Buffer, refusal: string): void {
  test(`73: ${name} is one error and the end, for this peer only`, async () => {
    const board = await serve();
    const other = await join(board.directory);
    const peer = await RawPeer.join(board);
    peer.socket.write(bytes);
    expect((await peer.untilClosed()).map(brief)).toEqual([`null error -32700 ${refusal}`]);
    await board.handler.notes.until('left raw');
    expect(await other.request('echo', [1])).toEqual([1]);
    expect(board.faults).toEqual([]);
  });
}

check('length 0', frameOf(''), 'This frame has no content.');
check('length 2^32-1', frameOf('', 2 ** 32 - 1), 'This frame is longer than a frame may be.');
check('16 MiB + 1', frameOf('', 16 * MIB + 1), 'This frame is longer than a frame may be.');
check('garbage', frameOf('\u0001\u0002 nonsense'), 'This frame is not JSON.');
check(
  'JSON of 10^5 levels',
  frameOf('['.repeat(100_000)),
  'The JSON of this frame has too many levels.',
);
check('invalid UTF-8', frameOf(Buffer.from([0x22, 0xc3, 0x28, 0x22])), 'This frame is not UTF-8.');

test('73: a truncated frame is one error and the end', async () => {
  const board = await serve();
  const peer = await RawPeer.join(board);
  peer.socket.end(frameOf('[1,2', 100));
  expect((await peer.untilClosed()).map(brief)).toEqual([
    'null error -32700 This frame ends before its length.',
  ]);
});

test('73: what comes after a violation is thrown away, however much it is', async () => {
  const board = await serve();
  const peer = await RawPeer.join(board);
  peer.socket.write(frameOf(''));
  for (let times = 0; times < 100; times += 1)
    peer.send(requestOf(times, 'echo', ['a'.repeat(10_000)]));
  expect((await peer.untilClosed()).length).toBe(1);
  expect(board.handler.notes.lines.filter((line) => line === 'raw echo')).toEqual([]);
});

test('73: before hello 64 KiB + 1 are too long, and the same frame after hello is not', async () => {
  const board = await serve();
  const stranger = await RawPeer.connect(board.server.endpoint);
  const long = framesOf(requestOf(1, 'echo', ['a'.repeat(64 * 1024)]));
  stranger.socket.write(long);
  expect((await stranger.untilClosed()).map(brief)).toEqual([
    'null error -32700 This frame is longer than a frame may be.',
  ]);
  const peer = await RawPeer.join(board);
  peer.socket.write(long);
  expect((await peer.until(1)).map(brief)[0]).toContain('1 ["aaa');
});

test('73: a hello and a long request in one write are both read', async () => {
  const board = await serve();
  const peer = await RawPeer.connect(board.server.endpoint);
  peer.send(
    requestOf(0, 'hello', helloOf(board.directory)),
    requestOf(1, 'echo', ['a'.repeat(64 * 1024)]),
  );
  const answers = (await peer.until(2)).map(brief);
  expect(answers[1]).toContain('1 ["aaa');
});

/** A byte each few milliseconds, until it is closed. */
async function drip(peer: RawPeer, bytes: Buffer): Promise<readonly string[]> {
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) peer.socket.write(bytes.subarray(at, at + 1));
    at += 1;
  }, 5);
  try {
    return (await peer.untilClosed()).map(brief);
  } finally {
    clearInterval(timer);
  }
}

test('73: a slow loris is closed when its frame is, though each byte is on time', async () => {
  const board = await serve({ limits: { frameMs: 60 } });
  const peer = await RawPeer.join(board);
  expect(await drip(peer, frameOf(`"${'a'.repeat(1000)}"`))).toEqual([
    'null error -32700 This frame took too long to arrive.',
  ]);
  await board.handler.notes.until('left raw');
});

test('73: a slow loris before hello is closed when its hello is due', async () => {
  const board = await serve({ limits: { helloMs: 60 } });
  const peer = await RawPeer.connect(board.server.endpoint);
  expect(await drip(peer, frameOf(`"${'a'.repeat(1000)}"`))).toEqual([
    'null error -32001 The hello did not come.',
  ]);
});

test('73: a frame that stops in the middle is closed though nothing more comes', async () => {
  const board = await serve({ limits: { frameMs: 30 } });
  const peer = await RawPeer.join(board);
  peer.socket.write(frameOf('[1', 50));
  expect((await peer.untilClosed()).map(brief)).toEqual([
    'null error -32700 This frame took too long to arrive.',
  ]);
});

test('73: whoever has said hello may be silent for as long as it likes', async () => {
  const board = await serve({ limits: { helloMs: 30, frameMs: 30 } });
  const peer = await RawPeer.join(board);
  const stranger = await RawPeer.connect(board.server.endpoint);
  await stranger.untilClosed();
  peer.send(requestOf(1, 'echo', [1]));
  expect((await peer.until(1)).map(brief)).toEqual(['1 [1]']);
});

test('73: of 300 connections that say nothing the newest stay, and who said hello stays', async () => {
  const board = await serve({ limits: { strangers: 20, helloMs: 60_000 } });
  const ann = await join(board.directory);
  const closed: number[] = [];
  const strangers: RawPeer[] = [];
  for (let index = 0; index < 300; index += 1) {
    const peer = await RawPeer.connect(board.server.endpoint);
    peer.socket.once('close', () => closed.push(index));
    strangers.push(peer);
  }
  await Promise.all(strangers.slice(0, 280).map(async (peer) => await peer.untilClosed()));
  expect(closed.toSorted((one, two) => one - two)).toEqual(
    Array.from({ length: 280 }, (_, index) => index),
  );
  expect(await ann.request('echo', [1])).toEqual([1]);
  expect(await (await join(board.directory)).request('echo', [2])).toEqual([2]);
});

test('73: there are no more peers than seats, and one that leaves makes room', async () => {
  const board = await serve({ limits: { peers: 2, peersKept: 0 } });
  const first = await join(board.directory, { name: 'first' });
  await join(board.directory, { name: 'second' });
  const third = await RawPeer.connect(board.server.endpoint);
  third.send(requestOf(7, 'hello', helloOf(board.directory)));
  expect((await third.untilClosed()).map(brief)).toEqual([
    '7 error -32003 The board has as many connections as it may have. Close some of them.',
  ]);
  first.close();
  await board.handler.notes.until('left first');
  expect((await join(board.directory, { name: 'third' })).peer).toBe(3);
});

test('connections of one group leave seats for each other group', async () => {
  const board = await serve({ limits: { peers: 8, peersKept: 1 } });
  const windows = Array.from({ length: 4 }, async () => await join(board.directory));
  await Promise.all(windows);
  const late = await RawPeer.connect(board.server.endpoint);
  late.send(requestOf(7, 'hello', helloOf(board.directory)));
  expect((await late.untilClosed()).map(brief)).toEqual([
    '7 error -32003 The board has as many connections as it may have. Close some of them.',
  ]);
  for (const group of ['command', 'agent'] as const)
    expect((await join(board.directory, { group })).peer).toBeGreaterThan(4);
  expect((await join(board.directory, { role: 'observer' })).peer).toBe(7);
});

test('73: a second request under an id that is under way is refused, and the first is answered', async () => {
  const open = Promise.withResolvers<string>();
  const board = await serve({ handler: new EchoHandler({ wait: () => open.promise }) });
  const peer = await RawPeer.join(board);
  peer.send(
    requestOf(1, 'wait', []),
    requestOf(1, 'echo', []),
    requestOf('1', 'echo', ['another']),
  );
  expect((await peer.until(2)).map(brief)).toEqual([
    'null error -32600 There is a request under way that has the same id.',
    '1 ["another"]',
  ]);
  open.resolve('late');
  expect((await peer.until(3)).map(brief)[2]).toBe('1 "late"');
  peer.send(requestOf(1, 'echo', ['again']));
  expect((await peer.until(4)).map(brief)[3]).toBe('1 ["again"]');
  expect(board.handler.notes.lines.filter((line) => line.startsWith('raw'))).toEqual([
    'raw wait',
    'raw echo',
    'raw echo',
  ]);
});

test('73: more requests at once than there may be are told so, and the others are answered', async () => {
  const open = Promise.withResolvers<string>();
  const board = await serve({
    handler: new EchoHandler({ wait: () => open.promise }),
    limits: { requestsInFlight: 2 },
  });
  const peer = await RawPeer.join(board);
  peer.send(...[1, 2, 3].map((id) => requestOf(id, 'wait', [])));
  expect((await peer.until(1)).map(brief)).toEqual([
    '3 error -32003 There are 2 requests under way. Wait for an answer first.',
  ]);
  open.resolve('now');
  expect((await peer.until(3)).map(brief).slice(1)).toEqual(['1 "now"', '2 "now"']);
  peer.send(requestOf(4, 'echo', []));
  expect((await peer.until(4)).map(brief)[3]).toBe('4 []');
});

/** A frame that is JSON and no request is answered, and the connection goes on. */
function checkNoRequest(name: string, message: unknown, answer: string): void {
  test(`73: ${name} is an error and not the end`, async () => {
    const board: TestBoard = await serve();
    const peer = await RawPeer.join(board);
    peer.send(message, requestOf(2, 'echo', [2]));
    expect((await peer.until(2)).map(brief)).toEqual([answer, '2 [2]']);
  });
}

const no = 'error -32600 This is no request:';
checkNoRequest('a number', 5, `null ${no} not JSON-RPC 2.0.`);
checkNoRequest('null', null, `null ${no} not JSON-RPC 2.0.`);
checkNoRequest('a batch', [requestOf(1, 'echo', [])], `null ${no} not JSON-RPC 2.0.`);
checkNoRequest(
  'another JSON-RPC',
  { jsonrpc: '1.0', id: 1, method: 'echo' },
  `null ${no} not JSON-RPC 2.0.`,
);
checkNoRequest(
  'a request without a method',
  { jsonrpc: '2.0', id: 1 },
  `1 ${no} neither a request nor an answer.`,
);
checkNoRequest(
  'a method that is no string',
  { jsonrpc: '2.0', id: 1, method: 5 },
  `1 ${no} a method is a string.`,
);
checkNoRequest(
  'params that are a string',
  requestOf(1, 'echo', 'text'),
  `1 ${no} params are a list or an object.`,
);
checkNoRequest(
  'an id that is an object',
  { jsonrpc: '2.0', id: {}, method: 'echo' },
  `null ${no} an id is a whole number or a string of at most 128 characters.`,
);
checkNoRequest(
  'an id of 129 characters',
  requestOf('a'.repeat(129), 'echo', []),
  `null ${no} an id is a whole number or a string of at most 128 characters.`,
);
checkNoRequest(
  'an unknown method',
  requestOf(1, 'nothing', []),
  '1 error -32601 There is no method "nothing".',
);
test('73: answers to questions that nobody asked, and notifications, are ignored', async () => {
  const board = await serve();
  const peer = await RawPeer.join(board);
  peer.send(
    { jsonrpc: '2.0', id: 9, result: 1 },
    { jsonrpc: '2.0', id: 9, error: { code: 1, message: 'no' } },
    { jsonrpc: '2.0', method: 'echo', params: [] },
    requestOf(2, 'echo', [2]),
  );
  expect((await peer.until(1)).map(brief)).toEqual(['2 [2]']);
  expect(board.handler.notes.lines).toEqual(['joined raw', 'raw echo']);
});
