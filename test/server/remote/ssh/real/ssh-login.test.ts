import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Sshd } from '../../../../support/sshd.ts';
import { answer, countLogins, linkTo, refusal, startSshd } from '../ssh-bench.ts';

function makeKey(sshd: Sshd, name: string, passphrase = ''): string {
  const file = path.join(sshd.folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file]);
  return file;
}

/** A real agent, with these keys. */
async function startAgent(sshd: Sshd, files: readonly string[]): Promise<string> {
  const socket = path.join(sshd.folder, 'agent.sock');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void agent.kill());
  await new Promise((resolve) => agent.stdout.once('data', resolve));
  const env = { ...process.env, SSH_AUTH_SOCK: socket };
  for (const file of files) execFileSync('ssh-add', ['-q', file], { env, stdio: 'ignore' });
  return socket;
}

test('the key of an agent that belongs to a named file is shown first, and no more than there may be', async () => {
  const sshd = await startSshd({ settings: ['MaxAuthTries 2'] });
  const others = ['a', 'b', 'c', 'd'].map((name) => makeKey(sshd, name));
  const mine = path.join(sshd.folder, 'id');
  const socket = await startAgent(sshd, [...others, mine]);
  // Only the agent has it now.
  rmSync(mine);
  sshd.configure(`IdentityAgent ${socket}`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('an agent is found where OpenSSH finds it, and keys that nobody named are shown too', async () => {
  const sshd = await startSshd();
  const mine = path.join(sshd.folder, 'id');
  const SSH_AUTH_SOCK = await startAgent(sshd, [mine]);
  for (const file of [mine, `${mine}.pub`]) renameSync(file, `${file}.gone`);
  sshd.configure('IdentityAgent SSH_AUTH_SOCK');
  const env = { ...process.env, SSH_AUTH_SOCK };
  expect(await answer(linkTo(sshd, { env }))).toBe('here\n');
  sshd.configure('IdentityAgent SSH_AUTH_SOCK', 'IdentitiesOnly yes');
  const error = await refusal(linkTo(sshd, { env }));
  expect(error.message).toContain('takes no key of');
  expect(error.message).toContain('0 keys of the agent');
  expect(error.mayPass).toBe(false);
});

test('where the agent does not answer, files will do', async () => {
  const sshd = await startSshd();
  sshd.configure(`IdentityAgent ${sshd.folder}/nobody.sock`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
  expect(countLogins(sshd)).toBe(1);
});

test('what runs there cannot get at the agent', async () => {
  const sshd = await startSshd();
  const socket = await startAgent(sshd, [path.join(sshd.folder, 'id')]);
  sshd.configure(`IdentityAgent ${socket}`, 'ForwardAgent yes', 'ForwardX11 yes');
  expect(await answer(linkTo(sshd), 'echo "[$SSH_AUTH_SOCK$DISPLAY]"')).toBe('[]\n');
});

test('an encrypted file is left out, and that is said', async () => {
  const sshd = await startSshd();
  const file = makeKey(sshd, 'encrypted', 'secret');
  sshd.configure(`IdentityFile ${file}`);
  expect(await answer(linkTo(sshd))).toBe('here\n');
  rmSync(path.join(sshd.folder, 'id'));
  const error = await refusal(linkTo(sshd));
  expect(error.message).toContain(`${file} is encrypted and not in an agent`);
  expect(error.message).toContain('Open a terminal: ssh box');
  expect(error.mayPass).toBe(false);
});

test('an encrypted file is of use where an agent has its key', async () => {
  const sshd = await startSshd();
  const mine = path.join(sshd.folder, 'id');
  const socket = await startAgent(sshd, [mine]);
  execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'secret', '-f', mine]);
  sshd.configure(`IdentityAgent ${socket}`, 'IdentitiesOnly yes');
  expect(await answer(linkTo(sshd))).toBe('here\n');
});

test('a host that knows users by certificates is told of as one', async () => {
  const sshd = await startSshd();
  const [authority, id] = [makeKey(sshd, 'authority'), path.join(sshd.folder, 'id')];
  const sign = ['-q', '-s', authority, '-I', 'me', '-n', 'root', id];
  execFileSync('ssh-keygen', sign, { stdio: 'ignore' });
  writeFileSync(path.join(sshd.folder, 'authorized_keys'), '');
  const { message } = await refusal(linkTo(sshd));
  expect(message).toContain('It was shown no certificate: Interlock cannot.');
});

test('a host that wants a password gets none, and whoever asks is told to open a terminal', async () => {
  const sshd = await startSshd({
    settings: ['PasswordAuthentication yes', 'PubkeyAuthentication no'],
  });
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect([message, mayPass]).toEqual([
    'box asks for a password, which Interlock neither asks for nor keeps. Open a terminal: ssh box',
    false,
  ]);
});

test('a host that wants something besides a key gets nothing', async () => {
  const sshd = await startSshd({
    settings: ['PasswordAuthentication yes', 'AuthenticationMethods publickey,password'],
  });
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect(message).toBe(
    'box asks for more than a key (password), which Interlock does not keep. Open a terminal: ssh box',
  );
  expect(mayPass).toBe(false);
});

test('too many keys are what the host says that they are', async () => {
  const sshd = await startSshd({ settings: ['MaxAuthTries 2'] });
  const files = ['a', 'b', 'c'].map((name) => makeKey(sshd, name));
  sshd.configure(...files.map((file) => `IdentityFile ${file}`));
  const { message, mayPass } = await refusal(linkTo(sshd));
  expect(message).toContain('box has ended the connection: Too many authentication failures');
  expect(mayPass).toBe(false);
});

test('files that are no keys are left out', async () => {
  const sshd = await startSshd();
  const strange = path.join(sshd.folder, 'strange');
  writeFileSync(strange, readFileSync(sshd.configFile));
  sshd.configure(
    `IdentityFile ${strange}`,
    `IdentityFile ${sshd.folder}`,
    'IdentityFile /dev/zero',
  );
  expect(await answer(linkTo(sshd))).toBe('here\n');
});
