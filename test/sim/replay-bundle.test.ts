import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { LedgerEntry } from '../../server/engine/store-port.ts';
import { replayBundle } from './replay-bundle.ts';
import { simulate } from './simulate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'interlock-bundle-'));
const entries = await ledgerOf(1);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a bundle is decided again, zipped or not', () => {
  for (const name of ['board.json', 'board.json.gz']) {
    const { isSame, says } = replayBundle(written(name, { base: null, entries }));
    expect(says).toMatch(/^The same is decided: [1-9]/);
    expect(isSame).toBe(true);
  }
});

test('a bundle in which something else was decided says where', () => {
  const claim = entries.findIndex(({ decided }) => decided?.decision.kind === 'claim');
  const without = entries.filter((_, index) => index !== claim);
  const { isSame, says } = replayBundle(written('other.json', { base: null, entries: without }));
  expect(says).toContain('Something else is decided in turn');
  expect(isSame).toBe(false);
});

test('what is no bundle, or one of another version, is said to be so', () => {
  expect(replayBundle(written('none.json', { format: 'other' })).says).toContain('no bundle');
  const other = written('newer.json', { base: { version: 99 }, entries: [] });
  expect(replayBundle(other).says).toContain('another version');
});

function written(name: string, fields: object): string {
  const bundle = { format: 'interlock-bundle', formatVersion: 1, rules: { foldCase: false } };
  const text = JSON.stringify({ ...bundle, ...fields });
  const file = path.join(folder, name);
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

async function ledgerOf(seed: number): Promise<readonly LedgerEntry[]> {
  return (await simulate(seed)).ledger;
}
