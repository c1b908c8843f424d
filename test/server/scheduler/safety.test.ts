import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPushed } from '../../../server/domain/asks.ts';
import { isFinal } from '../../../server/domain/task.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import type { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { intentOf } from '../../../server/scheduler/model/owner-table.ts';
import type { Claim } from '../../../server/scheduler/model/run-model.ts';
import type { Play } from '../../support/board-play.ts';
import { playAll, randomPlays } from '../../support/random-play.ts';

const RUNS = { numRuns: 400 };

const REOPENS: ReadonlySet<string> = new Set(['taskRetried', 'taskRevived']);

/** What is found to be wrong. */
type Findings = readonly unknown[];

/** What is true after every step that anybody takes. */
function checkAlways(name: string, findIn: (on: Play) => Findings): void {
  test(name, () => {
    fc.assert(
      fc.property(randomPlays, (draft) => {
        playAll(draft, (on) => expect(findIn(on)).toStrictEqual([]));
      }),
      RUNS,
    );
  });
}

/** What is true of all that has happened, once the board has come to rest. */
function checkHistory(name: string, findIn: (events: readonly BoardEvent[]) => Findings): void {
  test(name, () => {
    fc.assert(
      fc.property(randomPlays, (draft) => {
        const on = playAll(draft, () => {});
        on.turns();
        expect(findIn(on.events)).toStrictEqual([]);
      }),
      RUNS,
    );
  });
}

checkAlways('two that write the same are never at work together', ({ board, now }) => {
  const undeclared = new Set(
    claimsOf(board).flatMap((claim) => [...(claim.undeclared?.values() ?? [])]),
  );
  for (const leftover of board.owners.leftovers.values())
    for (const owner of leftover.undeclared.values()) undeclared.add(owner);
  return claimsOf(board).flatMap(({ entry, holder, owner }) =>
    board.owners.map
      .collisions(intentOf(entry, holder.worker), now)
      .filter((met) => met.rule === 'wait' && met.owner !== owner)
      .filter((met) => met.owner.who.kind !== 'person' && !undeclared.has(met.owner))
      .map((met) => [entry.definition.id, met.owner.who]),
  );
});

checkAlways('a task is never claimed while an earlier attempt of it may be at work', ({ board }) =>
  claimsOf(board).flatMap(({ entry }) => entry.leftover ?? []),
);

checkAlways('no more is taken of a limit than there is', ({ board }) => {
  const users = [
    ...claimsOf(board).map(({ entry }) => entry.asks),
    ...[...board.owners.leftovers.values()].map(({ asks }) => asks),
  ];
  const taken = users.reduce((sum, { resources }) => sum + (resources['db'] ?? 0), 0);
  return taken > 2 ? [taken] : [];
});

checkAlways('no more commands run than one run allows', ({ board }) => {
  const { pushed } = board.claims;
  const limits = [...pushed].map(({ entry }) => entry.run.manifest.policy.parallel);
  return pushed.size > Math.max(0, ...limits) ? [pushed.size] : [];
});

checkAlways('nobody has a task that is not for them', ({ board }) => {
  const misplaced = claimsOf(board).filter(
    ({ entry, holder }) => isPushed(entry.asks.doer) !== holder.worker.startsWith('runner/'),
  );
  const incapable = [...board.claims.pulled].filter(({ entry, holder }) => {
    const worker = board.workers.sessions.get(holder.worker);
    return entry.asks.needs.some((need) => worker?.capabilities.includes(need) === false);
  });
  return [...misplaced, ...incapable].map(({ entry, holder }) => [entry.definition.id, holder]);
});

checkAlways('every claim has a term of its own', ({ board }) =>
  repeated(claimsOf(board).map(({ holder }) => holder.term)),
);

checkAlways('every attempt is one claim', ({ board, events }) =>
  [...board.runs.values()].flatMap(({ manifest, entries }) =>
    entries.flatMap(({ definition, state: { tries } }) => {
      const { revision, attempts, failures, losses } = tries;
      const claims = claimsIn(events).filter(
        ({ run, task }) => run === manifest.id && task === definition.id,
      ).length;
      const isRight = revision > 1 || attempts === claims;
      return isRight && failures + losses <= attempts ? [] : [definition.id, tries, claims];
    }),
  ),
);

checkAlways('what is over has no holder, no wake-ups and does not starve', ({ board }) =>
  [...board.runs.values()].flatMap(({ entries }) =>
    entries.flatMap(({ state, claim, starvation, wokenAt, definition: { id } }) => {
      if (!isFinal(state)) return [];
      return [claim, wokenAt, starvation].flatMap((each) => (each === undefined ? [] : [id, each]));
    }),
  ),
);

test('a run whose tasks are left ends only as a deadlock', () => {
  fc.assert(
    fc.property(randomPlays, (draft) => {
      const on = playAll(draft, () => {});
      on.turns();
      for (const { outcome, left } of on.finishes) expect(outcome === 'deadlocked').toBe(left > 0);
      for (const { open, isInterrupted } of on.board.runs.values())
        expect(open > 0 || isInterrupted).toBe(true);
    }),
    RUNS,
  );
});

checkHistory('terms grow', (events) => {
  const terms = claimsIn(events).map(({ term }) => term);
  return terms.filter((term, index) => index > 0 && term <= terms[index - 1]!);
});

checkHistory(
  'nobody is woken for the same task twice within a minute, unless it begins anew or was forgotten',
  (events) => {
    const last = new Map<string, number>();
    return events.filter((event) => {
      if (event.kind === 'wakesForgotten') last.clear();
      if (event.kind === 'taskMoved' && REOPENS.has(event.event.kind))
        for (const pair of last.keys())
          if (pair.endsWith(` ${event.run}/${event.task}`)) last.delete(pair);
      if (event.kind !== 'workerWoken') return false;
      const pair = `${event.worker} ${event.run}/${event.task}`;
      const isTooSoon = event.at - (last.get(pair) ?? -60_000) < 60_000;
      last.set(pair, event.at);
      return isTooSoon;
    });
  },
);

checkHistory('nobody is woken twice in one cycle', (events) => {
  const woken = new Set<string>();
  return events.filter((event) => {
    if (event.kind === 'cycleRan') woken.clear();
    if (event.kind !== 'workerWoken') return false;
    return woken.size === woken.add(event.worker).size;
  });
});

checkHistory('a cycle accounts for every task that waits', (events) =>
  events.filter((event) => {
    if (event.kind !== 'cycleRan') return false;
    const { waiting, woken, skipped } = event.report;
    const left = Object.values(skipped).reduce((sum, { count }) => sum + count, 0);
    // Several may be woken for one task.
    return left > waiting.count || waiting.count - left > woken.count;
  }),
);

checkHistory('a task that starves is counted at most every 15 seconds', (events) => {
  const last = new Map<string, number>();
  return events.filter((event) => {
    if (event.kind !== 'starvationCounted') return false;
    const task = `${event.run}/${event.task}`;
    const isTooSoon = event.at - (last.get(task) ?? -15_000) < 15_000;
    last.set(task, event.at);
    return isTooSoon || event.starvation.lastCountedAt !== event.at;
  });
});

function claimsOf({ claims }: BoardModel): readonly Claim[] {
  return [...claims.pushed, ...claims.pulled];
}

function claimsIn(
  events: readonly BoardEvent[],
): readonly { readonly run: string; readonly task: string; readonly term: number }[] {
  return events.flatMap((event) =>
    event.kind === 'taskMoved' && event.event.kind === 'taskClaimed'
      ? { run: event.run, task: event.task, term: event.event.term }
      : [],
  );
}

function repeated(numbers: readonly number[]): readonly number[] {
  return numbers.filter((number, index) => numbers.indexOf(number) !== index);
}
