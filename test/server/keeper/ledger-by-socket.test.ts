import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ear, join, Place } from './links-on-trial.ts';
import type { LedgerEntry } from '../../../server/engine/store-port.ts';
import type { ReadLedger } from '../../../server/keeper/ledger-feed.ts';
import { StoreError } from '../../../server/engine/store-error.ts';

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

test('what was missed comes first, and then what happens', async () => {
  const place = new Place();
  const server = await place.serve();
  place.write(5);
  const { ear } = await join(place.links(), 2);
  expect(ear.sequences).toStrictEqual([3, 4, 5]);
  server.tell(place.write(2));
  await ear.notes.untilLine('told to 7');
  expect(ear.sequences).toStrictEqual(numbers(3, 7));
});

test('a line arrives as it is', async () => {
  const place = new Place();
  const server = await place.serve();
  const told: unknown[] = [];
  const ear = new Ear();
  const result = await place.links().connect(
    {
      told: (entries) => {
        told.push(...entries);
        ear.told(entries);
      },
      woken: () => {},
      halted: () => {},
      gone: () => {},
    },
    0,
  );
  expect(result.kind).toBe('connected');
  server.tell(place.write(1, '~ é \u{1f600} __proto__'));
  await ear.notes.untilLine('told to 1');
  expect(told).toStrictEqual(place.ledger);
  if (result.kind === 'connected') result.link.close();
});

test('a long ledger comes in pages, and each is asked for', async () => {
  const place = new Place();
  await place.serve();
  place.write(2500);
  const { ear } = await join(place.links());
  expect(ear.sequences).toStrictEqual(numbers(1, 2500));
  expect(ear.notes.lines).toStrictEqual(['told to 1000', 'told to 2000', 'told to 2500']);
});

test('a ledger of exactly a page has nothing after it', async () => {
  const place = new Place();
  const server = await place.serve();
  place.write(1000);
  const { ear } = await join(place.links());
  server.tell(place.write(1));
  await ear.notes.untilLine('told to 1001');
  expect(ear.sequences).toStrictEqual(numbers(1, 1001));
});

test('more than waits for a peer to read comes whole, because it comes in pages', async () => {
  const place = new Place();
  const server = await place.serve({ limits: { outgoingBytes: 2 ** 21 } });
  place.write(30, 'x'.repeat(400_000));
  const { ear } = await join(place.links());
  expect(ear.sequences).toStrictEqual(numbers(1, 30));
  server.tell(place.write(2, 'x'.repeat(400_000)));
  await ear.notes.untilLine('told to 32');
  expect(ear.sequences).toStrictEqual(numbers(1, 32));
});

test('of a line that no frame can hold a peer is told that there is something to read', async () => {
  const place = new Place();
  const server = await place.serve();
  place.write(1);
  place.write(1, 'x'.repeat(6 * 2 ** 20));
  place.write(1);
  const { ear } = await join(place.links());
  expect(ear.notes.lines).toStrictEqual(['told to 1', 'told nothing', 'told to 3']);
  server.tell([...place.write(1, 'x'.repeat(6 * 2 ** 20)), ...place.write(1)]);
  await ear.notes.untilLine('told to 5');
  expect(ear.notes.lines.slice(3)).toStrictEqual(['told nothing', 'told to 5']);
});

test('no more of the ledger is read at once than is told at once', async () => {
  const place = new Place();
  const read: number[] = [];
  // As the store does: it stops after the line that is too much.
  const events: ReadLedger = (after, limit, length) => {
    let taken = 0;
    const all = place.ledger.slice(after, after + limit);
    const end = all.findIndex((entry) => (taken += JSON.stringify(entry.event).length) > length);
    const entries = end < 0 ? all : all.slice(0, end + 1);
    read.push(entries.length);
    return entries;
  };
  await place.serve({ events });
  place.write(6, 'x'.repeat(400_000));
  place.write(1, 'x'.repeat(1_100_000));
  place.write(1);
  const { ear } = await join(place.links());
  expect(ear.sequences).toStrictEqual(numbers(1, 8));
  expect(Math.max(...read)).toBe(3);
});

test('what nobody told of is read before what comes after it', async () => {
  const place = new Place();
  const server = await place.serve();
  const { ear } = await join(place.links());
  place.write(3);
  server.tell(place.write(1));
  await ear.notes.untilLine('told to 4');
  expect(ear.sequences).toStrictEqual(numbers(1, 4));
});

test('what was told before is not told again, and nothing is read for it', async () => {
  const place = new Place();
  let reads = 0;
  const events = (after: number): readonly LedgerEntry[] => {
    reads += 1;
    return place.ledger.slice(after);
  };
  const server = await place.serve({ events });
  const lines = place.write(3);
  const { ear } = await join(place.links());
  server.tell(lines);
  server.tell([...lines, ...place.write(1)]);
  await ear.notes.untilLine('told to 4');
  expect(ear.sequences).toStrictEqual(numbers(1, 4));
  expect(reads).toBe(1);
});

test('what lies before the base of the ledger is not waited for', async () => {
  const place = new Place();
  const server = await place.serve();
  place.write(10);
  place.ledger.splice(0, 6);
  const { ear } = await join(place.links(), 2);
  expect(ear.sequences).toStrictEqual([7, 8, 9, 10]);
  place.ledger.splice(0, 4);
  const [line] = place.write(1);
  server.tell([{ ...line!, sequence: 11 }]);
  await ear.notes.untilLine('told to 11');
});

test('a ledger that cannot be read is a StoreError for whoever connects', async () => {
  const place = new Place();
  await place.serve({
    events: () => {
      throw new StoreError('world', 'The disk is gone.');
    },
  });
  const connecting = place.links().connect(new Ear(), 0);
  await expect(connecting).rejects.toMatchObject({ reason: 'world', message: 'The disk is gone.' });
  expect(place.faults).toStrictEqual([]);
});

test('while one is told, a ledger that cannot be read sends it away and nobody else', async () => {
  const place = new Place();
  let isGone = false;
  const gone = new StoreError('world', 'The disk is gone.');
  const server = await place.serve({
    events: () => {
      if (isGone) throw gone;
      return [];
    },
  });
  const behind = await join(place.links(), 0);
  const ahead = await join(place.links(), 3);
  place.write(3);
  isGone = true;
  server.tell(place.write(1));
  await behind.ear.notes.untilLine('gone');
  await ahead.ear.notes.untilLine('told to 4');
  expect(behind.ear.sequences).toStrictEqual([]);
  expect(place.faults).toStrictEqual([gone]);
});

test('whoever decides next is told where one was', async () => {
  const place = new Place();
  const first = await place.serve();
  place.write(3);
  const links = place.links();
  const before = await join(links);
  await first.close();
  place.write(2);
  await place.serve();
  const { ear } = await join(links, before.ear.sequences.at(-1));
  expect(ear.sequences).toStrictEqual([4, 5]);
});

test('nobody misses a line or has it twice, whenever it comes', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('commit' as const), count: fc.integer({ min: 1, max: 700 }) }),
      fc.record({ kind: fc.constant('write' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ kind: fc.constant('join' as const), count: fc.nat(900) }),
      fc.record({ kind: fc.constant('breathe' as const), count: fc.integer({ min: 1, max: 3 }) }),
    ),
    { minLength: 4, maxLength: 14 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const place = new Place();
      const server = await place.serve();
      const joining: Promise<{ readonly after: number; readonly ear: Ear }>[] = [];
      for (const { kind, count } of all) {
        const after = Math.min(count, place.ledger.length);
        if (kind === 'commit') server.tell(place.write(count));
        else if (kind === 'write') place.write(count);
        else if (kind === 'join')
          joining.push(join(place.links(), after).then(({ ear }) => ({ after, ear })));
        else for (let times = count; times > 0; times -= 1) await new Promise(setImmediate);
      }
      const joined = await Promise.all(joining);
      server.tell(place.write(1));
      const last = place.ledger.length;
      await Promise.all(
        joined.map(async ({ ear }) => await ear.notes.untilLine(`told to ${last}`)),
      );
      for (const { after, ear } of joined)
        expect(ear.sequences).toStrictEqual(numbers(after + 1, last));
      await server.close();
    }),
    { numRuns: 40 },
  );
});
