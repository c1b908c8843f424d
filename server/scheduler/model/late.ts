/** A task that has been ready for this long is not overtaken by anybody who would delay it. */
export const OVERDUE_MS = 120_000;

/**
 * Who is that much later than expected is not expected any more: a start that was kept behind it is
 * given up, or a machine would idle for hours.
 */
export const LATE_MS = 600_000;

/** Who has waited for that long is not overtaken, however late others are. */
export const PATIENCE_MS = 3_600_000;
