import {
  amount,
  type AnswerBounds,
  LINE_BYTES,
  NOISE_BYTES,
  overrun,
  type ReadFault,
  UNCLEAR,
} from './host-limits.ts';

/** What a machine says to one request. */
export interface Answer {
  readonly id: number;
  readonly status: number;
  readonly lines: readonly string[];
  readonly pieces: readonly Buffer[];
}

interface Hearing {
  /** What the next answer may have; undefined while nothing was asked. */
  readonly bounds: () => AnswerBounds | undefined;
  readonly onAnswer: (answer: Answer) => void;
}

const NEWLINE = 10;

/**
 * Reads answers from what a shell on a machine prints. What it prints before it says `hello`, such as
 * what files of its user print for everybody who logs in, is left out.
 *
 * Invariant: nothing is kept beyond the bounds of the answer that was asked for.
 */
export class AnswerReader {
  readonly #hello: string;
  readonly #hearing: Hearing;
  #hasGreeted = false;
  #noiseBytes = 0;
  /** Of the line that is not complete yet. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  #lines: string[] = [];
  /** Of all complete lines of this answer. */
  #bytes = 0;
  #pieces: Buffer[] = [];
  /** The piece that is not complete yet, and how much of it is there. */
  #piece: Buffer = Buffer.alloc(0);
  #pieceBytes = 0;

  constructor(hello: string, hearing: Hearing) {
    this.#hello = hello;
    this.#hearing = hearing;
  }

  get hasGreeted(): boolean {
    return this.#hasGreeted;
  }

  /** Returns what is wrong with it; after that nothing more can be read. */
  read(bytes: Buffer): ReadFault | undefined {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#pieceBytes < this.#piece.length) {
        rest = rest.subarray(this.#addToPiece(rest));
        continue;
      }
      const end = rest.indexOf(NEWLINE);
      const part = end < 0 ? rest : rest.subarray(0, end);
      const fault = this.#addToLine(part) ?? (end < 0 ? undefined : this.#endLine());
      if (fault !== undefined) return fault;
      if (end < 0) return undefined;
      rest = rest.subarray(end + 1);
    }
    return undefined;
  }

  #addToLine(part: Buffer): ReadFault | undefined {
    this.#lineBytes += part.length;
    if (!this.#hasGreeted) {
      this.#noiseBytes += part.length + 1;
      if (this.#noiseBytes > NOISE_BYTES)
        return overrun(`more than ${amount(NOISE_BYTES)} before its shell was ready`);
    }
    if (this.#lineBytes > LINE_BYTES) {
      // Of what comes before the greeting nothing is kept.
      this.#line = [];
      return this.#hasGreeted ? overrun(`a line of more than ${amount(LINE_BYTES)}`) : undefined;
    }
    this.#line.push(part);
    return undefined;
  }

  #endLine(): ReadFault | undefined {
    const line = Buffer.concat(this.#line).toString('utf8');
    const lineBytes = this.#lineBytes;
    [this.#line, this.#lineBytes] = [[], 0];
    if (!this.#hasGreeted) {
      this.#hasGreeted = line === this.#hello;
      return undefined;
    }
    if (line.startsWith(' ')) return this.#addLine(line.slice(1), lineBytes);
    const piece = PIECE.exec(line)?.[1];
    if (piece !== undefined) return this.#beginPiece(Number(piece));
    const [, id, status] = END.exec(line) ?? [];
    if (id === undefined) return UNCLEAR;
    const [lines, pieces] = [this.#lines, this.#pieces];
    [this.#lines, this.#pieces, this.#bytes] = [[], [], 0];
    this.#hearing.onAnswer({ id: Number(id), status: Number(status), lines, pieces });
    return undefined;
  }

  #addLine(line: string, bytes: number): ReadFault | undefined {
    const bounds = this.#hearing.bounds();
    if (bounds === undefined) return UNASKED;
    this.#bytes += bytes;
    if (this.#bytes > bounds.bytes)
      return overrun(`more than ${amount(bounds.bytes)} in one answer`);
    if (this.#lines.length >= bounds.lines)
      return overrun(`more than ${bounds.lines} lines in one answer`);
    this.#lines.push(line);
    return undefined;
  }

  #beginPiece(bytes: number): ReadFault | undefined {
    const bounds = this.#hearing.bounds();
    if (bounds === undefined) return UNASKED;
    const asked = bounds.pieces[this.#pieces.length];
    if (asked === undefined) return overrun('more pieces of a file than were asked for');
    if (bytes > asked) return overrun(`${bytes} bytes of a file where ${asked} were asked for`);
    if (bytes === 0) this.#pieces.push(Buffer.alloc(0));
    else [this.#piece, this.#pieceBytes] = [Buffer.alloc(bytes), 0];
    return undefined;
  }

  /** Returns how many of them belong to it. */
  #addToPiece(bytes: Buffer): number {
    const added = bytes.copy(this.#piece, this.#pieceBytes);
    this.#pieceBytes += added;
    if (this.#pieceBytes === this.#piece.length) {
      this.#pieces.push(this.#piece);
      [this.#piece, this.#pieceBytes] = [Buffer.alloc(0), 0];
    }
    return added;
  }
}

const UNASKED = overrun('an answer that nothing was asked for');
const PIECE = /^=(\d{1,15})$/;
const END = /^\.(\d{1,15}) (\d{1,3})$/;
