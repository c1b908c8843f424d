/** Longer than this passes between a question and its answer only if something stood still. */
const FRESH_MS = 2000;
const TRIES = 3;

/**
 * Asks again as long as an answer is too old when it comes. A process may be stopped at any moment, by Ctrl-Z
 * or with its machine, and does not notice: claims may have ended meanwhile, and others begun.
 *
 * `clock` goes on while the process is stopped and while the machine sleeps; `patienceMs` is what one question
 * takes at most. Undefined: all answers were too old, so nothing is known.
 */
export async function freshAnswer<T>(
  ask: () => Promise<T>,
  { clock, patienceMs }: { readonly clock: { now(): number }; readonly patienceMs: number },
): Promise<T | undefined> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const askedAt = clock.now();
    const answer = await ask();
    if (clock.now() - askedAt <= FRESH_MS + patienceMs) return answer;
  }
  return undefined;
}
