import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { NO_PATHS } from '../../../server/domain/paths/path-set.ts';
import { instant } from '../../../server/domain/time.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import { serveBoard } from '../../../server/coordinator/board-server.ts';
import type { BoardCalls } from '../../../server/engine/board-calls.ts';
import type { Collision, Owner } from '../../../server/scheduler/model/ownership.ts';
import { connectBoard } from '../../../server/coordinator/board-connection.ts';
import { LinkLost } from '../../../server/keeper/links.ts';
import { Ear, join, Place, RUN, TASK, workerNamed } from './links-on-trial.ts';

const ANN = workerNamed('ann');
const BOB = workerNamed('bob');

/** What one process asks, and what the other one answers. */
function check<Call extends keyof BoardCalls>(
  call: Call,
  {
    args,
    answer,
  }: { args: Parameters<BoardCalls[Call]>; answer: Awaited<ReturnType<BoardCalls[Call]>> },
): void {
  test(`"${call}" is asked here and answered there: ${inspect(answer, { breakLength: Infinity })}`, async () => {
    const place = new Place();
    await place.serve();
    const { link } = await join(place.links());
    place.board.answers = { [call]: async () => answer };
    const asked: unknown = Reflect.apply(link.calls[call], link.calls, args);
    expect(await asked).toStrictEqual(answer);
    expect(place.board.asked).toStrictEqual([{ call, args }]);
  });
}

check('submit', { args: [RUN], answer: { kind: 'queue-full', queued: 3, limit: 2 } });
check('control', {
  args: [{ kind: 'retry-task', ...TASK }, 'op'],
  answer: { kind: 'refused', why: { kind: 'held' } },
});
check('claim', {
  args: [{ worker: ANN, operation: 'op' }],
  answer: { kind: 'granted', grant: { ...TASK, term: 7 } },
});
check('claim', {
  args: [{ worker: ANN, task: TASK, leaseMs: 9, operation: 'op' }],
  answer: { kind: 'unknown' },
});
check('claim', {
  args: [{ worker: ANN, operation: 'op' }],
  answer: {
    kind: 'blocked',
    reasons: [
      { kind: 'unsatisfiable', because: 'too-much', name: 'Infinity', asked: Infinity, limit: 1 },
      { kind: 'backoff', until: instant(5), tries: 1 },
    ],
  },
});
check('say', {
  args: [
    {
      ...TASK,
      term: 7,
      by: { kind: 'worker', worker: ANN.id },
      says: { kind: 'renew', leaseMs: 5 },
    },
    'op',
  ],
  answer: { kind: 'accepted', remainingMs: 5 },
});
check('say', {
  args: [
    { ...TASK, term: 7, by: { kind: 'worker', worker: ANN.id }, says: { kind: 'completed' } },
    'op',
  ],
  answer: { kind: 'stale', currentTerm: undefined },
});
check('own', {
  args: [{ id: 'x', worker: ANN.id, tree: '', reads: [], writes: ['a'], isUnsaved: true }, 'op'],
  answer: { kind: 'refused', what: 'a', message: 'No.' },
});
check('free', { args: ['x'], answer: undefined });
check('askRelease', {
  args: [
    { owner: { kind: 'person', id: 'x', isUnsaved: true }, worker: ANN.id, path: 'src/a' },
    'o',
  ],
  answer: { kind: 'refused', why: 'deaf' },
});
check('greet', { args: [ANN], answer: undefined });
check('leave', { args: [ANN.id, { terms: [7], left: 'ended' }], answer: undefined });

test('whom paths meet is told without the paths', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  const owner: Owner = {
    who: { kind: 'task', ...TASK },
    worker: BOB.id,
    tree: '',
    reads: NO_PATHS,
    writes: NO_PATHS,
    until: instant(9),
    isLive: true,
  };
  const met: readonly Collision[] = [{ owner, kind: 'write-write', rule: 'wait', example: 'a/b' }];
  const request = { id: 'x', worker: ANN.id, tree: '', reads: [], writes: ['a'], isUnsaved: false };
  place.board.answers = { own: async () => ({ kind: 'held', by: met }) };
  expect(await link.calls.own(request, 'op')).toEqual({ kind: 'held', by: met });
  place.board.answers = { own: async () => ({ kind: 'accepted', warnings: met }) };
  expect(await link.calls.own(request, 'op')).toEqual({ kind: 'accepted', warnings: met });
});

test('requests that come together reach the board in one tick', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  let ticks = 0;
  let isNewTick = true;
  place.board.answers = {
    free: async () => {
      if (isNewTick) ticks += 1;
      isNewTick = false;
      process.nextTick(() => (isNewTick = true));
    },
  };
  await Promise.all(Array.from({ length: 200 }, async () => await link.calls.free('x')));
  expect(ticks).toBe(1);
});

test('a mistake in a request is told to whoever made it, and to nobody else', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  const wrong = link.calls.submit({ ...RUN, root: 'work' });
  const right = link.calls.submit(RUN);
  await expect(wrong).rejects.toThrow('params.root: the whole path of a folder is needed');
  expect(await right).toStrictEqual({ kind: 'busy' });
  expect(place.board.asked).toHaveLength(1);
  expect(place.faults).toStrictEqual([]);
});

for (const reason of ['native', 'newer', 'deposed', 'network-file-system', 'world'] as const)
  test(`a store that fails (${reason}) fails for whoever asked, too`, async () => {
    const place = new Place();
    await place.serve();
    const { link } = await join(place.links());
    place.board.answers = { free: async () => fail(new StoreError(reason, 'The disk is full.')) };
    const error: unknown = await link.calls.free('x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ reason, message: 'The disk is full.' });
    expect(place.faults).toStrictEqual([]);
  });

test('a mistake of ours is told as a sentence, and the link goes on', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  const mistake = new TypeError('x is not a function');
  place.board.answers = { free: async () => fail(mistake) };
  await expect(link.calls.free('x')).rejects.toThrow('Interlock failed at this request.');
  expect(place.faults).toStrictEqual([mistake]);
  expect(await link.calls.submit(RUN)).toStrictEqual({ kind: 'busy' });
});

test('what nobody understands is an error or a fault, and nothing worse', async () => {
  const place = new Place();
  const nonsense = [null, 'x', [], {}, { kind: 'toString' }, { kind: 'blocked', reasons: [1] }];
  let answer: unknown;
  const ear = new Ear();
  await using server = await serveBoard({
    directory: place.directory,
    build: '2.0.0',
    onFault: () => {},
    handler: {
      joined: (peer) => {
        for (const params of [[], {}, { entries: [{}] }]) peer.notify('board/ledger', params);
        for (const params of [[], {}, { worker: 1 }]) peer.notify('board/wake', params);
        peer.notify('board/later', {});
      },
      request: async (_, method) =>
        method === 'board/subscribe' ? { after: 0, isLive: true, more: 1 } : answer,
      left: () => {},
    },
  });
  const result = await place.links().connect(ear, 0);
  if (result.kind !== 'connected') throw new Error(result.kind);
  expect(ear.notes.lines).toStrictEqual(['told nothing', 'told nothing', 'told nothing']);
  expect(place.faults).toHaveLength(6);
  const { calls } = result.link;
  for (answer of nonsense) {
    await expect(calls.submit(RUN)).rejects.toThrow('does not understand');
    await expect(calls.claim({ worker: ANN, operation: 'x' })).rejects.toThrow('understand');
  }
  expect(ear.notes.lines).toHaveLength(3);
  await server.close();
  await ear.notes.untilLine('gone');
});

test('a worker may not submit, and an observer may not even claim', async () => {
  const place = new Place();
  await place.serve();
  const { link: worker } = await join(place.links({ role: 'worker' }));
  const { link: observer } = await join(place.links({ role: 'observer' }));
  await expect(worker.calls.submit(RUN)).rejects.toThrow(
    'A peer that is a worker may not ask "board/submit".',
  );
  expect(await worker.calls.claim({ worker: ANN, operation: 'x' })).toStrictEqual({
    kind: 'nothing-to-claim',
  });
  await expect(observer.calls.claim({ worker: ANN, operation: 'x' })).rejects.toThrow('may not');
  expect(place.board.asked).toHaveLength(1);
});

test('a request that nobody knows is said to be so', async () => {
  const place = new Place();
  await place.serve();
  const result = await connectBoard({
    directory: place.directory,
    role: 'window',
    name: 'a test',
    build: '1.0.0',
    onNotification: () => {},
    onClosed: () => {},
  });
  if (result.kind !== 'connected') throw new Error(result.kind);
  using connection = result.connection;
  for (const method of ['board/teleport', 'toString', 'constructor'])
    await expect(connection.request(method, {})).rejects.toMatchObject({
      message: `There is no request "${method}".`,
      reason: { kind: 'answer', code: -32_601 },
    });
  await expect(connection.request('board/subscribe', { after: -1 })).rejects.toMatchObject({
    reason: { kind: 'answer', code: -32_602 },
  });
});

test('when the one who decides stops, everybody is told once, and whoever asks has lost the link', async () => {
  const place = new Place();
  const server = await place.serve();
  const { link, ear } = await join(place.links());
  await link.calls.greet(ANN);
  place.board.answers = { free: async () => await new Promise(() => {}) };
  const lost = link.calls.free('x').catch((error: unknown) => error);
  await place.board.notes.untilLine('freed x');
  await server.close();
  expect(await lost).toBeInstanceOf(LinkLost);
  await ear.notes.untilLine('gone');
  await expect(link.calls.free('x')).rejects.toBeInstanceOf(LinkLost);
  link.close();
  await server.close();
  expect(ear.notes.lines).toStrictEqual(['gone']);
  // They have not left the board: whoever decides next has them again.
  expect(place.board.notes.lines).not.toContain('left ann');
});

test('whoever closes its own link is not told that the other one has gone', async () => {
  const place = new Place();
  const server = await place.serve();
  const { link, ear } = await join(place.links());
  await link.calls.greet(ANN);
  link.close();
  await expect(link.calls.free('x')).rejects.toBeInstanceOf(LinkLost);
  await place.board.notes.untilLine('left ann');
  await server.close();
  // By then the end of the first connection has long arrived.
  await place.serve();
  await join(place.links());
  expect(ear.notes.lines).toStrictEqual([]);
});

test('one that goes while somebody connects was never there', async () => {
  const place = new Place();
  await using server = await serveBoard({
    directory: place.directory,
    build: '1.0.0',
    onFault: () => {},
    handler: {
      joined: () => {},
      request: async (peer) => {
        peer.close();
        return await new Promise(() => {});
      },
      left: () => {},
    },
  });
  const ear = new Ear();
  expect(await place.links().connect(ear, 0)).toStrictEqual({ kind: 'absent' });
  await server.close();
  await place.serve();
  await join(place.links());
  expect(ear.notes.lines).toStrictEqual([]);
  expect(place.faults).toStrictEqual([]);
});

test('what is not answered in time is lost, and the link goes on', async () => {
  const place = new Place();
  await place.serve();
  const { link, ear } = await join(place.links({ timeoutMs: 20 }));
  place.board.answers = { free: async () => await new Promise(() => {}) };
  await expect(link.calls.free('x')).rejects.toBeInstanceOf(LinkLost);
  expect(await link.calls.submit(RUN)).toStrictEqual({ kind: 'busy' });
  expect(ear.notes.lines).toStrictEqual([]);
});

test('where nobody decides, nobody is there', async () => {
  const place = new Place();
  expect(await place.links().connect(new Ear(), 0)).toStrictEqual({ kind: 'absent' });
  const server = await place.serve();
  await server.close();
  expect(await place.links().connect(new Ear(), 0)).toStrictEqual({ kind: 'absent' });
});

test('whoever is not let in is told why', async () => {
  const place = new Place();
  await place.serve({ limits: { peers: 0 } });
  expect(await place.links().connect(new Ear(), 0)).toStrictEqual({
    kind: 'refused',
    message: 'The board has as many connections as it may have. Close some of them.',
  });
});

test('whoever cannot listen says so, and closes all the same', async () => {
  const place = new Place();
  const server = place.links({ directory: `${place.directory}/missing` }).server(() => {});
  await expect(server.open(place.board, () => 0)).rejects.toThrow('missing');
  await server.close();
});

function fail(error: Error): never {
  throw error;
}
