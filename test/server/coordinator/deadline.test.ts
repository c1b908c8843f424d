import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { after, monotonicMs } from '../../../server/coordinator/deadline.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.runIf(process.platform !== 'win32')(
  'what arrived while the process was held up is read before a deadline is over',
  async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const endpoint = path.join(temporaryFolder(), 'socket');
    await once(server.listen(endpoint), 'listening');
    const client = connect(endpoint);
    onTestFinished(() => void client.destroy());
    const socket = await new Promise<Socket>((resolve) => {
      server.once('connection', resolve);
    });
    const seen: string[] = [];
    socket.once('data', () => seen.push('data'));
    const over = Promise.withResolvers<void>();
    // Flowing, so that nothing but the loop is between the bytes and us.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    client.write('in time');
    after(1, () => {
      seen.push('over');
      over.resolve();
    });
    holdUp();
    await over.promise;
    expect(seen).toEqual(['data', 'over']);
  },
);

test('a deadline that was disposed of is never over, also when its time has come already', async () => {
  const seen: string[] = [];
  const first = after(0, () => seen.push('first'));
  first[Symbol.dispose]();
  const second = after(0, () => seen.push('second'));
  // The time of both has come when either is looked at, so this runs between the second's timer and its end.
  setTimeout(() => second[Symbol.dispose](), 0);
  holdUp();
  await new Promise<void>((resolve) => {
    after(5, resolve);
  });
  expect(seen).toEqual([]);
});

function holdUp(): void {
  const untilMs = monotonicMs() + 5;
  while (monotonicMs() < untilMs);
}
