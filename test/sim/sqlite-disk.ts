import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SqliteStore } from '../../server/store/sqlite-store.ts';
import type { SimClock } from './sim-time.ts';

type OpenStore = (clock: SimClock) => SqliteStore;

/** A real file for one world; each process opens it anew, and the last one may not have closed it. */
export async function onSqlite<Result>(
  live: (openStore: OpenStore) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'interlock-sim-'));
  const opened: SqliteStore[] = [];
  try {
    return await live((clock) => {
      const store = new SqliteStore(path.join(folder, 'board.db'), { clock });
      opened.push(store);
      return store;
    });
  } finally {
    for (const store of opened) store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
