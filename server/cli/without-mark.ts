const ESCAPE = '\u001B';
const BEGINNING = `${ESCAPE}_interlock `;
const END = `${ESCAPE}\\`;
/** Longer than any mark. */
const LOOK_BYTES = 40;

/**
 * Passes on what a log gets, without the mark that the wrapper of a session prints last, which is there
 * for a moment only. What may be the beginning of one waits for what comes next.
 */
export class WithoutMark {
  #held = Buffer.alloc(0);

  take(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#held, bytes]);
    const end = all.length - markLength(all.subarray(-LOOK_BYTES).toString('latin1'));
    this.#held = all.subarray(end);
    return all.subarray(0, end);
  }

  /** Nothing more comes. */
  end(): Uint8Array {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held.toString('latin1').endsWith(END) ? Buffer.alloc(0) : held;
  }
}

/** How much of the end of a text may be a mark, or the beginning of one. */
function markLength(text: string): number {
  for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, at + 1))
    if (mayBeMark(text.slice(at))) return text.length - at;
  return 0;
}

function mayBeMark(text: string): boolean {
  if (text.length <= BEGINNING.length) return BEGINNING.startsWith(text);
  if (!text.startsWith(BEGINNING)) return false;
  const rest = text.slice(BEGINNING.length);
  const [term = ''] = /^\d*/.exec(rest) ?? [];
  return END.startsWith(rest.slice(term.length));
}
