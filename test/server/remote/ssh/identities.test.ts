import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  type Identity,
  isEncrypted,
  readIdentities,
} from '../../../../server/remote/ssh/identities.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const KINDS: readonly (readonly string[])[] = [
  ['-t', 'ed25519'],
  ['-t', 'ecdsa'],
  ['-t', 'rsa', '-b', '2048'],
  ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
  ['-t', 'ecdsa', '-m', 'PKCS8'],
];

function makeKey(kind: readonly string[], passphrase: string): string {
  const file = path.join(temporaryFolder(), 'key');
  execFileSync('ssh-keygen', ['-q', ...kind, '-N', passphrase, '-f', file]);
  return file;
}

async function only(file: string): Promise<Identity | undefined> {
  return (await readIdentities([file]))[0];
}

for (const kind of KINDS)
  test(`a key of ssh-keygen ${kind.join(' ')} is told from one that is encrypted`, async () => {
    const [open, encrypted] = [makeKey(kind, ''), makeKey(kind, 'a secret')];
    expect(isEncrypted(readFileSync(open, 'utf8'))).toBe(false);
    expect(isEncrypted(readFileSync(encrypted, 'utf8'))).toBe(true);
    const text = readFileSync(`${encrypted}.pub`, 'utf8').split(' ')[1];
    const found = await only(encrypted);
    expect(found).toMatchObject({ publicKey: text, problem: 'is encrypted' });
    expect(found?.privateKey).toBeUndefined();
  });

test('a file is of use with its private half, and says which key of an agent is meant without', async () => {
  const file = makeKey(['-t', 'ed25519'], '');
  const text = readFileSync(`${file}.pub`, 'utf8').split(' ')[1];
  expect((await only(file))?.privateKey?.isPrivateKey()).toBe(true);
  expect(await only(`${file}.pub`)).toMatchObject({ publicKey: text, problem: undefined });
  rmSync(file);
  const found = await only(file);
  expect(found).toMatchObject({ publicKey: text, problem: undefined, privateKey: undefined });
  renameSync(`${file}.pub`, `${file}.other`);
  expect(await readIdentities([file])).toEqual([]);
});
