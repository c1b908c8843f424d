import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFinal } from '../../../server/domain/task.ts';
import type { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { decideTurn } from '../../../server/scheduler/decide.ts';
import { mayStart } from '../../../server/scheduler/predicate/may-start.ts';
import { answerClaim, type ClaimAnswer } from '../../../server/scheduler/requests/claim.ts';
import type { TaskEntry } from '../../../server/scheduler/model/run-model.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import type { Play } from '../../support/board-play.ts';
import { playAll, randomPlays } from '../../support/random-play.ts';

/** What must be found of every board, however it came about: two answers to one question. */
function check(
  name: string,
  answersOf: (on: Play) => readonly (readonly [unknown, unknown])[],
): void {
  test(name, () => {
    fc.assert(
      fc.property(randomPlays, (draft) => {
        for (const [one, other] of answersOf(playAll(draft))) expect(one).toStrictEqual(other);
      }),
      { numRuns: 300 },
    );
  });
}

check(
  'a claim is allowed exactly where the one predicate says yes, with its reasons where it says no',
  ({ board, now }) =>
    questionsOf(board).map(({ worker, entry }) => {
      const answer = answerTo({ board, now }, { worker, entry });
      const verdict = mayStart(decideTurn(board, now), entry, { worker });
      return verdict.kind === 'yes'
        ? [answer.kind, 'claim']
        : [answer, { kind: 'blocked', reasons: verdict.reasons }];
    }),
);

check(
  'whoever asks for anything gets something exactly where some task may be claimed',
  ({ board, now }) =>
    [...board.workers.sessions.values()].map((worker) => {
      const claimable = claimableFor({ board, now }, worker);
      const answer = answerClaim(board, { worker }, now);
      return answer.kind === 'claim'
        ? [claimable.includes(answer.decision.task), true]
        : [
            [answer.kind, claimable],
            ['nothing-to-claim', []],
          ];
    }),
);

check('whoever is woken may claim that task', (on) =>
  decideTurn(on.board, on.now).decisions.flatMap((decision) => {
    if (decision.kind !== 'wake') return [];
    const worker = on.worker(decision.worker);
    const { run, task } = decision;
    const answer = answerClaim(on.board, { worker, task: { run, task } }, on.now);
    return [[answer.kind, 'claim'] as const];
  }),
);

check('an agent that is idle and is not woken has no task that nobody is woken for', (on) => {
  // Long enough after everything that nobody was told of anything a short time ago.
  on.wait(200_000);
  on.turns();
  on.wait(60_000);
  const { board, now } = on;
  const { decisions } = decideTurn(board, now);
  const wakes = decisions.filter(({ kind }) => kind === 'wake' || kind === 'cycle');
  if (wakes.length < decisions.length) return [];
  const woken = new Set(decisions.map((each) => (each.kind === 'wake' ? each.worker : '')));
  const told = new Set<string>(decisions.map((each) => (each.kind === 'wake' ? each.task : '')));
  return (
    [...board.workers.sessions.values()]
      // People are told once.
      .filter(({ kind }) => kind === 'agent')
      .filter(({ id, isIdle }) => isIdle && board.claims.holdsNothing(id) && !woken.has(id))
      .map((worker) => [claimableFor({ board, now }, worker).filter((id) => !told.has(id)), []])
  );
});

type Moment = Pick<Play, 'board' | 'now'>;

interface Question {
  readonly worker: Worker;
  readonly entry: TaskEntry;
}

/** Each worker about each task that nobody has. */
function questionsOf(board: BoardModel): readonly Question[] {
  const entries = [...board.runs.values()]
    .flatMap((run) => run.entries)
    .filter(({ state, claim }) => !isFinal(state) && claim === undefined);
  return [...board.workers.sessions.values()].flatMap((worker) =>
    entries.map((entry) => ({ worker, entry })),
  );
}

function answerTo({ board, now }: Moment, { worker, entry }: Question): ClaimAnswer {
  const task = { run: entry.run.manifest.id, task: entry.definition.id };
  return answerClaim(board, { worker, task }, now);
}

function claimableFor(moment: Moment, worker: Worker): readonly string[] {
  return questionsOf(moment.board)
    .filter((question) => question.worker === worker)
    .filter((question) => answerTo(moment, question).kind === 'claim')
    .map(({ entry }) => entry.definition.id);
}
