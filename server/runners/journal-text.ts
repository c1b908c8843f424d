import type { ProcessIdentity } from '../domain/task.ts';

/** Room for some hundred commands. */
export const JOURNAL_BYTES = 64 * 1024;
/** No more than this is taken by one command, or by what a slot says of itself. */
export const RECORD_BYTES = 8 * 1024;

/** What a slot has written of one command. */
export interface TermRecord {
  readonly term: number;
  /** The slot, and so the group of the command. */
  readonly process: ProcessIdentity;
  readonly slot: string;
  readonly logFile: string;
  /** There is a process that a signal ends. */
  readonly hasBegun: boolean;
  /** How it ended: a status as a shell counts it, or why nothing was run. */
  readonly result: string | undefined;
}

/** Who writes a journal. */
export interface Writer {
  readonly process: ProcessIdentity;
  readonly slot: string;
}

/** What a slot is told of a command, and writes before it looks whether it may begin. */
interface Order {
  readonly term: number;
  readonly logFile: string;
}

export interface Journal {
  readonly writer: Writer;
  readonly records: ReadonlyMap<number, TermRecord>;
}

export function writerLine({ process, slot }: Writer): string {
  return JSON.stringify({ ...process, slot });
}

export function orderLine({ term, logFile }: Order): string {
  return `order ${JSON.stringify({ term, logFile })}`;
}

/**
 * A line counts when it is complete, and what no slot writes counts for nothing. What follows the
 * last line has not been written yet.
 */
export function parseJournal(text: string): Journal | undefined {
  const [first = '', ...lines] = text.slice(0, text.lastIndexOf('\n')).split('\n');
  const writer = readWriter(first);
  if (writer === undefined) return undefined;
  const records = new Map<number, TermRecord>();
  let current: TermRecord | undefined;
  for (const line of lines) {
    const order = readOrder(line);
    if (order !== undefined) current = { ...order, ...writer, hasBegun: false, result: undefined };
    else if (current !== undefined) current = followed(current, line);
    if (current !== undefined) records.set(current.term, current);
  }
  return { writer, records };
}

/** Nothing where no slot writes such a line: then nobody knows whose the next ones are. */
function followed(record: TermRecord, line: string): TermRecord | undefined {
  if (line === 'begun') return { ...record, hasBegun: true };
  const result = ENDED.exec(line)?.[1];
  return result === undefined ? undefined : { ...record, result: record.result ?? result };
}

const ENDED = /^ended (\d{1,3}|log|fenced)$/;

function readWriter(line: string): Writer | undefined {
  const { bootId, pid, startTime, slot } = parseFields(line);
  const isWhole =
    typeof bootId === 'string' &&
    isCount(pid) &&
    typeof startTime === 'string' &&
    typeof slot === 'string';
  return isWhole ? { process: { bootId, pid, startTime }, slot } : undefined;
}

function readOrder(line: string): Order | undefined {
  if (!line.startsWith('order ')) return undefined;
  const { term, logFile } = parseFields(line.slice('order '.length));
  return isCount(term) && typeof logFile === 'string' ? { term, logFile } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

type Fields = Partial<Record<keyof ProcessIdentity | 'slot' | 'term' | 'logFile', unknown>>;

function parseFields(line: string): Fields {
  try {
    const fields: Fields | null = JSON.parse(line);
    return fields ?? {};
  } catch {
    return {};
  }
}
