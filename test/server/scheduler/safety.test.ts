import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPushed } from '../../../server/domain/asks.ts';
import { isFinal } from '../../../server/domain/task.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import type { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { intentOf } from '../../../server/scheduler/model/owner-table.ts';
import type { Claim } from '../../../server/scheduler/model/run-model.ts';
import { LOCAL, placeOf } from '../../../server/scheduler/model/workers.ts';
import { isMinted, type Play } from '../../support/board-play.ts';
import { playAll, randomPlays } from '../../support/random-play.ts';
import { boardOf } from '../../support/snapshots.ts';

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
        const on = playAll(draft);
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
  return mintedOf(board).flatMap(({ entry, holder, owner }) =>
    board.owners.map
      .collisions(intentOf(entry, holder.worker), now)
      .filter((met) => met.rule === 'wait' && met.owner !== owner)
      .filter((met) => met.owner.who.kind !== 'person' && !undeclared.has(met.owner))
      .map((met) => [entry.definition.id, met.owner.who]),
  );
});

checkAlways('a task is never claimed while an earlier attempt of it may be at work', ({ board }) =>
  mintedOf(board).flatMap(({ entry }) => entry.leftover ?? []),
);

checkAlways('no more is taken of a limit than there is', ({ board }) => {
  const users = [
    ...claimsOf(board).map(({ entry, holder }) => ({ asks: entry.asks, term: holder.term })),
    ...board.owners.leftovers.values(),
  ].filter(({ asks }) => (asks.resources['db'] ?? 0) > 0);
  const taken = users.reduce((sum, { asks }) => sum + (asks.resources['db'] ?? 0), 0);
  return taken > 2 && users.some(({ term }) => isMinted(term)) ? [taken] : [];
});

checkAlways('no more commands run here than one run allows', ({ board }) => {
  const here = [...board.claims.pushed].filter(({ holder }) => placeOf(holder.worker) === LOCAL);
  const minted = here.filter(({ holder }) => isMinted(holder.term));
  const limits = minted.map(({ entry }) => entry.run.manifest.policy.parallel);
  return minted.length > 0 && here.length > Math.max(...limits) ? [here.length] : [];
});

checkAlways('nobody has a task that is not for them', ({ board }) => {
  const misplaced = mintedOf(board).filter(
    ({ entry, holder }) => isPushed(entry.asks.doer) !== holder.worker.startsWith('runner/'),
  );
  const incapable = mintedOf(board).filter(({ entry, holder }) => {
    const worker = board.workers.sessions.get(holder.worker);
    return entry.asks.needs.some((need) => worker?.capabilities.includes(need) === false);
  });
  return [...misplaced, ...incapable].map(({ entry, holder }) => [entry.definition.id, holder]);
});

checkAlways('every claim has a term of its own', ({ board }) =>
  repeated(claimsOf(board).map(({ holder }) => holder.term)),
);

checkAlways('every attempt is one claim', ({ text, board, events }) => {
  const begun = boardOf(text);
  return [...board.runs.values()].flatMap(({ manifest, entries }) =>
    entries.flatMap(({ definition, state: { tries } }) => {
      const { revision, attempts, failures, losses } = tries;
      const before = begun.find(manifest.id, definition.id)?.state.tries.attempts ?? 0;
      const claims = claimsIn(events).filter(
        ({ run, task }) => run === manifest.id && task === definition.id,
      ).length;
      const isRight = revision > 1 || attempts === before + claims;
      return isRight && failures + losses <= attempts ? [] : [definition.id, tries, claims];
    }),
  );
});

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
      const on = playAll(draft);
      on.turns();
      for (const { outcome, left } of on.finishes) expect(outcome === 'deadlocked').toBe(left > 0);
      for (const { open, isInterrupted, outside } of on.board.runs.values()) {
        // A retry in the other run would revive what was skipped.
        const mayGoOn = [...outside.values()].some(({ standing }) => standing === 'ended');
        expect(open > 0 || isInterrupted || mayGoOn).toBe(true);
      }
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
        forget(last, (pair) => pair.endsWith(` ${event.run}/${event.task}`));
      if (event.kind === 'runRevised') {
        const names = new Set(event.tasks.map(({ id }) => `${event.run}/${id}`));
        forget(last, (pair) => !names.has(pair.split(' ')[1] ?? ''));
      }
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
    if (event.kind === 'runRevised') forget(last, (task) => task.startsWith(`${event.run}/`));
    if (event.kind !== 'starvationCounted') return false;
    const task = `${event.run}/${event.task}`;
    const isTooSoon = event.at - (last.get(task) ?? -15_000) < 15_000;
    last.set(task, event.at);
    return isTooSoon || event.starvation.lastCountedAt !== event.at;
  });
});

/** What begins anew may come again at once. */
function forget(last: Map<string, number>, isAnew: (name: string) => boolean): void {
  for (const name of last.keys()) if (isAnew(name)) last.delete(name);
}

function claimsOf({ claims }: BoardModel): readonly Claim[] {
  return [...claims.pushed, ...claims.pulled];
}

/** Those that the play made: a board may begin with any. */
function mintedOf(board: BoardModel): readonly Claim[] {
  return claimsOf(board).filter(({ holder }) => isMinted(holder.term));
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
