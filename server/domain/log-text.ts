/** More of one line than anybody reads on a screen. */
const LINE_LIMIT = 64 * 1024;
/** Longer ones are no colours. */
const SEQUENCE_LIMIT = 64;

const PLAIN_LIMIT = 4096;
/** Letters that `isShown` lets through, and no end of a line. */
const PLAIN = `[^\\u0000-\\u001F\\u007F-\\u009F\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]{1,${PLAIN_LIMIT}}`;

const ESCAPE = '\u001B';
/** Colours and nothing else, behind the ESC: `[1;31m`. */
const COLOUR = /^\[[\d;:]*m$/;
/** The rest of the line is cleared: `[K`. */
const ERASE = /^\[[0-2]?K$/;

/**
 * The output of a command as it may reach a screen: nothing that moves the cursor, clears the screen,
 * sets the title or the clipboard, or answers as if the user had typed. Colors stay, or are left out whole.
 *
 * It is fed piece by piece; a sequence or a letter may be spread over several.
 */
export class LogText {
  /** What CR alone becomes: progress that is written over itself is shown line by line, or as it is. */
  readonly #return: '\n' | '\r';
  readonly #keepsColors: boolean;
  readonly #decoder = new TextDecoder();
  readonly #plain = new RegExp(PLAIN, 'y');
  /** What began with ESC and is not at its end. */
  #sequence = '';
  #lineLength = 0;
  #wasReturn = false;
  #hasColour = false;

  constructor({ isOverwriting = false, hasColors = true } = {}) {
    this.#keepsColors = hasColors;
    this.#return = isOverwriting ? '\r' : '\n';
  }

  take(bytes: Uint8Array): string {
    return this.#filter(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The rest, in the colour that the screen had before. */
  end(): string {
    const rest = this.#filter(this.#decoder.decode());
    return this.#hasColour ? `${rest}${ESCAPE}[0m` : rest;
  }

  #filter(text: string): string {
    let shown = '';
    for (let at = 0; at < text.length;) {
      const plain = this.#plainAt(text, at);
      const letter = plain === '' ? letterAt(text, at) : '';
      shown += plain === '' ? this.#letter(letter) : plain;
      at += plain.length + letter.length;
    }
    return shown;
  }

  /** Most of a log is this, and needs no look at each letter. */
  #plainAt(text: string, at: number): string {
    if (this.#wasReturn || this.#sequence !== '') return '';
    if (this.#lineLength + PLAIN_LIMIT > LINE_LIMIT) return '';
    this.#plain.lastIndex = at;
    const plain = this.#plain.exec(text)?.[0] ?? '';
    this.#lineLength += plain.length;
    return plain;
  }

  #letter(letter: string): string {
    // Progress that is written over itself.
    const before = this.#wasReturn && letter !== '\n' ? this.#inLine(this.#return) : '';
    this.#wasReturn = letter === '\r' && this.#sequence === '';
    if (this.#sequence !== '') return before + this.#inSequence(letter);
    if (letter === ESCAPE) this.#sequence = letter;
    return letter !== ESCAPE && isShown(letter) ? before + this.#inLine(letter) : before;
  }

  #inLine(letter: string): string {
    if (letter === '\n' || letter === '\r') {
      this.#lineLength = 0;
      return letter;
    }
    this.#lineLength += letter.length;
    if (this.#lineLength <= LINE_LIMIT) return letter;
    return this.#lineLength - letter.length <= LINE_LIMIT
      ? ' … (the rest of this line is not shown)'
      : '';
  }

  #inSequence(letter: string): string {
    const sequence = this.#sequence + letter;
    this.#sequence = sequence.length > SEQUENCE_LIMIT ? sequence.slice(0, 2) + letter : sequence;
    if (!isWhole(sequence, letter)) return '';
    this.#sequence = '';
    // A new line or a new sequence ends whatever it came in.
    if (letter === '\n') return this.#inLine(letter);
    if (this.#return === '\r' && ERASE.test(sequence.slice(1))) return sequence;
    if (!this.#keepsColors || !COLOUR.test(sequence.slice(1))) return '';
    this.#hasColour = true;
    return sequence;
  }
}

/** `ESC [ … letter`, `ESC ] … BEL` or `… ESC \`, and `ESC letter`. */
function isWhole(sequence: string, letter: string): boolean {
  if (letter === '\n') return true;
  const kind = sequence[1] ?? '';
  if (sequence.length === 2)
    return !'[]PX^_'.includes(kind) && !isBetween(letter, '\u0020', '\u002F');
  if (kind === '[') return isBetween(letter, '\u0040', '\u007E');
  if (']PX^_'.includes(kind))
    return letter === '\u0007' || letter === '\u009C' || sequence.endsWith(`${ESCAPE}\\`);
  return !isBetween(letter, '\u0020', '\u002F');
}

function isBetween(letter: string, low: string, high: string): boolean {
  return letter >= low && letter <= high;
}

function letterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Neither control characters nor those that turn the direction of what follows. */
function isShown(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x7f) return code >= 0x20 || letter === '\n' || letter === '\t';
  return code > 0x9f && !/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(letter);
}
