import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GrowingLog, readLog } from '../../../server/runners/growing-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString('latin1');
}

function newLog(): string {
  return path.join(temporaryFolder(), 'api.1.1.log');
}

/** As long as that, and different everywhere. */
function numbers(length: number): string {
  const lines = Array.from({ length: length / 7 + 1 }, (_, at) => `${100_000 + at}\n`);
  return lines.join('').slice(0, length);
}

test('there is nothing before there is a log, and then what has come since the last look', async () => {
  const file = newLog();
  await using log = new GrowingLog(file);
  expect(await textOf(log.read())).toBe('');
  writeFileSync(file, 'one\n');
  expect(await textOf(log.read())).toBe('one\n');
  expect(await textOf(log.read())).toBe('');
  appendFileSync(file, 'two\n');
  expect(await textOf(log.read())).toBe('two\n');
});

test('it tells when there is more to read', async () => {
  const file = newLog();
  writeFileSync(file, 'one\n');
  const grown = Promise.withResolvers<void>();
  await using log = new GrowingLog(file, () => grown.resolve());
  expect(await textOf(log.read())).toBe('one\n');
  appendFileSync(file, 'two\n');
  await grown.promise;
  expect(await textOf(log.read())).toBe('two\n');
});

function noWatchLeft(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, watch'), { code: 'ENOSPC' });
}

test('it tells so too where the system has no watch left', async () => {
  const file = newLog();
  writeFileSync(file, 'one\n');
  const grown = Promise.withResolvers<void>();
  await using log = new GrowingLog(file, () => grown.resolve(), noWatchLeft);
  expect(await textOf(log.read())).toBe('one\n');
  appendFileSync(file, 'two\n');
  await grown.promise;
  expect(await textOf(log.read())).toBe('two\n');
});

test('of a log that is longer than what is kept, nothing is shown twice', async () => {
  const file = newLog();
  const all = numbers(12 * MIB);
  writeFileSync(file, all);
  await using log = new GrowingLog(file);
  const kept = `${all.slice(0, MIB)}\n… ${2 * MIB} bytes left out …\n${all.slice(-9 * MIB)}`;
  expect((await textOf(log.read())) === Buffer.from(kept).toString('latin1')).toBe(true);
  appendFileSync(file, 'more\n');
  expect(await textOf(log.read())).toBe('more\n');
});

test('whoever is too far behind is told how much is missing', async () => {
  const file = newLog();
  writeFileSync(file, 'begun\n');
  await using log = new GrowingLog(file);
  expect(await textOf(log.read())).toBe('begun\n');
  const flood = numbers(20 * MIB);
  appendFileSync(file, flood);
  const rest = `\n… ${19 * MIB} bytes left out …\n${flood.slice(-MIB)}`;
  expect((await textOf(log.read())) === Buffer.from(rest).toString('latin1')).toBe(true);
});

test('where the last part is kept in a file of its own, it comes in its place', async () => {
  const file = newLog();
  const head = numbers(MIB);
  writeFileSync(file, `${head}newest\n`);
  writeFileSync(`${file}.tail`, `${'7'.padEnd(23)}\nlater\n`);
  const text = await textOf(readLog(file));
  const parts = `${head}\n… 7 bytes left out …\nlater\nnewest\n`;
  expect(text === Buffer.from(parts).toString('latin1')).toBe(true);
});

test('a log that is cut back is read on from there', async () => {
  const file = newLog();
  writeFileSync(file, numbers(2 * MIB));
  await using log = new GrowingLog(file);
  await textOf(log.read());
  truncateSync(file, MIB);
  expect(await textOf(log.read())).toBe('');
  appendFileSync(file, 'after\n');
  expect(await textOf(log.read())).toBe('after\n');
});
