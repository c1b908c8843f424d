import type { LedgerEntry } from '../engine/store-port.ts';
import { LEDGER } from './messages.ts';

/**
 * Reads lines of the ledger after a place in it, the oldest first; at most `limit`, and none after one
 * with which they take more than `length` characters.
 */
export type ReadLedger = (after: number, limit: number, length: number) => readonly LedgerEntry[];

/** A line, and how many characters it takes to say it. */
interface Line {
  readonly entry: LedgerEntry;
  readonly length: number;
}

function lineOf(entry: LedgerEntry): Line {
  return { entry, length: JSON.stringify(entry).length };
}

const PAGE_LINES = 1000;
const PAGE_LENGTH = 2 ** 20;
/** A character takes three bytes at most, so that this fits into a frame of 16 MiB. */
const FRAME_LENGTH = 5 * 2 ** 20;

/**
 * The ledger as one peer is told it: every line once, in order.
 *
 *     behind --catchUp--> behind, or live when nothing is missing any more
 *     live --tell--> live
 *
 * Whoever is behind asks for page after page, each when it has read the last one. So nobody is sent
 * more than it can take in.
 */
export class LedgerFeed {
  readonly #notify: (method: string, params: unknown) => void;
  readonly #read: ReadLedger;
  /** It has been told everything up to here. */
  #place = 0;
  #isLive = false;

  constructor(notify: (method: string, params: unknown) => void, read: ReadLedger) {
    this.#notify = notify;
    this.#read = read;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Tells what comes after a place. The next page is asked for with the place that this one leads to. */
  catchUp(after: number): { readonly after: number; readonly isLive: boolean } {
    this.#place = after;
    const lines = this.#read(after, PAGE_LINES, PAGE_LENGTH).map(lineOf);
    const page = firstPage(lines);
    for (const each of pageOf(page)) this.#send(each);
    // Whoever reads stops at the first line that is too much, and there may be more.
    const isAll = lines.length < PAGE_LINES && lengthOf(lines) <= PAGE_LENGTH;
    this.#isLive = isAll && page.length === lines.length;
    return { after: this.#place, isLive: this.#isLive };
  }

  /** What is on the disk now; some of it may have been told before. */
  tell(news: FreshLines): void {
    if (!this.#isLive) return;
    if (news.lines[0]?.entry.sequence === this.#place + 1) {
      for (const page of news.pages) this.#send(page);
      return;
    }
    const next = news.lines.filter(({ entry }) => entry.sequence > this.#place);
    const [first] = next;
    if (first === undefined) return;
    const isNext = first.entry.sequence === this.#place + 1;
    const all = isNext
      ? next
      : this.#read(this.#place, Number.MAX_SAFE_INTEGER, Infinity).map(lineOf);
    for (const page of pagesOf(all)) this.#send(page);
  }

  #send({ params, place }: Page): void {
    this.#notify(LEDGER, params);
    this.#place = place;
  }
}

/** What is on the disk now, put once for all who are told it. */
export class FreshLines {
  readonly lines: readonly Line[];
  #pages: readonly Page[] | undefined;

  constructor(entries: readonly LedgerEntry[]) {
    this.lines = entries.map(lineOf);
  }

  get pages(): readonly Page[] {
    this.#pages ??= pagesOf(this.lines);
    return this.#pages;
  }
}

interface Page {
  readonly params: { readonly entries: readonly LedgerEntry[] };
  /** Up to where in the ledger it leads. */
  readonly place: number;
}

function pagesOf(lines: readonly Line[]): readonly Page[] {
  const pages: Page[] = [];
  for (let done = 0; done < lines.length;) {
    const part = firstPage(lines.slice(done));
    pages.push(...pageOf(part));
    done += part.length;
  }
  return pages;
}

function pageOf(lines: readonly Line[]): readonly Page[] {
  const last = lines.at(-1);
  if (last === undefined) return [];
  // What no frame can hold comes alone. To be told nothing means: read the ledger yourself.
  const entries = last.length > FRAME_LENGTH ? [] : lines.map(({ entry }) => entry);
  return [{ params: { entries }, place: last.entry.sequence }];
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

/** As many lines as are told at once, and one at least. */
function firstPage(lines: readonly Line[]): readonly Line[] {
  let length = 0;
  const end = lines.findIndex((line, index) => {
    length += line.length;
    return length > PAGE_LENGTH && index > 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
