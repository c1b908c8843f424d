import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { Sshd, type SshdOptions } from '../../../../support/sshd.ts';

const run = promisify(execFile);

async function started(options: SshdOptions = {}): Promise<Sshd> {
  const sshd = await Sshd.start(options);
  onTestFinished(async () => await sshd.stop());
  return sshd;
}

const ask = async (sshd: Sshd, command: string): Promise<string> =>
  (await run('ssh', ['-F', sshd.configFile, '-o', 'BatchMode=yes', '--', 'box', command])).stdout;

test('the system’s ssh gets to it by the configuration it has written', async () => {
  expect(await ask(await started(), 'echo there')).toBe('there\n');
});

test('what is cut ends at once, and it goes on listening', async () => {
  const sshd = await started();
  const child = execFile('ssh', ['-F', sshd.configFile, '--', 'box', 'echo there; exec cat']);
  const said = new Promise((resolve) => child.stdout?.once('data', resolve));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await said;
  sshd.cut();
  expect(await ended).toBe(255);
  expect(await ask(sshd, 'echo again')).toBe('again\n');
});

for (const [program, file, text] of [
  ['/bin/bash', '.bashrc', 'echo noise'],
  ['/usr/bin/zsh', '.zshenv', 'echo noise'],
  ['/usr/bin/fish', '.config/fish/config.fish', 'echo noise'],
] as const)
  test.skipIf(!existsSync(program))(
    `${program} is the login shell that it is told to be`,
    async () => {
      const sshd = await started({ loginShell: { program, files: { [file]: text } } });
      expect(await ask(sshd, 'echo there')).toBe('noise\nthere\n');
    },
  );
