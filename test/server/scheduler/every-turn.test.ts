import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPushed } from '../../../server/domain/asks.ts';
import { overlap } from '../../../server/domain/paths/overlap.ts';
import type { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { decide, decideTurn } from '../../../server/scheduler/decide.ts';
import type { Decision } from '../../../server/scheduler/decision.ts';
import { mayStart, type Verdict } from '../../../server/scheduler/predicate/may-start.ts';
import type { TaskEntry } from '../../../server/scheduler/model/run-model.ts';
import type { Reason } from '../../../server/scheduler/model/reason.ts';
import { Turn } from '../../../server/scheduler/predicate/turn.ts';
import { why } from '../../../server/scheduler/predicate/why.ts';
import { isMinted, Play } from '../../support/board-play.ts';
import { follow } from '../../support/board-story.ts';
import { playAll, randomPlays } from '../../support/random-play.ts';

const RUNS = { numRuns: 100 };

/** What is found to be wrong. */
type Findings = readonly unknown[];

/** What is true in every turn of any play, before what is decided in it is committed. */
function checkTurns(
  name: string,
  findIn: (on: Play, decisions: readonly Decision[]) => Findings,
): void {
  test(name, () => {
    fc.assert(
      fc.property(randomPlays, (draft) => {
        playAll(draft, (on) => {
          let isAtRest = false;
          while (!isAtRest) {
            expect(findIn(on, decide(on.board, on.now))).toStrictEqual([]);
            isAtRest = on.turn().length === 0;
          }
        });
      }),
      RUNS,
    );
  });
}

/** What is true whenever nothing is left to decide. */
function checkRest(name: string, findIn: (on: Play) => Findings): void {
  checkTurns(name, (on, decisions) => (decisions.length === 0 ? findIn(on) : []));
}

checkTurns(
  'what is claimed may start, at that place, after the claims before it',
  (on, decisions) => {
    const turn = new Turn(on.board, on.now);
    return decisions.flatMap((decision) => {
      if (decision.kind === 'change-load') turn.mode = decision.mode;
      if (decision.kind !== 'claim') return [];
      const entry = on.entry(`${decision.run}/${decision.task}`);
      const verdict = mayStart(turn, entry);
      const place = verdict.kind === 'yes' ? verdict.place : undefined;
      if (place?.runner !== decision.worker) return [decision, verdict];
      turn.claim(entry, place);
      return [];
    });
  },
);

checkTurns(
  'what is claimed may still start when the claims before it are committed',
  (on, decisions) => {
    if (decisions.length < 2 || decisions.some(({ kind }) => kind !== 'claim')) return [];
    return decisions.flatMap((decision) => {
      if (decision.kind !== 'claim') return [];
      const entry = on.entry(`${decision.run}/${decision.task}`);
      const verdict = mayStart(new Turn(on.board, on.now), entry);
      on.commit(decision);
      return verdict.kind === 'yes' ? [] : [decision, verdict];
    });
  },
);

checkTurns('a quick answer is the first of all answers', ({ board, now }) => {
  const turn = decideTurn(board, now);
  return entriesOf(board).flatMap((entry) => {
    if (entry.state.kind !== 'pending') return [];
    const [quick, full] = [mayStart(turn, entry, { isQuick: true }), mayStart(turn, entry)];
    const [first = 'yes'] = kindsOf(quick);
    const isSame = quick.kind === full.kind && kindsOf(full).includes(first);
    return isSame ? [] : [nameOf(entry), quick, full];
  });
});

checkTurns('the state of a task is decided about once in a turn', (_, decisions) => {
  const about = decisions.flatMap((decision) =>
    ['claim', 'skip', 'revive', 'cancel', 'stop'].includes(decision.kind) && 'task' in decision
      ? `${decision.run}/${decision.task}`
      : [],
  );
  return about.filter((name, index) => about.indexOf(name) !== index);
});

checkTurns('a run that ends as stuck says what it is stuck on', (_, decisions) =>
  decisions.filter(
    (decision) =>
      decision.kind === 'finish' &&
      decision.stuck.length > 0 !== (decision.outcome === 'deadlocked'),
  ),
);

checkRest('when nothing is left to decide, nothing that we could start may start', (on) => {
  const turn = decideTurn(on.board, on.now);
  return entriesOf(on.board).flatMap((entry) => {
    if (entry.state.kind !== 'pending' || !isPushed(entry.asks.doer)) return [];
    const isSaid = why(turn, entry).every(({ sentence }) => sentence.length > 20);
    return mayStart(turn, entry).kind === 'no' && isSaid ? [] : nameOf(entry);
  });
});

checkRest('no two tasks write the same file of one tree at once', ({ board }) => {
  const held = entriesOf(board).filter(
    ({ claim, asks }) => claim !== undefined && isMinted(claim.holder.term) && !asks.isIsolated,
  );
  return held.flatMap(({ paths: { writes } }, index) =>
    held
      .slice(index + 1)
      .filter(({ paths }) => overlap(writes, paths.writes, { foldCase: false }).kind !== 'disjoint')
      .map((other) => [nameOf(held[index]!), nameOf(other)]),
  );
});

/** Clears when somebody else ends, or starts. */
function isAboutOthers({ kind }: Reason): boolean {
  return kind === 'hazard' || kind === 'resources' || kind === 'parallel' || kind === 'outranked';
}

/** Whoever may start but does not has still to be claimed; load passes by itself. */
function isForWhoeverComes(reason: Reason, mayStartNow: ReadonlySet<string>): boolean {
  if (reason.kind !== 'outranked') return false;
  return reason.by.kind === 'load' || mayStartNow.has(reason.by.task);
}

checkRest('when nobody holds anything, nobody waits for anybody', ({ board, now }) => {
  const { claims, owners } = board;
  if (claims.pushed.size + claims.pulled.size + owners.leftovers.size + owners.people.size > 0)
    return [];
  const turn = decideTurn(board, now);
  const asked = entriesOf(board)
    .filter(({ state }) => state.kind === 'pending')
    .map((entry) => ({ entry, verdict: mayStart(turn, entry) }));
  const startable = new Set(
    asked.flatMap(({ entry, verdict }) => (verdict.kind === 'yes' ? entry.definition.id : [])),
  );
  const isInVain = (reason: Reason): boolean =>
    isAboutOthers(reason) && !isForWhoeverComes(reason, startable);
  return asked
    .filter(({ verdict }) => verdict.kind === 'no' && verdict.reasons.every(isInVain))
    .map(({ entry }) => nameOf(entry));
});

test('every run ends when whatever is claimed ends', () => {
  fc.assert(
    fc.property(
      randomPlays,
      fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      ({ text }, chances) => {
        const on = new Play(withoutPeople(text));
        on.turns();
        for (let round = 0; round < 40 && on.board.runs.size > 0; round += 1) {
          const held = entriesOf(on.board).filter(({ claim }) => claim !== undefined);
          const chance = chances[round % chances.length] ?? 0;
          const ended = held[chance % Math.max(1, held.length)];
          if (ended !== undefined) follow(on, `${nameOf(ended)} completes`);
          follow(on, `work ${chance % 200}s`);
        }
        expect([...on.board.runs.keys()]).toStrictEqual([]);
      },
    ),
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

function entriesOf(board: BoardModel): readonly TaskEntry[] {
  return [...board.runs.values()].flatMap(({ entries }) => entries);
}

function kindsOf(verdict: Verdict): readonly string[] {
  return verdict.kind === 'yes' ? ['yes'] : verdict.reasons.map(({ kind }) => kind);
}

function nameOf({ run, definition }: TaskEntry): string {
  return `${run.manifest.id}/${definition.id}`;
}
