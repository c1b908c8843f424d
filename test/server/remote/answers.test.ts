import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, AnswerReader } from '../../../server/remote/answers.ts';

test('what is printed before the greeting is left out, however long and whatever it looks like', () => {
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
        expect(reader.read(said.subarray(at[index - 1], at[index]))).toBe(true);
      expect(answers).toEqual(expected);
    }),
  );
});

test.each([
  ['a line that is none', 'oops\n'],
  ['a line without an end', ' '.repeat(70_000)],
  ['a piece that nobody asked for in this size', '=999999999\n'],
  ['a piece of no size', '=x\n'],
])('%s is not understood', (_, said) => {
  expect(greeted().reader.read(Buffer.from(said))).toBe(false);
});

function reading() {
  const answers: Answer[] = [];
  const reader = new AnswerReader('hello', (answer) => void answers.push(answer));
  return { reader, answers };
}

function greeted() {
  const all = reading();
  all.reader.read(Buffer.from('hello\n'));
  return all;
}
