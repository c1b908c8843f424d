import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPushed } from '../../../server/domain/asks.ts';
import { overlap } from '../../../server/domain/paths/overlap.ts';
import type { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { decide, decideTurn } from '../../../server/scheduler/decide.ts';
import type { Decision } from '../../../server/scheduler/decisions/decision.ts';
import { mayStart, type Verdict } from '../../../server/scheduler/predicate/may-start.ts';
import type { TaskEntry } from '../../../server/scheduler/model/run-model.ts';
import { Turn } from '../../../server/scheduler/predicate/turn.ts';
import { why } from '../../../server/scheduler/predicate/why.ts';
import { dumpOf } from '../../support/board-dump.ts';
import { Story } from '../../support/board-story.ts';
import { boards, steps } from '../../support/random-boards.ts';

const RUNS = { numRuns: 200 };

/** Something is true of any board, in every turn of any story. */
function checkTurns(holds: (story: Story, decisions: readonly Decision[]) => void): void {
  fc.assert(
    fc.property(boards, steps, (text, script) => {
      const story = new Story(text);
      story.watch = (decisions) => {
        holds(story, decisions);
      };
      story.settle();
      for (const step of script) if (isAboutSomething(story, step)) story.play(step);
    }),
    RUNS,
  );
}

/** Something is true whenever nothing is left to decide. */
function checkRest(holds: (story: Story) => void): void {
  checkTurns((story, decisions) => {
    if (decisions.length === 0) holds(story);
  });
}

function isAboutSomething(story: Story, step: string): boolean {
  const task = /run-of-\d\/\w/.exec(step)?.[0];
  if (task !== undefined) return story.find(task) !== undefined;
  const run = /run-of-\d/.exec(step)?.[0];
  return run === undefined || [...story.board.runs.keys()].some((id) => id === run);
}

function entriesOf(board: BoardModel): readonly TaskEntry[] {
  return [...board.runs.values()].flatMap(({ entries }) => entries);
}

function kindsOf(verdict: Verdict): readonly string[] {
  return verdict.kind === 'yes' ? ['yes'] : verdict.reasons.map(({ kind }) => kind);
}

function nameOf({ run, definition }: TaskEntry): string {
  return `${run.manifest.id}/${definition.id}`;
}

test('to decide changes nothing, and twice is the same', () => {
  checkTurns((story, decisions) => {
    const before = dumpOf(story.board);
    expect(decide(story.board, story.now)).toStrictEqual(decisions);
    expect(dumpOf(story.board)).toStrictEqual(before);
  });
});

test('what is claimed may start, at that place, after the claims before it', () => {
  checkTurns((story, decisions) => {
    const turn = new Turn(story.board, story.now);
    for (const decision of decisions) {
      if (decision.kind !== 'claim') continue;
      const entry = story.task(`${decision.run}/${decision.task}`);
      const verdict = mayStart(turn, entry);
      expect(verdict).toMatchObject({ kind: 'yes', place: { runner: decision.worker } });
      if (verdict.kind === 'yes' && verdict.place !== undefined) turn.claim(entry, verdict.place);
    }
  });
});

test('what is claimed may still start when the claims before it are committed', () => {
  checkTurns((story, decisions) => {
    const claims = decisions.filter(({ kind }) => kind === 'claim');
    if (claims.length < 2 || claims.length < decisions.length) return;
    const { watch } = story;
    story.watch = () => undefined;
    for (const claim of claims) {
      if (claim.kind !== 'claim') continue;
      const entry = story.task(`${claim.run}/${claim.task}`);
      expect(mayStart(new Turn(story.board, story.now), entry)).toMatchObject({ kind: 'yes' });
      story.commit(claim);
    }
    story.watch = watch;
  });
});

test('a quick answer is the first of all answers', () => {
  checkTurns((story) => {
    const turn = decideTurn(story.board, story.now);
    for (const entry of entriesOf(story.board)) {
      if (entry.state.kind !== 'pending') continue;
      const [quick, full] = [mayStart(turn, entry, { isQuick: true }), mayStart(turn, entry)];
      expect(quick.kind).toBe(full.kind);
      const [first] = kindsOf(quick);
      expect(kindsOf(full)).toContain(first ?? 'yes');
    }
  });
});

test('the state of a task is decided about once in a turn', () => {
  checkTurns((_, decisions) => {
    const about = decisions.flatMap((decision) =>
      ['claim', 'skip', 'revive', 'cancel', 'stop'].includes(decision.kind) && 'task' in decision
        ? `${decision.run}/${decision.task}`
        : [],
    );
    expect(about).toStrictEqual([...new Set(about)]);
  });
});

test('a run that ends as stuck says what it is stuck on', () => {
  checkTurns((_, decisions) => {
    const wrong = decisions.filter(
      (decision) =>
        decision.kind === 'finish' &&
        decision.stuck.length > 0 !== (decision.outcome === 'deadlocked'),
    );
    expect(wrong).toStrictEqual([]);
  });
});

test('when nothing is left to decide, nothing that we could start may start', () => {
  checkRest((story) => {
    const turn = decideTurn(story.board, story.now);
    for (const entry of entriesOf(story.board)) {
      if (entry.state.kind !== 'pending' || !isPushed(entry.asks.doer)) continue;
      expect([nameOf(entry), mayStart(turn, entry).kind]).toStrictEqual([nameOf(entry), 'no']);
      expect(why(turn, entry).map(({ sentence }) => sentence.length > 20)).not.toContain(false);
    }
  });
});

test('no two tasks write the same file of one tree at once', () => {
  checkRest((story) => {
    const held = entriesOf(story.board).filter(
      ({ claim, asks, state }) =>
        claim !== undefined &&
        !asks.isIsolated &&
        state.tries.attempts > 0 &&
        claim.holder.term > 1000,
    );
    for (const [index, entry] of held.entries())
      for (const other of held.slice(index + 1))
        expect(
          overlap(entry.paths.writes, other.paths.writes, { foldCase: false }).kind,
          `${nameOf(entry)} and ${nameOf(other)}`,
        ).toBe('disjoint');
  });
});

/** What clears when somebody else ends, or starts. */
const WAITS_FOR_OTHERS = new Set(['hazard', 'resources', 'parallel', 'outranked']);

test('when nobody holds anything, nobody waits for anybody', () => {
  checkRest(({ board, now }) => {
    const { claims, owners } = board;
    if (claims.pushed.size + claims.pulled.size + owners.leftovers.size + owners.people.size > 0)
      return;
    const turn = decideTurn(board, now);
    const waiting = entriesOf(board).filter(
      (entry) =>
        entry.state.kind === 'pending' &&
        kindsOf(mayStart(turn, entry)).every((kind) => WAITS_FOR_OTHERS.has(kind)),
    );
    expect(waiting.map(nameOf)).toStrictEqual([]);
  });
});

test('every run ends when whatever is claimed ends', () => {
  fc.assert(
    fc.property(boards, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (text, chances) => {
      const story = new Story(withoutPeople(text));
      story.settle();
      for (let round = 0; round < 40 && story.board.runs.size > 0; round += 1) {
        const held = entriesOf(story.board).filter(({ claim }) => claim !== undefined);
        const chance = chances[round % chances.length] ?? 0;
        const ended = held[chance % Math.max(1, held.length)];
        if (ended !== undefined) story.play(`${nameOf(ended)} completes`);
        story.play(`work ${chance % 200}s`);
      }
      expect([...story.board.runs.keys()]).toStrictEqual([]);
    }),
    RUNS,
  );
});

const OF_OTHERS =
  /agent|person|anyone|paused|attention|without lease|(soft )?timeout \ds|capable gpu/;

/** Nobody has to do anything but our own runners. */
function withoutPeople(text: string): string {
  const lines = text.split('\n').filter((line) => !/^(board|person|worker) /.test(line));
  return lines
    .map((line) => {
      const [name = '', clauses = ''] = line.split(': ');
      const kept = clauses.split(', ').filter((clause) => !OF_OTHERS.test(clause));
      return /^(host|agent) /.test(line)
        ? line
        : [name, kept.join(', ')].filter(Boolean).join(': ');
    })
    .join('\n');
}
