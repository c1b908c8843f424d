import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostKeyError } from '../../../../../server/remote/ssh/host-key-error.ts';
import { addKnownHost, KnownHost } from '../../../../../server/remote/ssh/known-hosts-files.ts';
import type { KeyType, Sshd } from '../../../../support/sshd.ts';
import { answer, countLogins, linkTo, refusal, startSshd } from '../ssh-bench.ts';

const fingerprintOf = (sshd: Sshd, type: KeyType): string => {
  const file = path.join(sshd.folder, `host_${type}.pub`);
  const said = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' });
  return /SHA256:\S+/.exec(said)?.[0] ?? '';
};

const known = (sshd: Sshd): string => readFileSync(sshd.knownHostsFile, 'utf8');

async function offerOf(sshd: Sshd): Promise<Parameters<typeof addKnownHost>[0]> {
  const error = await refusal(linkTo(sshd));
  if (!(error instanceof HostKeyError) || error.offered === undefined) throw error;
  return error.offered;
}

test('a host that nobody knows is refused before anybody logs in, with what it shows', async () => {
  const sshd = await startSshd();
  sshd.know([]);
  sshd.configure('StrictHostKeyChecking no');
  const error = await refusal(linkTo(sshd));
  expect(error.mayPass).toBe(false);
  expect(error.message).toBe(
    `box is not known: it shows the ED25519 key ${fingerprintOf(sshd, 'ed25519')}. It was not connected to. Compare that with what whoever runs it says; then trust it with "interlock hosts trust NAME", or open a terminal: ssh box`,
  );
  expect([known(sshd), countLogins(sshd)]).toEqual(['', 0]);
});

test('a person may add its key, and ssh knows it then as well', async () => {
  const sshd = await startSshd();
  sshd.know([]);
  writeFileSync(sshd.knownHostsFile, '# without an end');
  chmodSync(sshd.knownHostsFile, 0o640);
  await addKnownHost(await offerOf(sshd));
  expect(known(sshd)).toBe(`# without an end\n${sshd.knownLine('ed25519')}\n`);
  expect(statSync(sshd.knownHostsFile).mode & 0o777).toBe(0o640);
  expect(await answer(linkTo(sshd))).toBe('here\n');
  const args = ['-F', sshd.configFile, '-o', 'StrictHostKeyChecking=yes', '--', 'box', 'echo too'];
  expect(execFileSync('ssh', args, { encoding: 'utf8' })).toBe('too\n');
});

test('a key is added where there was no file yet, hidden where the user wants that, and once', async () => {
  const sshd = await startSshd();
  const file = path.join(sshd.folder, 'of-mine', 'known');
  sshd.configure(`UserKnownHostsFile ${file}`, 'HashKnownHosts yes');
  const offered = await offerOf(sshd);
  expect(existsSync(file)).toBe(false);
  await addKnownHost(offered);
  await addKnownHost(offered);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^\|1\|\S+ ssh-ed25519 \S+\n$/);
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('a key that has changed is refused, with both and the line; nobody can add it', async () => {
  const [sshd, other] = [await startSshd(), await startSshd()];
  const [, type, text] = other.knownLine('ed25519').split(' ');
  const name = `[127.0.0.1]:${sshd.port}`;
  sshd.know([]);
  const offered = await offerOf(sshd);
  const before = `# mine\n${name} ${type} ${text}\n`;
  writeFileSync(sshd.knownHostsFile, before);
  const error = await refusal(linkTo(sshd));
  expect(error).toMatchObject({ mayPass: false, offered: undefined });
  expect(error.message).toBe(
    `box is not who it was: it shows the ED25519 key ${fingerprintOf(sshd, 'ed25519')}, and is known by ED25519 key ${fingerprintOf(other, 'ed25519')} (${sshd.knownHostsFile}:2). It was not connected to. If its key has really changed, ask whoever runs it, then type: ssh-keygen -f '${sshd.knownHostsFile}' -R '${name}'`,
  );
  await expect(addKnownHost(offered)).rejects.toThrow('has another key');
  expect([known(sshd), countLogins(sshd)]).toEqual([before, 0]);
});

test('a revoked key is refused although it is known', async () => {
  const sshd = await startSshd();
  const line = sshd.knownLine('ed25519');
  writeFileSync(sshd.knownHostsFile, `${line}\n@revoked ${line}\n`);
  const error = await refusal(linkTo(sshd));
  expect(error.message).toContain(`is revoked (${sshd.knownHostsFile}:2)`);
  expect(error).toMatchObject({ mayPass: false, offered: undefined });
});

for (const type of ['rsa', 'ecdsa', 'ed25519'] as const)
  test(`of several keys the host is asked for the one it is known by: ${type}`, async () => {
    const sshd = await startSshd({ hostKeys: ['ed25519', 'ecdsa', 'rsa'] });
    sshd.know([type]);
    expect(await answer(linkTo(sshd))).toBe('here\n');
  });

test('a host that no longer has the type of key it is known by is not who it was', async () => {
  const [sshd, other] = [await startSshd({ hostKeys: ['rsa'] }), await startSshd()];
  const [, type, text] = other.knownLine('ed25519').split(' ');
  writeFileSync(sshd.knownHostsFile, `[127.0.0.1]:${sshd.port} ${type} ${text}\n`);
  expect((await refusal(linkTo(sshd))).message).toContain(
    'is not who it was: it shows the RSA key',
  );
});

test('a file that cannot be read lets nobody in, and one that is not there knows nobody', async () => {
  const sshd = await startSshd();
  const [folder, pipe, missing] = ['folder', 'pipe', 'missing'].map((name) =>
    path.join(sshd.folder, name),
  );
  mkdirSync(folder ?? '');
  execFileSync('mkfifo', [pipe ?? '']);
  for (const strange of [folder, pipe]) {
    sshd.configure(`GlobalKnownHostsFile ${strange}`);
    const error = await refusal(linkTo(sshd));
    expect(error.message).toBe(
      `${strange} says which hosts are known, and cannot be read: it is no file.`,
    );
    expect(error.mayPass).toBe(false);
  }
  sshd.configure(`GlobalKnownHostsFile ${missing} /dev/null`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('a host may be known for all users, by an alias, and by its name with any port', async () => {
  const sshd = await startSshd();
  const [, type, text] = sshd.knownLine('ed25519').split(' ');
  const all = path.join(sshd.folder, 'all');
  sshd.know([]);
  writeFileSync(all, `${sshd.knownLine('ed25519')}\n`);
  sshd.configure(`GlobalKnownHostsFile ${all}`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
  writeFileSync(sshd.knownHostsFile, `alias ${type} ${text}\n`);
  sshd.configure('HostKeyAlias alias');
  expect(await answer(linkTo(sshd))).toBe('here\n');
  sshd.configure();
  expect((await refusal(linkTo(sshd))).message).toContain('is not known');
  writeFileSync(sshd.knownHostsFile, `127.0.0.1 ${type} ${text}\n`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('that an authority is trusted is said, and is not enough', async () => {
  const sshd = await startSshd();
  const [, type, text] = sshd.knownLine('ed25519').split(' ');
  writeFileSync(sshd.knownHostsFile, `@cert-authority * ${type} ${text}\n`);
  const error = await refusal(linkTo(sshd));
  expect(error.message).toContain(`${sshd.knownHostsFile}:1 trusts an authority to vouch for it`);
});

test('a verdict that comes later is no yes', async () => {
  const sshd = await startSshd();
  const { prototype } = KnownHost;
  const judge = Object.getOwnPropertyDescriptor(prototype, 'judge') ?? {};
  onTestFinished(() => void Object.defineProperty(prototype, 'judge', judge));
  let isAsked = false;
  const value = async (): Promise<unknown> => {
    isAsked = true;
    return await Promise.resolve({ kind: 'known' });
  };
  Object.defineProperty(prototype, 'judge', { ...judge, value });
  await expect(linkTo(sshd).open()).rejects.toThrow(Error);
  expect([isAsked, countLogins(sshd)]).toEqual([true, 0]);
});
