import path from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { SqliteStore } from '../../../server/store/sqlite-store.ts';
import { storeContract } from '../../support/contracts/store-contract.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('in memory', () => {
  storeContract(() => new MemoryStore());
});

describe('in SQLite', () => {
  storeContract(() => {
    const store = new SqliteStore(path.join(temporaryFolder(), 'board.db'));
    onTestFinished(() => store.close());
    return store;
  });
});
