import { amount, overrun, type ReadFault, UNCLEAR } from './host-limits.ts';

/** What tmux says of one command, or by itself, where it is steered by lines of text. */
export type ControlWord =
  | { readonly kind: 'reply'; readonly succeeded: boolean; readonly lines: readonly string[] }
  | { readonly kind: 'note'; readonly name: string; readonly rest: string };

/** Of one line, and of all lines of one reply. */
const REPLY_BYTES = 1024 * 1024;
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
  #replyBytes = 0;

  constructor(onWord: (word: ControlWord) => void) {
    this.#onWord = onWord;
  }

  /** Returns what is wrong with it; after that nothing more can be read. */
  read(text: string): ReadFault | undefined {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    if (this.#unread.length > REPLY_BYTES)
      return overrun(`a line of more than ${amount(REPLY_BYTES)}`);
    for (const line of lines) {
      const fault = this.#line(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #line(line: string): ReadFault | undefined {
    const reply = this.#reply;
    if (reply === undefined) return this.#outside(line);
    const ended = END.exec(line);
    if (ended?.[2] !== reply.numbers) {
      this.#replyBytes += line.length;
      if (this.#replyBytes > REPLY_BYTES)
        return overrun(`more than ${amount(REPLY_BYTES)} in one answer of tmux`);
      reply.lines.push(line);
      return reply.lines.length <= LINES_LIMIT
        ? undefined
        : overrun(`more than ${LINES_LIMIT} lines in one answer of tmux`);
    }
    [this.#reply, this.#replyBytes] = [undefined, 0];
    const succeeded = ended[1] === 'end';
    // What came with the client itself nobody here has asked for.
    if (reply.isAsked) this.#onWord({ kind: 'reply', succeeded, lines: reply.lines });
    return undefined;
  }

  #outside(line: string): ReadFault | undefined {
    const begin = BEGIN.exec(line);
    if (begin !== null) {
      const [, numbers = '', flags = ''] = begin;
      this.#reply = {
        numbers: `${numbers} ${flags}`,
        isAsked: (Number(flags) & 1) === 1,
        lines: [],
      };
      return undefined;
    }
    const [, name, rest = ''] = NOTE.exec(line) ?? [];
    if (name !== undefined) this.#onWord({ kind: 'note', name, rest });
    return name !== undefined || line === '' ? undefined : UNCLEAR;
  }
}

const BEGIN = /^%begin (\d+ \d+) (\d+)$/;
const END = /^%(end|error) (\d+ \d+ \d+)$/;
const NOTE = /^%([a-z-]+)(?: (.*))?$/;
