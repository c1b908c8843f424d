import { type ReadFault, UnaskedMeter } from './host-limits.ts';
import { readSeen, type Seen } from './seen.ts';

/** What a wrapper says that has come to the end of a command; absent where it has not begun it. */
export interface ToldEnd {
  readonly seen: Extract<Seen, { kind: 'ended' | 'fenced' }>;
  /** Its command has printed nothing. */
  readonly isSilent: boolean;
}

/**
 * Reads the terms of commands that have ended, a line each, with how that was; whatever else is printed
 * is left out. No command has the term 0: that is said as soon as nothing is missed any more.
 */
export class EndsReader {
  readonly #onEnd: (term: number, end: ToldEnd | undefined) => void;
  readonly #bootId: string;
  readonly #meter = new UnaskedMeter();
  #unread = '';

  constructor(bootId: string, onEnd: (term: number, end: ToldEnd | undefined) => void) {
    this.#bootId = bootId;
    this.#onEnd = onEnd;
  }

  /** Returns what is wrong with it; after that nothing more can be read. */
  read(bytes: Buffer): ReadFault | undefined {
    const fault = this.#meter.count(bytes.length);
    if (fault !== undefined) return fault;
    const lines = (this.#unread + bytes.toString('latin1')).split('\n');
    this.#unread = (lines.pop() ?? '').slice(-LINE_LIMIT);
    for (const line of lines) {
      const [, term, said, rest = ''] = END.exec(line) ?? [];
      if (term === undefined) continue;
      const seen = readSeen(`${term} ended ${rest}`, this.#bootId)?.[1];
      const isTold = seen?.kind === 'ended' || seen?.kind === 'fenced';
      this.#onEnd(Number(term), isTold ? { seen, isSilent: said === 'silent' } : undefined);
    }
    return undefined;
  }
}

const LINE_LIMIT = 256;
const END = /^!(\d{1,15})(?: (said|silent) (.*))?$/;
