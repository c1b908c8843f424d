/** What a machine says to one request. */
export interface Answer {
  readonly id: number;
  readonly status: number;
  readonly lines: readonly string[];
  readonly pieces: readonly Buffer[];
}

const NEWLINE = 10;
/** Nothing that a machine says has longer lines; what has is no answer. */
const LINE_LIMIT_BYTES = 64 * 1024;
const PIECE_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Reads answers from what a shell on a machine prints. What it prints before it says `hello`, such as
 * what files of its user print for everybody who logs in, is left out.
 */
export class AnswerReader {
  readonly #hello: string;
  readonly #onAnswer: (answer: Answer) => void;
  #hasGreeted = false;
  /** Of the line that is not complete yet. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  #lines: string[] = [];
  #pieces: Buffer[] = [];
  /** Of a piece that is not complete yet. */
  #piece: Buffer[] = [];
  #missingBytes = 0;

  constructor(hello: string, onAnswer: (answer: Answer) => void) {
    this.#hello = hello;
    this.#onAnswer = onAnswer;
  }

  get hasGreeted(): boolean {
    return this.#hasGreeted;
  }

  /** Answers whether it may be understood; after a `false` nothing that follows is. */
  read(bytes: Buffer): boolean {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#missingBytes > 0) {
        const part = rest.subarray(0, this.#missingBytes);
        rest = rest.subarray(part.length);
        this.#addToPiece(part);
        continue;
      }
      const end = rest.indexOf(NEWLINE);
      const part = end < 0 ? rest : rest.subarray(0, end);
      if (!this.#addToLine(part)) return false;
      if (end < 0) return true;
      rest = rest.subarray(end + 1);
      if (!this.#endLine()) return false;
    }
    return true;
  }

  #addToLine(part: Buffer): boolean {
    this.#lineBytes += part.length;
    if (this.#lineBytes > LINE_LIMIT_BYTES) {
      // Of what comes before the greeting nothing is kept.
      this.#line = [];
      return !this.#hasGreeted;
    }
    this.#line.push(part);
    return true;
  }

  #endLine(): boolean {
    const line = Buffer.concat(this.#line).toString('utf8');
    [this.#line, this.#lineBytes] = [[], 0];
    if (!this.#hasGreeted) {
      this.#hasGreeted = line === this.#hello;
      return true;
    }
    if (line.startsWith(' ')) {
      this.#lines.push(line.slice(1));
      return true;
    }
    const piece = PIECE.exec(line)?.[1];
    if (piece !== undefined) return this.#beginPiece(Number(piece));
    const [, id, status] = END.exec(line) ?? [];
    if (id === undefined) return false;
    const [lines, pieces] = [this.#lines, this.#pieces];
    [this.#lines, this.#pieces] = [[], []];
    this.#onAnswer({ id: Number(id), status: Number(status), lines, pieces });
    return true;
  }

  #beginPiece(bytes: number): boolean {
    if (bytes > PIECE_LIMIT_BYTES) return false;
    this.#missingBytes = bytes;
    if (bytes === 0) this.#pieces.push(Buffer.alloc(0));
    return true;
  }

  #addToPiece(part: Buffer): void {
    this.#piece.push(part);
    this.#missingBytes -= part.length;
    if (this.#missingBytes > 0) return;
    this.#pieces.push(Buffer.concat(this.#piece));
    this.#piece = [];
  }
}

const PIECE = /^=(\d{1,9})$/;
const END = /^\.(\d{1,15}) (\d{1,3})$/;
