/** What scripts may rely on. */
export const EXIT = {
  done: 0,
  /** A task failed, or problems were found. */
  failed: 1,
  /** The command line or the plan is wrong. */
  usage: 2,
  /** Tasks are left that can never start. */
  deadlocked: 3,
  /** Held by somebody else, stale, or there was nothing to do it to. */
  refused: 4,
  /** The store does not work here, or nobody answers for the board. */
  unavailable: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
