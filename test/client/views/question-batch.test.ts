import { expect, test } from 'vitest';
import { QuestionBatch } from '../../../client/views/question-batch.ts';

test('questions of one turn are asked together, in batches, each only once', async () => {
  const asked: (readonly string[])[] = [];
  const batch = new QuestionBatch(
    async (keys) => {
      asked.push(keys);
      return keys.map((key) => key.toUpperCase());
    },
    { limit: 2 },
  );
  const answers = ['a', 'b', 'a', 'c'].map(async (key) => await batch.of(key));
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'A', 'C']);
  expect(asked).toEqual([['a', 'b'], ['c']]);
  expect(await batch.of('a')).toBe('A');
});

test('whoever asked is told when nobody answers', async () => {
  const batch = new QuestionBatch<string>(
    async () => {
      throw new Error('gone');
    },
    { limit: 10 },
  );
  const asked = [batch.of('a'), batch.of('b')].map(async (answer) => await answer);
  for (const answer of await Promise.allSettled(asked))
    expect(answer).toMatchObject({ status: 'rejected', reason: new Error('gone') });
});
