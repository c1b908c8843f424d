/** What tmux says of one command, or by itself, where it is steered by lines of text. */
export type ControlWord =
  | { readonly kind: 'reply'; readonly succeeded: boolean; readonly lines: readonly string[] }
  | { readonly kind: 'note'; readonly name: string; readonly rest: string };

const LINE_LIMIT = 1024 * 1024;
const LINES_LIMIT = 10_000;

/**
 * Reads the control mode of tmux: `%begin`, whatever a command prints, `%end` or `%error` with the same
 * numbers; and notes such as `%exit`, one a line, never between the two. What a command prints may
 * look like anything, so only the end that has the numbers of the beginning ends it.
 */
export class ControlReader {
  readonly #onWord: (word: ControlWord) => void;
  #unread = '';
  #reply:
    | { readonly numbers: string; readonly isAsked: boolean; readonly lines: string[] }
    | undefined;

  constructor(onWord: (word: ControlWord) => void) {
    this.#onWord = onWord;
  }

  /** Answers whether it may be understood; after a `false` nothing that follows is. */
  read(text: string): boolean {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    if (this.#unread.length > LINE_LIMIT) return false;
    return lines.every((line) => this.#line(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #line(line: string): boolean {
    const reply = this.#reply;
    if (reply === undefined) return this.#outside(line);
    const ended = END.exec(line);
    if (ended?.[2] !== reply.numbers) {
      reply.lines.push(line);
      return reply.lines.length <= LINES_LIMIT;
    }
    this.#reply = undefined;
    const succeeded = ended[1] === 'end';
    // What came with the client itself nobody here has asked for.
    if (reply.isAsked) this.#onWord({ kind: 'reply', succeeded, lines: reply.lines });
    return true;
  }

  #outside(line: string): boolean {
    const begin = BEGIN.exec(line);
    if (begin !== null) {
      const [, numbers = '', flags = ''] = begin;
      this.#reply = {
        numbers: `${numbers} ${flags}`,
        isAsked: (Number(flags) & 1) === 1,
        lines: [],
      };
      return true;
    }
    const [, name, rest = ''] = NOTE.exec(line) ?? [];
    if (name !== undefined) this.#onWord({ kind: 'note', name, rest });
    return name !== undefined || line === '';
  }
}

const BEGIN = /^%begin (\d+ \d+) (\d+)$/;
const END = /^%(end|error) (\d+ \d+ \d+)$/;
const NOTE = /^%([a-z-]+)(?: (.*))?$/;
