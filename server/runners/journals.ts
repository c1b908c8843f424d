import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../domain/task.ts';
import { type Journal, JOURNAL_BYTES, parseJournal, type TermRecord } from './journal-text.ts';
import type { ProcessTable } from './process-identity.ts';
import { codeOf, isAbsent } from './system-error.ts';

const OVER = '.over';
const LOOK_AGAIN_MS = 20;
const UNDECIDED_ROUNDS = 25;

/**
 * What slots have on record: a file for each, in a folder for each process that has slots. A slot
 * begins a command only as long as that folder has its name, after it has written that it is about to.
 *
 * Invariant: whoever renames a folder and then reads what is in it knows all that was ever begun, and
 * all that ever will be. Nothing has to be made or removed for a single command.
 */
export class Journals {
  readonly #commandsFolder: string;
  readonly #own: string;
  /** Of commands that slots of earlier processes were given: in which file they are. */
  readonly #files = new Map<number, string>();
  readonly #writers = new Set<string>();
  readonly #watchers = new Set<Disposable>();
  #count = 0;

  /** From now on no slot of another process begins anything. */
  constructor(commandsFolder: string) {
    this.#commandsFolder = commandsFolder;
    const name = `${process.pid}.${performance.timeOrigin + performance.now()}`;
    this.#own = path.join(commandsFolder, name);
    mkdirSync(this.#own, { recursive: true, mode: 0o700 });
    for (const folder of this.#others().filter((each) => !each.endsWith(OVER))) end(folder);
    for (const file of this.#earlier()) this.#note(file);
  }

  /** A file for a slot, with room for what it is going to write also where the disk is full by then. */
  create(): string {
    this.#count += 1;
    const file = path.join(this.#own, String(this.#count));
    const descriptor = openNew(file);
    try {
      for (let written = 0; written < JOURNAL_BYTES;)
        written += writeSync(descriptor, EMPTY, 0, JOURNAL_BYTES - written);
    } catch (error) {
      remove(file);
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return file;
  }

  /** Whether an earlier process has ordered it. */
  has(term: number): boolean {
    return this.#files.has(term);
  }

  /** Whether all is known that this slot of an earlier process has begun. */
  knows(slot: ProcessIdentity): boolean {
    return this.#writers.has(nameOf(slot));
  }

  /** Nothing when no slot of an earlier process has begun with the order, and none ever will. */
  async find(term: number, isAlive: ProcessTable['isAlive']): Promise<TermRecord | undefined> {
    let record = this.look(term);
    // It has just read the order: it is about to begin, or to see that it must not.
    for (let round = 0; round < UNDECIDED_ROUNDS && isUndecided(record); round += 1) {
      if (!isAlive(record.process)) return this.look(term);
      await delay(LOOK_AGAIN_MS);
      record = this.look(term);
    }
    return record;
  }

  /** What is on record of it by now. */
  look(term: number): TermRecord | undefined {
    const file = this.#files.get(term);
    return file === undefined ? undefined : readRecord(file, term);
  }

  /** Calls back when a slot of an earlier process has written something; may miss some. */
  watch(onWritten: () => void): Disposable {
    for (const folder of new Set([...this.#files.values()].map((file) => path.dirname(file))))
      this.#watchFolder(folder, onWritten);
    return { [Symbol.dispose]: () => this.#unwatch() };
  }

  /** Removes what earlier processes have left behind, but for what somebody still has to ask about. */
  tidy(isNeeded: (record: TermRecord) => boolean): void {
    for (const file of this.#earlier()) {
      const records = [...(readJournal(file)?.records.values() ?? [])];
      if (records.some(isNeeded)) continue;
      for (const { term } of records) this.#files.delete(term);
      remove(file);
    }
    for (const folder of this.#others()) if (namesIn(folder).length === 0) remove(folder);
  }

  /** Nobody asks about the slot that wrote it. */
  drop(journal: string): void {
    remove(journal);
  }

  /** Nobody asks about slots of this process any more: none of them does anything. */
  discard(): void {
    remove(this.#own);
  }

  #note(file: string): void {
    const journal = readJournal(file);
    if (journal === undefined) return;
    this.#writers.add(nameOf(journal.writer.process));
    for (const term of journal.records.keys()) this.#files.set(term, file);
  }

  #others(): readonly string[] {
    return namesIn(this.#commandsFolder)
      .map((name) => path.join(this.#commandsFolder, name))
      .filter((folder) => folder !== this.#own);
  }

  #earlier(): readonly string[] {
    return this.#others().flatMap((folder) =>
      namesIn(folder).map((name) => path.join(folder, name)),
    );
  }

  #watchFolder(folder: string, onWritten: () => void): void {
    try {
      const watcher = watch(folder, { persistent: false }, onWritten);
      watcher.on('error', () => {});
      this.#watchers.add({ [Symbol.dispose]: () => watcher.close() });
    } catch {
      // The system watches no more folders for this user.
    }
  }

  #unwatch(): void {
    for (const watcher of this.#watchers) watcher[Symbol.dispose]();
    this.#watchers.clear();
  }
}

/** Whether a command still runs that slots of any process have begun. Changes nothing. */
export function hasLiveCommands(commandsFolder: string, isAlive: ProcessTable['isAlive']): boolean {
  return namesIn(commandsFolder).some((name) => {
    const folder = path.join(commandsFolder, name);
    return namesIn(folder).some((each) =>
      [...(readJournal(path.join(folder, each))?.records.values() ?? [])].some(
        (record) => record.hasBegun && record.result === undefined && isAlive(record.process),
      ),
    );
  });
}

const EMPTY = Buffer.alloc(JOURNAL_BYTES);

/** Nobody makes the folder anew: who took the place of this process has moved it away. */
export class JournalsGone extends Error {
  constructor(folder: string) {
    super(
      `No command can be started: ${folder} was removed, or another Interlock decides for the board now. Start Interlock again.`,
    );
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    throw isAbsent(error) ? new JournalsGone(path.dirname(file)) : error;
  }
}

/** What a slot has on record of one term; nothing when it has nothing. */
export function readRecord(file: string, term: number): TermRecord | undefined {
  return readJournal(file)?.records.get(term);
}

/** Nothing where there is no journal; throws where nobody can look. */
function readJournal(file: string): Journal | undefined {
  try {
    return parseJournal(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isAbsent(error) || codeOf(error) === 'EISDIR') return undefined;
    throw error;
  }
}

function isUndecided(record: TermRecord | undefined): record is TermRecord {
  return record !== undefined && !record.hasBegun && record.result === undefined;
}

function nameOf({ bootId, pid, startTime }: ProcessIdentity): string {
  return `${bootId} ${pid} ${startTime}`;
}

function end(folder: string): void {
  try {
    renameSync(folder, folder + OVER);
  } catch (error) {
    // Somebody else did it in this moment.
    if (namesIn(folder).length > 0) throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // The next one tries again.
  }
}
