import type { Instant } from '../../domain/time.ts';

/** How long nobody took a task whom somebody idle could have taken. It survives restarts. */
export interface Starvation {
  /** Cycles in which a worker that could take it was idle and did not, or none ever can. */
  readonly cycles: number;
  readonly lastCountedAt: Instant;
  readonly isWorkerRequested: boolean;
  readonly isReported: boolean;
}
