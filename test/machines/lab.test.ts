import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { Cable } from '../support/lab/cable.ts';
import { Lab } from '../support/lab/lab.ts';
import type { LabHost } from '../support/lab/lab-host.ts';
import { missingForMachines } from '../support/lab/lab-kind.ts';
import { labOfFile } from '../support/lab/lab-of-file.ts';

const lab = labOfFile(['one', 'two']);
const missing = missingForMachines();

test('has machines with names, starts, homes and temporary folders of their own', async ({
  skip,
}) => {
  skip(missing !== undefined, missing);
  const look = 'hostname; cat /proc/sys/kernel/random/boot_id; echo >>/tmp/new; ls /tmp; ls -A ~';
  const one = await run('one', look);
  const two = await run('two', look);
  expect(one).toMatch(/^one\n[0-9a-f-]{36}\nnew\n\.sshd\n$/);
  expect(two).toMatch(/^two\n[0-9a-f-]{36}\nnew\n\.sshd\n$/);
  expect(bootOf(one)).not.toBe(bootOf(two));
});

test('starts a machine anew: nothing runs there', async () => {
  await run('one', 'setsid sleep 1000 >&- 2>&- &');
  expect(namesOn(lab().host('one'))).not.toEqual([]);
  await lab().host('one').reboot();
  expect(namesOn(lab().host('one'))).toEqual([]);
  expect(await run('one', 'echo again')).toBe('again\n');
});

test('starts a machine anew: it knows', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const before = await run('one', 'cat /proc/sys/kernel/random/boot_id');
  await lab().host('one').reboot();
  expect(await run('one', 'cat /proc/sys/kernel/random/boot_id')).not.toBe(before);
});

test.each(['there', 'back', 'both'] as const)('cuts off a machine: %s', async (direction) => {
  const host = lab().host('two');
  const said = conversation('two');
  expect(await said('before')).toBe('before\n');
  host.cable.cut(direction);
  expect(await canConnect(host)).toBe(false);
  const answer = said('after');
  host.cable.mend();
  expect(await answer).toBe('after\n');
});

test('loses packets, and what is said comes all the same', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const host = lab().host('two');
  const said = conversation('two');
  expect(await said('before')).toBe('before\n');
  host.cable.lose(30);
  for (const line of ['a', 'b', 'c', 'd']) expect(await said(line)).toBe(`${line}\n`);
  host.cable.mend();
});

test('resets connections, and new ones are made', async () => {
  const host = lab().host('two');
  const cat = spawn('ssh', ['-F', lab().sshConfig, 'two', 'cat'], { stdio: 'pipe' });
  cat.stdin.write('up\n');
  await once(cat.stdout, 'data');
  host.resetConnections();
  expect(await once(cat, 'exit')).toEqual([255, null]);
  expect(await run('two', 'echo again')).toBe('again\n');
});

test('leaves nothing when it ends', async () => {
  const other = await Lab.open(['three']);
  const host = other.host('three');
  expect(await canConnect(host)).toBe(true);
  await other[Symbol.asyncDispose]();
  expect(await canConnect(host)).toBe(false);
  expect(existsSync(other.folder)).toBe(false);
  const link = host.cable instanceof Cable ? host.cable.name : undefined;
  expect(Object.keys(networkInterfaces())).not.toContain(link);
});

async function run(name: string, text: string): Promise<string> {
  return (await promisify(execFile)('ssh', ['-F', lab().sshConfig, name, text])).stdout;
}

/** What is said comes back from there. */
function conversation(name: string): (line: string) => Promise<string> {
  const cat = spawn('ssh', ['-F', lab().sshConfig, name, 'cat'], { stdio: 'pipe' });
  onTestFinished(() => void cat.kill());
  return async (line) => {
    cat.stdin.write(`${line}\n`);
    const [bytes]: unknown[] = await once(cat.stdout, 'data');
    return String(bytes);
  };
}

function bootOf(text: string): string | undefined {
  return text.split('\n')[1];
}

function namesOn(host: LabHost): readonly string[] {
  return host.commands().map(({ words }) => words);
}

async function canConnect({ address, port }: LabHost): Promise<boolean> {
  const socket = connect({ host: address, port, timeout: 200 });
  const result = await Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'timeout').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return result;
}
