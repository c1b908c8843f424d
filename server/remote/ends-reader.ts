/**
 * Reads the terms of commands that have ended, a line each; whatever else is printed is left out. No
 * command has the term 0: that is said as soon as nothing is missed any more.
 */
export class EndsReader {
  readonly #onEnd: (term: number) => void;
  #unread = '';

  constructor(onEnd: (term: number) => void) {
    this.#onEnd = onEnd;
  }

  read(bytes: Buffer): void {
    const lines = (this.#unread + bytes.toString('latin1')).split('\n');
    this.#unread = (lines.pop() ?? '').slice(-LINE_LIMIT);
    for (const line of lines) {
      const term = END.exec(line)?.[1];
      if (term !== undefined) this.#onEnd(Number(term));
    }
  }
}

const LINE_LIMIT = 64;
const END = /^!(\d{1,15})$/;
