import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DiskSharedFiles } from '../../../server/system/shared-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../support/counter-writer.mjs', import.meta.url));
const QUIET = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const LONG = `---\na: 0\nb: 0\n---\n${'x'.repeat(50_000)}\nEND\n`;

function fileWith(text: string | Buffer): { readonly root: string; readonly file: string } {
  const root = temporaryFolder();
  const file = path.join(root, 'task.md');
  writeFileSync(file, text);
  return { root, file };
}

function counting(root: string, key: string, options: readonly string[]): ReturnType<typeof spawn> {
  const child = spawn(process.execPath, [QUIET, SCRIPT, root, 'task.md', key, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function countsIn(file: string): readonly (string | undefined)[] {
  const text = readFileSync(file, 'utf8');
  return ['a', 'b'].map((key) => new RegExp(`^${key}: (\\d+)$`, 'm').exec(text)?.[1]);
}

test('two processes that change one file at once lose nothing', async () => {
  const { root, file } = fileWith(LONG);
  const ends = ['a', 'b'].map(async (key) => {
    const child = counting(root, key, ['150']);
    child.stdout?.resume();
    await once(child, 'exit');
  });
  await Promise.all(ends);
  expect(countsIn(file)).toStrictEqual(['150', '150']);
  expect(readdirSync(root)).toStrictEqual(['task.md']);
}, 60_000);

test('what a program writes that empties the file first is not lost', async () => {
  const { root, file } = fileWith(LONG);
  const own = counting(root, 'a', ['1000000']);
  own.stdout?.resume();
  const other = counting(root, 'b', ['300', '--in-place']);
  other.stdout?.resume();
  await once(other, 'exit');
  own.kill('SIGKILL');
  await once(own, 'exit');
  expect(countsIn(file)[1]).toBe('300');
  expect(readFileSync(file, 'utf8')).toMatch(/END\n$/);
}, 60_000);

test('whoever is killed while it writes leaves the old file or the new one', async () => {
  const { root, file } = fileWith(LONG);
  for (const lines of [1, 3, 8, 21]) {
    const child = counting(root, 'a', ['1000000']);
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += String(chunk);
      if (said.split('\n').length > lines) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const text = readFileSync(file, 'utf8');
    expect(text.replace(/^a: \d+$/m, 'a: 0')).toBe(LONG);
    const last = Number(said.split('\n').at(-2));
    expect([last, last + 1]).toContain(Number(countsIn(file)[0]));
    makeOld(root);
  }
}, 60_000);

/** What a process that died has left is some time ago. */
function makeOld(root: string): void {
  for (const name of readdirSync(root)) utimesSync(path.join(root, name), 0, 0);
}

const upper = (text: string) => ({ kind: 'write', text: text.toUpperCase() }) as const;

test('a file that somebody is at is left to them, and taken over once they have died', () => {
  const { root, file } = fileWith('abc');
  writeFileSync(path.join(root, '.task.md.interlock'), 'half');
  const files = new DiskSharedFiles();
  expect(files.change(root, 'task.md', upper)).toStrictEqual({ kind: 'busy' });
  expect(readFileSync(file, 'utf8')).toBe('abc');
  makeOld(root);
  expect(files.change(root, 'task.md', upper)).toStrictEqual({ kind: 'written' });
  expect([readFileSync(file, 'utf8'), readdirSync(root)]).toStrictEqual(['ABC', ['task.md']]);
});

test('a change is asked again when somebody has written in between', () => {
  const { root, file } = fileWith('one');
  const seen: string[] = [];
  const result = new DiskSharedFiles().change(root, 'task.md', (text) => {
    seen.push(text);
    if (seen.length === 1) writeFileSync(file, 'two');
    return upper(text);
  });
  expect([result.kind, seen, readFileSync(file, 'utf8')]).toStrictEqual([
    'written',
    ['one', 'two'],
    'TWO',
  ]);
});

test('what is written as the name changes hands is kept, and nobody else of us comes in between', () => {
  const { root, file } = fileWith('one');
  const old = openSync(file, 'r+');
  const others: string[] = [];
  let reads = 0;
  const result = new DiskSharedFiles().change(root, 'task.md', (text) => {
    if (text === 'two') others.push(new DiskSharedFiles().change(root, 'task.md', upper).kind);
    return {
      kind: 'write',
      get text() {
        reads += 1;
        // The new file has the name by now.
        if (reads === 2) writeSync(old, 'two', 0);
        return text.toUpperCase();
      },
    };
  });
  closeSync(old);
  expect([result.kind, others, readFileSync(file, 'utf8'), readdirSync(root)]).toStrictEqual([
    'written',
    ['busy'],
    'TWO',
    ['task.md'],
  ]);
});

test('the mode stays, and whoever owns the file may write it', () => {
  const { root, file } = fileWith('abc');
  for (const [before, after] of [
    [0o640, 0o640],
    [0o444, 0o644],
  ] as const) {
    chmodSync(file, before);
    writeBack(root);
    expect(statSync(file).mode & 0o777).toBe(after);
  }
});

function writeBack(root: string): void {
  expect(
    new DiskSharedFiles().change(root, 'task.md', (text) => ({ kind: 'write', text: `${text}!` }))
      .kind,
  ).toBe('written');
}

test('a link is followed inside of the folder, and nothing outside is touched', () => {
  const { root, file } = fileWith('abc');
  const inner = path.join(root, 'inner');
  mkdirSync(inner);
  symlinkSync(file, path.join(inner, 'link.md'));
  const files = new DiskSharedFiles();
  expect(files.change(root, 'inner/link.md', upper).kind).toBe('written');
  expect(readFileSync(file, 'utf8')).toBe('ABC');
  for (const outside of ['link.md', '../task.md'])
    expect(files.change(inner, outside, () => ({ kind: 'write', text: '' }))).toMatchObject({
      kind: 'failed',
    });
  expect(readFileSync(file, 'utf8')).toBe('ABC');
});

test('bytes that are no UTF-8 are left as they are', () => {
  const bytes = Buffer.from([0x61, 0xff, 0x62]);
  const { root, file } = fileWith(bytes);
  expect(new DiskSharedFiles().change(root, 'task.md', upper)).toMatchObject({ kind: 'failed' });
  expect(readFileSync(file)).toStrictEqual(bytes);
  expect(new DiskSharedFiles().change(root, 'gone.md', upper)).toStrictEqual({ kind: 'gone' });
});

test('a name may begin with two dots', () => {
  const { root } = fileWith('old');
  writeFileSync(path.join(root, '..task.md'), 'old');
  expect(
    new DiskSharedFiles().change(root, '..task.md', (old) => ({ kind: 'write', text: `${old}!` })),
  ).toEqual({ kind: 'written' });
});
