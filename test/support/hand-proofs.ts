import type { AttemptProofs } from '../../server/engine/ports.ts';

/** Proofs that anybody could make, for tests that need no secret. */
export const HAND_PROOFS: AttemptProofs = {
  of: ({ run, task, term }) => `the command of ${run}/${task} with term ${term}`,
  isOf: (attempt, proof) => proof === HAND_PROOFS.of(attempt),
};
