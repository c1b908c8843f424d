import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { BoardDirectory } from '../../server/system/board-directory.ts';
import type { Part, Stage } from '../crash/stage.ts';

/** What is measured, by its name; what cannot be had at the moment is left out. */
export type Sample = ReadonlyMap<string, number>;

/** So much more than before is no growth: what comes and goes, and how coarse it is. */
export const SLACK: Readonly<Record<string, number>> = {
  'heap of one, MiB': 6,
  'heap of another, MiB': 6,
  'memory of one, MiB': 60,
  'memory of another, MiB': 60,
  'files open in one': 12,
  'files open in another': 12,
  'processes of the board': 12,
  slots: 9,
  'board.db, MiB': 6,
  'board.db-wal, MiB': 6,
  'entries of the ledger': 12_000,
  'journals of slots': 40,
  'folders of logs': 260,
  'files of the board': 12,
};

const MIB = 2 ** 20;
const ANSWER_MS = 10_000;

export async function takeSample(
  stage: Stage,
  { one, another }: { one: Part; another: Part },
): Promise<Sample> {
  const sample = new Map<string, number>();
  for (const [name, part] of Object.entries({ one, another })) {
    const [rss, heap] = ((await part.answer('memory', ANSWER_MS)) ?? '').split(' ').map(Number);
    if (heap !== undefined && rss !== undefined) {
      sample.set(`heap of ${name}, MiB`, heap / MIB);
      sample.set(`memory of ${name}, MiB`, rss / MIB);
    }
    sample.set(`files open in ${name}`, countIn(`/proc/${part.pid}/fd`));
  }
  const { processes } = stage;
  sample.set('processes of the board', processes.length);
  sample.set('slots', processes.filter(({ isSlot }) => isSlot).length);
  const directory = new BoardDirectory(stage.root, { INTERLOCK_STATE_DIR: stage.state });
  const { databaseFile, commandsFolder } = directory;
  sample.set('board.db, MiB', sizeOf(databaseFile) / MIB);
  sample.set('board.db-wal, MiB', sizeOf(`${databaseFile}-wal`) / MIB);
  sample.set('entries of the ledger', entriesIn(databaseFile));
  sample.set('journals of slots', readdirSync(commandsFolder, { recursive: true }).length);
  sample.set('folders of logs', countIn(path.join(directory.path, 'runs')));
  sample.set('files of the board', countIn(directory.path));
  return sample;
}

function entriesIn(file: string): number {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return Number(database.prepare('select count(*) from event').pluck().get());
  } finally {
    database.close();
  }
}

function countIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
