import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, AnswerReader } from '../../../server/remote/answers.ts';
import type { AnswerBounds } from '../../../server/remote/host-limits.ts';

test('what is printed before the greeting is left out, whatever it looks like', () => {
  const { reader, answers } = reading();
  reader.read(
    Buffer.from(`Welcome!\n.1 0\n=5\n${'x'.repeat(200_000)}\nhell\nhello\n fact\n.1 0\n`),
  );
  expect(reader.hasGreeted).toBe(true);
  expect(answers).toEqual([{ id: 1, status: 0, lines: ['fact'], pieces: [] }]);
});

test('pieces are as they were, whatever is in them', () => {
  const { reader, answers } = greeted();
  reader.read(Buffer.from('=12\n.1 0\n\0hello\n=0\n line\n.7 3\n'));
  expect(answers).toEqual([
    {
      id: 7,
      status: 3,
      lines: ['line'],
      pieces: [Buffer.from('.1 0\n\0hello\n'), Buffer.alloc(0)],
    },
  ]);
});

test('where it is cut does not matter', () => {
  const said = Buffer.from('noise\nhello\n a\n=5\n\n.1 \n.1 0\n b\n.2 1\n');
  const { reader: whole, answers: expected } = reading();
  whole.read(said);
  expect(expected).toHaveLength(2);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: said.length })), (cuts) => {
      const { reader, answers } = reading();
      const at = [0, ...cuts.toSorted((a, b) => a - b), said.length];
      for (let index = 1; index < at.length; index += 1)
        expect(reader.read(said.subarray(at[index - 1], at[index]))).toBeUndefined();
      expect(answers).toEqual(expected);
    }),
  );
});

test.each([
  ['a line that is none', 'oops\n'],
  ['a piece of no size', '=x\n'],
])('%s is not understood', (_, said) => {
  expect(greeted().reader.read(Buffer.from(said))).toEqual({ kind: 'unclear' });
});

test.each([
  ['a line without an end', ' '.repeat(70_000), 'a line of more than 64 KiB'],
  ['lines without an end', ' x\n'.repeat(200), 'more than 100 lines in one answer'],
  ['long lines', ` ${'x'.repeat(600)}\n`.repeat(2), 'more than 1 KiB in one answer'],
  ['a larger piece', '=65\n', '65 bytes of a file where 64 were asked for'],
  [
    'a piece of 9 PB',
    '=900000000000000\n',
    '900000000000000 bytes of a file where 64 were asked for',
  ],
  ['one piece more', '=1\nx=8\n12345678=1\nx', 'more pieces of a file than were asked for'],
])('%s is more than a host may send', (_, said, what) => {
  const why = `it sent ${what}`;
  expect(greeted().reader.read(Buffer.from(said))).toEqual({ kind: 'overrun', why });
});

test('a login that prints more than a screen is not read to the end', () => {
  const { reader } = reading();
  const noise = Buffer.from('welcome\n'.repeat(8192));
  const faults = Array.from({ length: 40 }, () => reader.read(noise)?.kind);
  expect([faults[0], faults.at(-1)]).toEqual([undefined, 'overrun']);
});

test('what nothing was asked for is not kept', () => {
  const reader = new AnswerReader('hello', { bounds: () => undefined, onAnswer: () => {} });
  reader.read(Buffer.from('hello\n'));
  expect(reader.read(Buffer.from(' x\n'))?.kind).toBe('overrun');
});

const BOUNDS: AnswerBounds = { lines: 100, bytes: 1024, pieces: [64, 8] };

function reading() {
  const answers: Answer[] = [];
  const reader = new AnswerReader('hello', {
    bounds: () => BOUNDS,
    onAnswer: (answer) => void answers.push(answer),
  });
  return { reader, answers };
}

function greeted() {
  const all = reading();
  all.reader.read(Buffer.from('hello\n'));
  return all;
}
