/** The ledger tells of workers that are given nothing new, in words that an earlier release cannot follow. */
export const drainedWorkers = '';
