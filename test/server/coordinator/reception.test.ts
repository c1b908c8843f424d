import { type Duplex, duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { TRANSPORT_LIMITS } from '../../../server/coordinator/limits.ts';
import { requestOf } from '../../../server/coordinator/messages.ts';
import { Reception } from '../../../server/coordinator/reception.ts';
import { EchoHandler, framesOf } from './echo-board.ts';

function open(handler = new EchoHandler()): Reception {
  const reception = new Reception({
    handler,
    build: '1.0.0',
    protocol: { min: 1, max: 1 },
    limits: { ...TRANSPORT_LIMITS, strangers: 3 },
    onFault: () => {},
    isToken: () => true,
  });
  onTestFinished(async () => await reception.close());
  return reception;
}

interface Arrival {
  /** The side of the coordinator. */
  readonly inside: Duplex;
  readonly outside: Duplex;
  /** How often the coordinator wrote to it. */
  readonly writes: () => number;
}

function arrive(reception: Reception): Arrival {
  const [inside, outside] = duplexPair();
  let writes = 0;
  const write = inside.write.bind(inside);
  inside.write = (bytes: unknown) => {
    writes += 1;
    return write(bytes);
  };
  outside.on('end', () => outside.end()).resume();
  reception.accept(inside);
  return { inside, outside, writes: () => writes };
}

test('of strangers who all come in one tick each makes another one go', () => {
  const reception = open();
  const arrivals = Array.from({ length: 6 }, () => arrive(reception));
  const gone = [true, true, true, false, false, false];
  expect(arrivals.map(({ inside }) => inside.destroyed)).toEqual(gone);
});

test('whoever comes while it closes is sent away', async () => {
  const reception = open();
  arrive(reception);
  const closed = reception.close();
  expect(arrive(reception).inside.destroyed).toBe(true);
  await closed;
  expect(reception.size).toBe(0);
});

test('answers of one tick go out in one write for each peer', async () => {
  const ready = Promise.withResolvers<string>();
  const later = async (): Promise<string> => {
    // Some are ready a little later, and still in the same tick.
    for (let times = 0; times < 10; times += 1) await ready.promise;
    return 'now';
  };
  const handler = new EchoHandler({ wait: () => ready.promise, later });
  const reception = open(handler);
  const protocol = { min: 1, max: 1 };
  const hello = { token: 'any', role: 'worker', name: 'raw', build: '1', protocol };
  const requests = Array.from({ length: 200 }, (_, id) =>
    requestOf(id, id % 2 === 0 ? 'wait' : 'later', []),
  );
  const arrivals = [arrive(reception), arrive(reception)];
  for (const { outside } of arrivals)
    outside.write(framesOf(requestOf('hello', 'hello', hello), ...requests));
  await handler.notes.until('raw later', 200);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(arrivals.map(({ writes }) => writes())).toEqual([1, 1]);
  ready.resolve('now');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(arrivals.map(({ writes }) => writes())).toEqual([2, 2]);
});
