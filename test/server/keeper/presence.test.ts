import { expect, test } from 'vitest';
import type { WorkerId } from '../../../server/domain/ids.ts';
import { StoreError } from '../../../server/engine/store-error.ts';
import { join, Place, RUN, TASK, workerNamed } from './links-on-trial.ts';

/** Which workers are at the board through which peer. */

const ANN = workerNamed('ann');
const BOB = workerNamed('bob');

test('whoever leaves takes its workers along, unless they are here through somebody else', async () => {
  const place = new Place();
  await place.serve();
  const { notes } = place.board;
  const one = await join(place.links());
  const other = await join(place.links());
  await one.link.calls.greet(ANN);
  await one.link.calls.claim({ worker: BOB, operation: 'x' });
  await one.link.calls.greet(workerNamed('gone-before'));
  await one.link.calls.leave(workerNamed('gone-before').id);
  await other.link.calls.greet(ANN);
  one.link.close();
  await notes.untilLine('left bob');
  expect(notes.lines.filter((line) => line.startsWith('left'))).toStrictEqual([
    'left gone-before',
    'left bob',
  ]);
  other.link.close();
  await notes.untilLine('left ann');
});

test('through one peer there are at most 1000 workers', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  for (let each = 0; each < 1000; each += 1) await link.calls.greet(workerNamed(`${each}`));
  await expect(link.calls.greet(ANN)).rejects.toThrow('There are 1000 workers at the board');
  await expect(link.calls.claim({ worker: ANN, operation: 'x' })).rejects.toThrow('1000 workers');
  await link.calls.greet(workerNamed('7'));
  await link.calls.leave(workerNamed('7').id);
  await link.calls.greet(ANN);
});

test('a worker that leaves with its peer may fail to, and that is a fault of ours', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  await link.calls.greet(ANN);
  const mistake = new TypeError('no');
  place.board.answers = { leave: async () => fail(mistake) };
  link.close();
  await place.notes.untilLine('fault');
  expect(place.faults).toStrictEqual([mistake]);
});

test('a board that another process decides by now is not told who left', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  await link.calls.greet(ANN);
  const deposed = new StoreError('deposed', 'This process does not decide any more.');
  place.board.answers = { leave: async () => fail(deposed) };
  link.close();
  await place.board.notes.untilLine('left ann');
  await join(place.links());
  expect(place.faults).toStrictEqual([]);
});

test('a waking reaches those through whom the worker is here, and only them', async () => {
  const place = new Place();
  const server = await place.serve();
  const [one, other, third] = [
    await join(place.links()),
    await join(place.links()),
    await join(place.links()),
  ];
  await one.link.calls.greet(ANN);
  await other.link.calls.claim({ worker: ANN, operation: 'x' });
  await third.link.calls.greet(BOB);
  server.wake(ANN.id, TASK);
  server.wake(BOB.id, TASK);
  const woken = 'woken ann for run-0000001/build';
  await Promise.all([one.ear.notes.untilLine(woken), other.ear.notes.untilLine(woken)]);
  await third.ear.notes.untilLine('woken bob for run-0000001/build');
  expect(third.ear.notes.lines).not.toContain(woken);
});

test('one that waits for its claim is woken too', async () => {
  const place = new Place();
  const server = await place.serve();
  const { link, ear } = await join(place.links());
  place.board.answers = { claim: async () => await new Promise(() => {}) };
  link.calls.claim({ worker: ANN, operation: 'x' }).catch(() => {});
  await place.board.notes.untilLine('claim');
  server.wake(ANN.id, TASK);
  await ear.notes.untilLine('woken ann for run-0000001/build');
  expect(ear.notes.lines).toHaveLength(1);
});

test('that nothing is decided any more is told to whoever is here, and to whoever comes', async () => {
  const place = new Place();
  const server = await place.serve();
  place.write(2500);
  const before = await join(place.links());
  server.halt('Nothing more is decided.');
  await before.ear.notes.untilLine('halted: Nothing more is decided.');
  const after = await join(place.links());
  await after.ear.notes.untilLine('halted: Nothing more is decided.');
  for (const { ear } of [before, after])
    expect(ear.notes.lines.filter((line) => line.startsWith('halted'))).toHaveLength(1);
});

test('a worker is here again with whoever decides next', async () => {
  const place = new Place();
  const first = await place.serve();
  const links = place.links();
  const before = await join(links);
  await before.link.calls.greet(ANN);
  await before.link.calls.claim({ worker: BOB, operation: 'x' });
  await before.link.calls.greet(workerNamed('carl'));
  await before.link.calls.leave(workerNamed('carl').id);
  await first.close();
  place.board.asked.length = 0;
  const second = await place.serve();
  const after = await join(links);
  await place.board.notes.until(() => place.board.asked.length === 2);
  expect(place.board.asked).toStrictEqual([
    { call: 'greet', args: [ANN] },
    { call: 'greet', args: [BOB] },
  ]);
  second.wake(ANN.id, TASK);
  await after.ear.notes.untilLine('woken ann for run-0000001/build');
});

for (const { error, faults } of [
  { error: new StoreError('deposed', 'This process does not decide any more.'), faults: 0 },
  { error: new StoreError('world', 'The disk is full.'), faults: 1 },
])
  test(`a worker that cannot be here again (${error.reason}) is a fault or not: ${faults}`, async () => {
    const place = new Place();
    const first = await place.serve();
    const links = place.links();
    await (await join(links)).link.calls.greet(ANN);
    await first.close();
    place.board.answers = { greet: async () => fail(error) };
    await place.serve();
    const { link } = await join(links);
    await link.calls.submit(RUN);
    expect(place.faults).toHaveLength(faults);
  });

function fail(error: Error): never {
  throw error;
}

test('whoever leaves lets go of buffers with changes, and of nothing else', async () => {
  const place = new Place();
  await place.serve();
  const { notes } = place.board;
  const { link } = await join(place.links());
  const paths = { worker: ANN.id, tree: '/project', reads: [], writes: ['a'] };
  await link.calls.own({ id: 'taken', isUnsaved: false, ...paths }, '1');
  await link.calls.own({ id: 'buffer', isUnsaved: true, ...paths }, '2');
  await link.calls.own({ id: 'closed', isUnsaved: true, ...paths }, '3');
  await link.calls.free('closed');
  link.close();
  await notes.untilLine('freed buffer');
  expect(notes.lines.filter((line) => line.startsWith('freed'))).toStrictEqual([
    'freed closed',
    'freed buffer',
  ]);
});

test('a worker’s own connection speaks for the workers that came through it, and for no other', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links({ role: 'worker' }));
  await link.calls.greet(ANN);
  const says = { kind: 'completed' } as const;
  const say = async (worker: WorkerId): Promise<unknown> =>
    await link.calls.say({ ...TASK, term: 7, by: { kind: 'worker', worker }, says }, 'op');
  await expect(say(BOB.id)).rejects.toThrow('speaks for the workers that came through it');
  expect(await say(ANN.id)).toStrictEqual({ kind: 'accepted' });
  expect(place.board.asked.filter(({ call }) => call === 'say')).toHaveLength(1);
  const byCommand = link.calls.say({ ...TASK, term: 7, by: { kind: 'command' }, says }, 'op 2');
  await expect(byCommand).rejects.toThrow('speaks for the workers that came through it');
  await expect(link.calls.told(BOB.id, [7])).rejects.toThrow('speaks for the workers');
  await expect(link.calls.free('own/of-somebody')).rejects.toThrow('speaks for the workers');
});

test('with the connection of an agent end the claims that it renewed by itself', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links());
  const by = { kind: 'worker', worker: ANN.id } as const;
  const says = { kind: 'renew', isAutomatic: true } as const;
  await link.calls.greet(ANN);
  await link.calls.say({ ...TASK, term: 1, by, says }, 'renew 1');
  await link.calls.say({ ...TASK, term: 2, by, says }, 'renew 2');
  await link.calls.say({ ...TASK, term: 2, by, says: { kind: 'completed' } }, 'complete 2');
  await link.calls.say({ ...TASK, term: 3, by, says: { kind: 'renew' } }, 'renew 3');
  // A command that claims, and leaves, says nothing of its claim.
  await link.calls.claim({ worker: BOB, operation: 'claim' });
  link.close();
  await place.board.notes.untilLine('left bob');
  const left = place.board.asked.filter(({ call }) => call === 'leave');
  expect(left.map(({ args }) => args)).toStrictEqual([
    [ANN.id, { terms: [1], left: 'unknown' }],
    [BOB.id, undefined],
  ]);
});

test('a connection ends only the claims of workers that came through it', async () => {
  const place = new Place();
  await place.serve();
  const { link } = await join(place.links({ role: 'worker' }));
  await link.calls.greet(ANN);
  const end = { terms: [1], left: 'ended' } as const;
  await expect(link.calls.leave(BOB.id, end)).rejects.toThrow(
    'speaks for the workers that came through it',
  );
  await link.calls.leave(ANN.id, end);
  expect(place.board.asked.at(-1)).toStrictEqual({ call: 'leave', args: [ANN.id, end] });
});
