/** The lines of a document that an editor shows. */
interface SeenLines {
  readonly start: number;
  readonly end: number;
  readonly lineCount: number;
  /** When this was so, in milliseconds. */
  readonly at: number;
}

/** An editor tells of a scroll a little after it happened: for so long it may be our own. */
const OWN_SCROLL_MS = 500;

/**
 * Whether an editor goes on showing the end of a log that grows. It does until its reader scrolls up,
 * and again when they have scrolled back to the end.
 */
export class FollowEnd {
  #isFollowing = true;
  #start = 0;
  #revealedAt = -Infinity;

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** We have scrolled to the end. */
  revealed(at: number): void {
    this.#revealedAt = at;
  }

  /** The editor shows these lines now. Text that was added below moves nothing. */
  seen({ start, end, lineCount, at }: SeenLines): void {
    const isAtEnd = end >= lineCount - 1;
    if (start < this.#start && !isAtEnd) this.#isFollowing = false;
    // A reader who scrolled up while we scrolled down is not back by our doing.
    if (isAtEnd && at - this.#revealedAt > OWN_SCROLL_MS) this.#isFollowing = true;
    this.#start = start;
  }
}
