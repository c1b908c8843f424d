import { expect, test } from 'vitest';
import { KeptTexts } from '../../client/kept-texts.ts';

test('the newest texts are kept, each under a name of its own', () => {
  const kept = new KeptTexts();
  const names = Array.from({ length: 25 }, (_, number) => kept.add(`text ${number}`));
  expect(new Set(names).size).toBe(25);
  expect([kept.get(names[4]!), kept.get(names[5]!)]).toEqual([undefined, 'text 5']);
});
