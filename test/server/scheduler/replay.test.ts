import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { decide } from '../../../server/scheduler/decide.ts';
import { boardEventOf, type Decision, keyOf } from '../../../server/scheduler/decision.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { type BoardFacts, factsOf } from '../../../server/scheduler/model/board-facts.ts';
import { type Replay, replayLedger } from '../../../server/scheduler/replay.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { claimOf } from '../../support/decisions.ts';
import { playAll, randomPlays } from '../../support/random-play.ts';

const RULES = { foldCase: false };

interface Entry {
  readonly sequence: number;
  readonly event: BoardEvent;
  readonly decided?: { readonly turn: number; readonly decision: Decision };
}

/** A play, and the ledger that an engine would have written of it. */
class Record {
  readonly on: Play;
  readonly base: BoardFacts;
  readonly entries: Entry[] = [];
  /** What was decided and did not stand. */
  readonly dropped: Decision[] = [];
  turns = 0;
  #seen: number;

  constructor(on: Play) {
    this.on = on;
    this.base = factsOf(on.board);
    this.#seen = on.events.length;
  }

  /** Whatever has happened since the last line. */
  write(decision?: Decision): void {
    for (const event of this.on.events.slice(this.#seen)) {
      const sequence = this.entries.length + 1;
      const decided = decision && { decided: { turn: this.turns, decision } };
      this.entries.push({ sequence, event, ...decided });
    }
    this.#seen = this.on.events.length;
  }

  /** Decides until nothing is left to do, as an engine does. */
  decide(): void {
    this.write();
    for (;;) {
      const decisions = decide(this.on.board, this.on.now);
      if (decisions.length === 0) return;
      this.turns += 1;
      for (const decision of decisions) this.#commit(decision);
    }
  }

  replay(entries: readonly Entry[] = this.entries): Replay {
    return replayLedger(entries, { base: this.base, rules: RULES });
  }

  #commit(decision: Decision): void {
    const before = this.#seen;
    this.on.commit(decision);
    this.write(decision);
    if (this.#seen === before) this.dropped.push(decision);
  }
}

/** What happens before each bar, and then everything is decided. */
function recordOf(text: string, script: string): Record {
  const record = new Record(new Play(text));
  for (const part of script.split('|').map((each) => each.trim())) {
    if (part !== '') play(record.on, part);
    record.decide();
  }
  return record;
}

function decidedIn({ entries }: Record): readonly Entry[] {
  return entries.filter(({ decided }) => decided !== undefined);
}

test('an empty ledger decides nothing, with facts before it or without', () => {
  const same = { kind: 'same', turns: 0, decisions: 0 };
  expect(replayLedger([], { base: undefined, rules: RULES })).toStrictEqual(same);
  expect(new Record(new Play('a')).replay()).toStrictEqual(same);
});

test('a ledger without facts before it is replayed from the beginning', () => {
  const { manifest } = [...new Play('a\nb: needs a').board.runs.values()][0]!;
  const on = new Play('worker ann');
  const entries = [{ sequence: 1, event: { kind: 'runSubmitted', at: on.now, manifest } }] as const;
  on.apply(entries[0].event);
  const record = new Record(on);
  record.decide();
  const all = [...entries, ...record.entries];
  expect(replayLedger(all, { base: undefined, rules: RULES })).toStrictEqual({
    kind: 'same',
    turns: 1,
    decisions: 1,
  });
});

test('what was decided is decided again', () => {
  const record = recordOf(
    'worker ann\na\nb: needs a\nc: agent',
    '+1s | a starts | +1s; a fails | ann claims',
  );
  const { turns } = record;
  expect(turns).toBeGreaterThan(3);
  const decisions = decidedIn(record).length;
  expect(record.replay()).toStrictEqual({ kind: 'same', turns, decisions });
});

test('what a worker claimed for itself is taken as it is', () => {
  const record = recordOf('worker ann\na: agent\nb: agent', 'ann claims b | ann starts b');
  const claim = record.entries.find(({ event }) => event.kind === 'taskMoved');
  expect(claim?.decided).toBeUndefined();
  const decision = claimOf({ task: record.on.about('a').task });
  const inTurnZero = record.entries.map((entry) =>
    entry === claim ? { ...entry, decided: { turn: 0, decision } } : entry,
  );
  expect(record.replay(inTurnZero)).toStrictEqual(record.replay());
  expect(record.replay().kind).toBe('same');
});

test('a decision that was not written down is missed', () => {
  const record = recordOf('a\nb', '');
  const [first, second] = decidedIn(record);
  const keys = ['claim:only-run/a:1:1', 'claim:only-run/b:1:1'];
  expect(record.replay([first!])).toStrictEqual({
    kind: 'differs',
    sequence: 1,
    turn: 1,
    recorded: [keys[0]],
    decided: keys,
  });
  expect(record.replay([second!])).toMatchObject({
    kind: 'differs',
    sequence: 2,
    recorded: [keys[1]],
  });
});

test('a decision about no task always stands', () => {
  const record = recordOf('worker ann\na: agent', '+20s');
  const [wake, cycle] = decidedIn(record);
  expect(cycle?.event.kind).toBe('cycleRan');
  const keys = ['wake-ann-1:only-run/a:1:0', 'cycle:1'];
  expect(record.replay([wake!])).toMatchObject({ kind: 'differs', decided: keys });
});

test('another order is another decision', () => {
  const record = recordOf('a\nb', '');
  expect(record.replay(decidedIn(record).toReversed())).toMatchObject({ kind: 'differs', turn: 1 });
});

test('a decision that nobody makes now is told', () => {
  const record = recordOf('a\nb: paused', '');
  const [claim] = decidedIn(record);
  const { decision } = claim!.decided!;
  const other = { ...decision, task: record.on.about('b').task };
  const added = { sequence: 2, event: claim!.event, decided: { turn: 1, decision: other } };
  expect(record.replay([claim!, added as Entry])).toMatchObject({
    kind: 'differs',
    sequence: 1,
    recorded: ['claim:only-run/a:1:1', 'claim:only-run/b:1:1'],
    decided: ['claim:only-run/a:1:1'],
  });
});

test('turns that follow each other are not taken for one', () => {
  const record = recordOf('a: failed\nb: needs a', '');
  const turns = decidedIn(record).map(({ decided }) => decided?.turn);
  expect(turns).toStrictEqual([1, 2]);
  expect(record.replay()).toMatchObject({ kind: 'same', turns: 2 });
  const joined = record.entries.map((entry) => ({
    ...entry,
    decided: { turn: 1, decision: entry.decided!.decision },
  }));
  expect(record.replay(joined)).toMatchObject({ kind: 'differs', turn: 1 });
});

test('who was told of a task that an earlier decision of the turn had flagged is not missed', () => {
  const workers = ['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => `worker ${name}`).join('\n');
  const record = recordOf(
    `${workers}\na: agent`,
    Array.from({ length: 16 }, () => '+61s').join(' | '),
  );
  expect(record.dropped.map(({ kind }) => kind)).toContain('wake');
  expect(record.replay()).toMatchObject({ kind: 'same', turns: record.turns });
});

test('a turn that was written down later than it was decided is the same', () => {
  const record = recordOf('a: retries 3\nb: retries 3', '| a fails; +10ms; b fails');
  const { on } = record;
  const [early = 0, late = 0] = ['a', 'b']
    .map((id) => on.entry(id).state)
    .map((state) => (state.kind === 'pending' ? (state.notBefore ?? 0) : 0))
    .toSorted((a, b) => a - b);
  expect(early).toBeLessThan(late);
  on.now = instant(early);
  const [decision] = decide(on.board, on.now);
  expect(decide(on.board, on.now)).toHaveLength(1);
  // By the time it is on the disk the other one is ready as well.
  const at = instant(late + 5);
  const state = 'task' in decision! ? on.board.find(decision.run, decision.task)?.state : undefined;
  const event = boardEventOf(decision!, state, { now: at, mintTerm: () => 900 })!;
  const entry = {
    sequence: record.entries.length + 1,
    event,
    decided: { turn: 99, decision: decision! },
  };
  expect(record.replay([...record.entries, entry])).toMatchObject({
    kind: 'same',
    turns: record.turns + 1,
  });
  // The same, had it been decided before anything was due.
  const soon = boardEventOf(decision!, state, { now: instant(early - 1), mintTerm: () => 900 })!;
  expect(record.replay([...record.entries, { ...entry, event: soon }])).toMatchObject({
    kind: 'differs',
    turn: 99,
    decided: [],
  });
});

test('the board of a turn is the one of its time', () => {
  const record = recordOf('a: priority low\nb: priority high\nboard paused', '| resume; pause a');
  const isTurn = decidedIn(record).map(({ decided }) => keyOf(decided!.decision));
  expect(isTurn).toStrictEqual(['claim:only-run/b:1:1']);
  const without = record.entries.filter(({ event }) => event.kind !== 'taskPaused');
  expect(record.replay(without)).toMatchObject({
    kind: 'differs',
    decided: ['claim:only-run/b:1:1', 'claim:only-run/a:1:1'],
  });
});

test('whatever happened, the same is decided again', () => {
  fc.assert(
    fc.property(randomPlays, fc.integer({ min: 1, max: 5 }), fc.nat(50), (draft, gap, cut) => {
      const steps = draft.steps.filter((step) => step !== 'rest' && step !== 'decide');
      let count = 0;
      let record: Record | undefined;
      const records: Record[] = [];
      playAll({ ...draft, steps }, (on) => {
        count += 1;
        record?.write();
        if (record === undefined || count === cut) {
          record = new Record(on);
          records.push(record);
        }
        if (count % gap === 0) record.decide();
      });
      for (const each of records) {
        const { turns } = each;
        const decisions = decidedIn(each).length;
        expect(each.replay()).toStrictEqual({ kind: 'same', turns, decisions });
      }
    }),
    { numRuns: 400 },
  );
});
