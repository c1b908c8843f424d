/** How many letters are read before whoever drives a reading may do something else: about 10 ms. */
export const SLICE_LETTERS = 8000;

/** Runs all slices of some work at once, and answers what the last one does. */
export function runAll<T>(slices: Generator<unknown, T>): T {
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) return slice.value;
  }
}
