import type { RunId } from '../../server/domain/ids.ts';
import type { PartResult, RunRequest } from '../../server/engine/run-request.ts';
import type { Surroundings } from './surroundings.ts';

/** What is said to be on the board is; answers whether the last one is said to. */
export function checkSubmitted(
  { world, shadow }: Pick<Surroundings, 'world' | 'shadow'>,
  said: { readonly requests: readonly RunRequest[]; readonly answers: readonly PartResult[] },
): boolean {
  const { runs, outcomes, allRuns } = shadow.facts;
  const parts = said.requests.map((request, index) => ({ request, answer: said.answers[index] }));
  const there = parts.flatMap(({ request, answer }) => {
    const run = answer === undefined ? undefined : runOf(answer);
    return run === undefined ? [] : [{ request, run, isStarted: answer?.kind === 'started' }];
  });
  for (const { request, run, isStarted } of there) {
    const isWritten = runs.has(run) || outcomes.has(run);
    world.checks.holds('answered', isWritten, () => `${run} is not written`);
    if (!isStarted) continue;
    // A run waits for what came with it, as far as the run that does this has not lost it since.
    const outside = allRuns.get(request.id)?.manifest.outside ?? [];
    const isBound = (request.refersTo ?? []).every(({ reference, plan, task }) => {
      const other = there.find((each) => each.request.plan === plan);
      const isAsked = other?.request.tasks.some(({ id }) => id === task) === true;
      const isThere = isAsked && allRuns.get(other.run)?.tasks.has(task) === true;
      return !isThere || outside.some((each) => each.reference === reference);
    });
    world.checks.holds('I5', isBound, () => `${request.id} waits for nothing that came with it`);
  }
  const last = said.answers.at(-1);
  return last !== undefined && runOf(last) !== undefined;
}

function runOf(answer: PartResult): RunId | undefined {
  return answer.kind === 'started' || answer.kind === 'joined' ? answer.run : undefined;
}
