/**
 * How much a machine may say. A host may be broken, hostile or taken over, so what it sends is counted
 * before it is kept: every line, every answer, every piece and everything that it sends unasked has a
 * limit. A host that goes beyond one is cut off with `HostOverrun`; nothing of the rest is read.
 *
 * The scripts that run on a host keep well below these limits by themselves (`head -n`, `head -c`).
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Longest line of an answer. */
export const LINE_BYTES = 64 * KIB;
/** What the files of a login may print before the shell is ready. */
export const NOISE_BYTES = MIB;

/** What one answer may have. */
export interface AnswerBounds {
  readonly lines: number;
  /** Of all of its lines together. */
  readonly bytes: number;
  /** How many bytes each of its pieces may have, in order. */
  readonly pieces: readonly number[];
}

/** An answer of nothing but lines. */
export const LINES_ONLY: AnswerBounds = { lines: 10_000, bytes: MIB, pieces: [] };

/** Why nothing more is read of a machine; `why` is a clause for the user. */
export type ReadFault =
  | { readonly kind: 'unclear' }
  | { readonly kind: 'overrun'; readonly why: string };

export const UNCLEAR: ReadFault = { kind: 'unclear' };

/** `what` says what it sent too much of, such as "a line of more than 64 KiB". */
export function overrun(what: string): ReadFault {
  return { kind: 'overrun', why: `it sent ${what}` };
}

export function amount(bytes: number): string {
  if (bytes >= MIB && bytes % MIB === 0) return `${bytes / MIB} MiB`;
  return bytes >= KIB && bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} bytes`;
}

/** News of a host: the ends of its commands, notes of tmux. Thousands of short commands stay far below. */
const UNASKED = { bytes: 8 * MIB, withinMs: 10_000 };

/** Counts what a machine sends without being asked. */
export class UnaskedMeter {
  #bytes = 0;
  #since = performance.now();

  count(bytes: number): ReadFault | undefined {
    const now = performance.now();
    if (now - this.#since > UNASKED.withinMs) [this.#bytes, this.#since] = [0, now];
    this.#bytes += bytes;
    if (this.#bytes <= UNASKED.bytes) return undefined;
    return overrun(
      `more than ${amount(UNASKED.bytes)} within ${UNASKED.withinMs / 1000} seconds without being asked`,
    );
  }
}
