import path from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { ReopeningStore } from '../../../server/store/reopening-store.ts';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { storeContract } from '../../support/contracts/store-contract.ts';
import { MemoryDisk, MemoryStore } from '../../support/memory-store.ts';
import { StoreClock } from '../../support/store-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('in memory', () => {
  storeContract(() => {
    const clock = new StoreClock();
    const disk = new MemoryDisk();
    return { clock, open: () => new MemoryStore(clock, disk) };
  });
});

describe('in SQLite', () => {
  storeContract(() => {
    const clock = new StoreClock();
    const file = path.join(temporaryFolder(), 'board.db');
    return {
      clock,
      open: () => {
        const store = new SqliteStore(file, { clock });
        onTestFinished(() => store.close());
        return store;
      },
    };
  });
});

describe('in SQLite, opened anew when the disk fails', () => {
  storeContract(() => {
    const clock = new StoreClock();
    const file = path.join(temporaryFolder(), 'board.db');
    return {
      clock,
      open: () => {
        const store = new ReopeningStore({
          file: () => file,
          open: () => new SqliteStore(file, { clock }),
          holdsLock: () => true,
          onMovedAside: () => {},
        });
        onTestFinished(() => store.close());
        return store;
      },
    };
  });
});
