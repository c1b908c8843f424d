import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askOnce, type OneRequest } from '../../../server/coordinator/ask-once.ts';
import type { Peer } from '../../../server/coordinator/server-peer.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { EchoHandler, serve } from './echo-board.ts';

function asking(
  directory: string,
  request: Partial<OneRequest<unknown>> = {},
): OneRequest<unknown> {
  return {
    directory,
    name: 'ann',
    build: '2.0.0',
    method: 'echo',
    params: { a: 1 },
    decode: (result) => result,
    timeoutMs: 10_000,
    ...request,
  };
}

function tell(peer: Peer): string {
  for (let count = 1; count <= 100; count += 1) peer.notify('count', { count });
  return 'told';
}

function refuse(): never {
  throw new Error('It is no answer.');
}

async function wait(): Promise<never> {
  return await new Promise(() => {});
}

test('one request is answered, and comes after hello', async () => {
  const { directory, handler } = await serve();
  expect(await askOnce(asking(directory))).toEqual({ kind: 'answered', answer: { a: 1 } });
  expect(handler.notes.lines.slice(0, 2)).toEqual(['joined ann', 'ann echo']);
});

test('what the coordinator tells before its answer is no answer', async () => {
  const { directory } = await serve({ handler: new EchoHandler({ tell }) });
  const answer = await askOnce(asking(directory, { method: 'tell' }));
  expect(answer).toEqual({ kind: 'answered', answer: 'told' });
});

test('a coordinator that accepts no hello of ours is not asked', async () => {
  const { directory, handler } = await serve({ protocol: { min: 7, max: 9 } });
  expect(await askOnce(asking(directory))).toEqual({ kind: 'absent' });
  expect(handler.notes.lines).toEqual([]);
});

test('a coordinator that knows no such request counts as none', async () => {
  const { directory } = await serve();
  expect(await askOnce(asking(directory, { method: 'later' }))).toEqual({ kind: 'absent' });
});

test('a coordinator that does not answer is not waited for', async () => {
  const { directory } = await serve({ handler: new EchoHandler({ wait }) });
  const answer = await askOnce(asking(directory, { method: 'wait', timeoutMs: 50 }));
  expect(answer).toEqual({ kind: 'silent' });
});

test('an answer that cannot be read is none, and the connection is closed', async () => {
  const { directory, handler } = await serve();
  expect(await askOnce(asking(directory, { decode: refuse }))).toEqual({ kind: 'silent' });
  await handler.notes.until('left ann');
});

test('where nobody listens there is no answer', async () => {
  expect(await askOnce(asking(temporaryFolder()))).toEqual({ kind: 'absent' });
});

test('a token is not told to a socket that others could have put there', async () => {
  const { directory, handler } = await serve();
  chmodSync(directory, 0o777);
  expect(await askOnce(asking(directory))).toEqual({ kind: 'absent' });
  expect(handler.notes.lines).toEqual([]);
});
