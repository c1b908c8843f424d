import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsOf } from '../../../server/scheduler/model/board-facts.ts';
import { allOf, copyOf } from '../../support/board-copy.ts';
import { Play } from '../../support/board-play.ts';
import { playAll, randomPlays } from '../../support/random-play.ts';

test('whatever happens to a board happens to one from its facts', () => {
  fc.assert(
    fc.property(randomPlays, fc.integer({ min: 1, max: 12 }), (draft, gap) => {
      let copy = copyOf(new Play(draft.text).board);
      let steps = 0;
      let seen = 0;
      playAll(draft, ({ board, events, now }) => {
        for (const event of events.slice(seen)) expect(copy.apply(event)).toBe('moved');
        seen = events.length;
        board.advanceTo(now);
        copy.advanceTo(now);
        expect(allOf(copy)).toStrictEqual(allOf(board));
        steps += 1;
        if (steps % gap > 0) return;
        copy = copyOf(board);
        expect(allOf(copy)).toStrictEqual(allOf(board));
      });
    }),
    { numRuns: 400 },
  );
});

test('facts of a board from facts are the same', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const { board } = playAll(draft);
      expect(factsOf(copyOf(board))).toStrictEqual(factsOf(board));
    }),
    { numRuns: 400 },
  );
});
