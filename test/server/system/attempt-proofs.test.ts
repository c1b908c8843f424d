import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KeyedProofs } from '../../../server/system/attempt-proofs.ts';
import { runId } from '../../support/runs.ts';
import { taskId } from '../../support/snapshots.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ATTEMPT = { run: runId(1), task: taskId('code'), term: 7 };

function keyFile(): string {
  return path.join(temporaryFolder(), 'attempt-key');
}

test('a proof is accepted by every process that has the board, for its own attempt only', () => {
  const file = keyFile();
  const proof = new KeyedProofs(file).of(ATTEMPT);
  const other = new KeyedProofs(file);
  expect(other.isOf(ATTEMPT, proof)).toBe(true);
  const others = [
    { ...ATTEMPT, term: 8 },
    { ...ATTEMPT, task: taskId('docs') },
    { ...ATTEMPT, run: runId(2) },
  ];
  for (const attempt of others) expect(other.isOf(attempt, proof)).toBe(false);
  for (const text of ['', proof.slice(1), `${proof}0`, 'ä'.repeat(32), proof.toUpperCase()])
    expect(other.isOf(ATTEMPT, text)).toBe(false);
  expect(new KeyedProofs(keyFile()).isOf(ATTEMPT, proof)).toBe(false);
});

test.skipIf(process.platform === 'win32')('only this user can read the key', () => {
  const file = keyFile();
  new KeyedProofs(file).of(ATTEMPT);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  ['is gone', (file) => rmSync(file)],
  ['is empty', (file) => truncateSync(file)],
  ['is too long', (file) => writeFileSync(file, 'x'.repeat(1000))],
  [
    'is a directory',
    (file) => {
      rmSync(file);
      mkdirSync(path.join(file, 'inner'), { recursive: true });
    },
  ],
];

const POSIX_DAMAGES: typeof DAMAGES = [
  [
    'is a link',
    (file) => {
      const elsewhere = path.join(temporaryFolder(), 'key');
      writeFileSync(elsewhere, readFileSync(file));
      rmSync(file);
      symlinkSync(elsewhere, file);
    },
  ],
  [
    'is a pipe that nobody writes to',
    (file) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    },
  ],
];

for (const [what, damage] of [...DAMAGES, ...(process.platform === 'win32' ? [] : POSIX_DAMAGES)])
  test(`a key that ${what} proves nothing, and is replaced when the next command starts`, () => {
    const file = keyFile();
    const proofs = new KeyedProofs(file);
    const before = proofs.of(ATTEMPT);
    damage(file);
    expect(proofs.isOf(ATTEMPT, before)).toBe(false);
    const after = proofs.of(ATTEMPT);
    expect([after === before, proofs.isOf(ATTEMPT, after)]).toEqual([false, true]);
    expect(proofs.isOf(ATTEMPT, before)).toBe(false);
    expect(statSync(file).isFile()).toBe(true);
  });

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a key that this user cannot read is replaced',
  () => {
    const file = keyFile();
    const proofs = new KeyedProofs(file);
    const before = proofs.of(ATTEMPT);
    chmodSync(file, 0);
    expect(proofs.of(ATTEMPT)).not.toBe(before);
  },
);
