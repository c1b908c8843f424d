import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sqliteFacts, storeFacts } from '../../../server/store/store-facts.ts';
import { openBoardDatabase } from '../../../server/store/database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function boardFile(): string {
  return path.join(temporaryFolder(), 'board.db');
}

test('SQLite says which it is', () => {
  expect(sqliteFacts()).toEqual({ kind: 'loaded', version: expect.stringMatching(/^3\./) });
});

test('a store that is not there is not made', () => {
  const file = boardFile();
  expect(storeFacts(file)).toEqual({ kind: 'absent', file });
  expect(existsSync(file)).toBe(false);
});

test('a store is looked through, also while somebody has it open', () => {
  const file = boardFile();
  const { database } = openBoardDatabase(file);
  const sound = { kind: 'sound', file, bytes: expect.any(Number), isLookedThrough: true };
  expect(storeFacts(file)).toEqual(sound);
  database.close();
  expect(storeFacts(file)).toEqual(sound);
});

test('a damaged store is told, and stays as it is', () => {
  const file = boardFile();
  writeFileSync(file, 'no database at all, and long enough to be looked at as one'.repeat(20));
  const before = readFileSync(file);
  expect(storeFacts(file)).toEqual({ kind: 'damaged', file });
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(path.dirname(file))).toEqual(['board.db']);
});

test('a store of a newer version is told', () => {
  const file = boardFile();
  const { database } = openBoardDatabase(file);
  database.pragma('user_version = 99');
  database.close();
  expect(storeFacts(file)).toEqual({
    kind: 'unusable',
    message: expect.stringContaining('A newer version of Interlock has written'),
  });
});
