import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFinal, type TaskState } from '../../../server/domain/task.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { decide } from '../../../server/scheduler/decide.ts';
import { nextDueAt } from '../../../server/scheduler/model/next-due.ts';
import { derivedOf, dumpOf, recomputedOf } from '../../support/board-dump.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { orderlyPlays, playAll, randomPlays } from '../../support/random-play.ts';
import { boardOf } from '../../support/snapshots.ts';

const RUNS = { numRuns: 400 };

test('what a board keeps ready is what follows from its facts', () => {
  fc.assert(
    // Tasks on a cycle go on lending each other a class that nobody gives them any more.
    fc.property(orderlyPlays, (draft) => {
      playAll(draft, ({ board }) => {
        board.advanceTo(board.now);
        expect(derivedOf(board)).toStrictEqual(recomputedOf(board));
      });
    }),
    RUNS,
  );
});

test('the same events in the same order give an equal board', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const on = playAll(draft);
      const board = boardOf(on.text);
      for (const event of on.events) expect(board.apply(event)).toBe('moved');
      board.advanceTo(on.now);
      on.board.advanceTo(on.now);
      expect(dumpOf(board)).toStrictEqual(dumpOf(on.board));
      expect(decide(board, on.now)).toStrictEqual(decide(on.board, on.now));
    }),
    RUNS,
  );
});

test('what is accepted or decided moves the board', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      playAll(draft, ({ refused }) => expect(refused.filter(isByAnswer)).toStrictEqual([]));
    }),
    RUNS,
  );
});

/** Freeing what is not owned, and such, is tried on purpose. */
function isByAnswer({ kind }: BoardEvent): boolean {
  return kind === 'taskMoved' || kind.startsWith('run');
}

test('an event that is refused changes nothing', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      playAll(draft, ({ board, events }) => {
        const last = events.at(-1);
        if (last?.kind !== 'taskMoved') return;
        const before = dumpOf(board);
        const isRefused = board.apply(last) === 'refused';
        expect(isRefused ? dumpOf(board) : before).toStrictEqual(before);
      });
    }),
    RUNS,
  );
});

test('a final state is left only by a retry or a revival', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const seen = new Map<string, TaskState>();
      playAll(draft, ({ board, events }) => {
        for (const { manifest, entries } of board.runs.values())
          for (const { definition, state } of entries) {
            const key = `${manifest.id}/${definition.id}`;
            const before = seen.get(key);
            seen.set(key, state);
            if (before === undefined || !isFinal(before) || before === state) continue;
            expect(events.some((event) => reopens(event, definition.id))).toBe(true);
            expect(state.tries.revision).toBeGreaterThan(before.tries.revision);
          }
      });
    }),
    RUNS,
  );
});

function reopens(event: BoardEvent, task: string): boolean {
  return (
    event.kind === 'taskMoved' &&
    event.task === task &&
    (event.event.kind === 'taskRetried' || event.event.kind === 'taskRevived')
  );
}

test('no two decisions have the same key', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const { keys } = playAll(draft);
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toStrictEqual([]);
    }),
    RUNS,
  );
});

test('deciding changes nothing and depends on nothing else', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      playAll(draft, ({ board, now }) => {
        board.advanceTo(now);
        const before = dumpOf(board);
        const decisions = decide(board, now);
        expect(dumpOf(board)).toStrictEqual(before);
        expect(decide(board, now)).toStrictEqual(decisions);
      });
    }),
    RUNS,
  );
});

test('nothing is decided before it is due', () => {
  fc.assert(
    fc.property(randomPlays, fc.integer({ min: 1, max: 200_000 }), (draft, waitMs) => {
      const on = playAll(draft);
      on.turns();
      const due = nextDueAt(on.board) ?? Number.MAX_SAFE_INTEGER;
      if (due <= on.now + 1) return;
      on.wait(Math.min(waitMs, due - 1 - on.now));
      expect(decide(on.board, on.now)).toStrictEqual([]);
    }),
    RUNS,
  );
});

test('whoever sleeps until something is due never wakes in vain twice at one time', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const on = playAll(draft);
      for (let count = 0; count < 10; count += 1) {
        on.turns();
        const due = nextDueAt(on.board) ?? on.now + 1;
        expect(due).toBeGreaterThan(on.now);
        on.wait(due - on.now);
      }
    }),
    RUNS,
  );
});

test('a board comes to rest', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const on = playAll(draft);
      on.turns();
      expect(on.turn()).toStrictEqual([]);
    }),
    RUNS,
  );
});

test('under load a limit that moves does not hide one that does not', () => {
  const on = new Play('a: timeout 10s\nb');
  play(on, 'memory 95; rest; runner/local starts a; runner/local starts b; +7s; cancel b; rest');
  expect(on.board.mode).toBe('high');
  expect(nextDueAt(on.board)).toBe(on.now + 5000);
});

test('the board of a play is the one that its text says', () => {
  expect(dumpOf(new Play('a: agent').board)).toStrictEqual(dumpOf(boardOf('a: agent')));
});
