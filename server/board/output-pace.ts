/** As much as one log has comes at once: whoever opens one does not wait. */
const BURST_LENGTH = 12 * 1024 * 1024;
/** More than this for long is more than a window can draw, and than anybody reads. */
const LENGTH_PER_MS = 4 * 1024;

/** How fast output is told, whatever a command prints. */
export class OutputPace {
  #left = BURST_LENGTH;
  #lastMs = 0;

  /** How long to wait after so much was told; `nowMs` only ever grows. */
  delayAfter(length: number, nowMs: number): number {
    const earned = (nowMs - this.#lastMs) * LENGTH_PER_MS;
    this.#lastMs = nowMs;
    this.#left = Math.min(BURST_LENGTH, this.#left + earned) - length;
    return this.#left >= 0 ? 0 : Math.ceil(-this.#left / LENGTH_PER_MS);
  }
}
