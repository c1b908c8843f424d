import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LinkError } from '../../server/remote/channel.ts';
import { sshLink } from '../../server/remote/ssh/ssh-link.ts';
import { needsLab } from '../support/lab/lab-of-file.ts';
import { OneHost } from './one-host.ts';

needsLab();

/** Each would make a file, or be an option or a name of something else, where anybody reads it. */
const HOSTILE: readonly string[] = [
  "'; touch pwn; '",
  '"; touch pwn; "',
  '$(touch pwn)',
  '`touch pwn`',
  '; touch pwn #',
  '| touch pwn',
  '&& touch pwn',
  '\ntouch pwn\n',
  '\nIL_END\ntouch pwn\n',
  '#(touch pwn)',
  '#{pane_pid} #S %1 %d %%',
  '-rf',
  '--',
  '~',
  '*',
  '!0',
  '\n.1 0\n',
  '\\',
  "\\'; touch pwn",
  'é 漢字 🦊',
  '\u001B]0;title\u0007',
];

test('words of a command, names and values of variables arrive as they are', async () => {
  const one = await OneHost.open();
  const { outcome, output } = await one.run({
    command: { kind: 'program', file: 'printf', args: ['%s\\0', ...HOSTILE] },
    env: Object.fromEntries(HOSTILE.map((text, at) => [`V${at}`, text])),
  });
  expect([outcome, output.split('\0').slice(0, -1)]).toEqual([{ kind: 'succeeded' }, HOSTILE]);
  const names = HOSTILE.filter((text) => !text.includes('='));
  const said = await one.run({
    command: { kind: 'program', file: 'env', args: ['-0'] },
    env: Object.fromEntries(names.map((name) => [name, `is ${name}`])),
  });
  expect(said.output.split('\0')).toEqual(
    expect.arrayContaining(names.map((name) => `${name}=is ${name}`)),
  );
  expect(one.found('pwn')).toEqual([]);
});

test('scripts are read by the shell of the task and by nobody before it', async () => {
  const one = await OneHost.open();
  for (const text of HOSTILE) {
    const script = `cat <<'END'\n${text}\nEND`;
    const { output } = await one.run({ command: { kind: 'shell', script } });
    expect(output).toBe(`${text}\n`);
  }
  expect(one.found('pwn')).toEqual([]);
});

test.each([true, false])('folders have any name; in a session: %s', async (isInSession) => {
  const one = await OneHost.open();
  for (const text of HOSTILE) {
    mkdirSync(path.join(one.host.home, text), { recursive: true });
    const { output } = await one.run({
      folder: `~/${text}`,
      command: { kind: 'program', file: 'pwd', args: [] },
      asks: { isInSession },
    });
    expect(printed(output)).toBe(printed(`${one.host.homeThere}/${text}`));
  }
  expect(one.found('pwn')).toEqual([]);
});

test.each([true, false])('so have repositories; in a session: %s', async (isInSession) => {
  const one = await OneHost.open();
  for (const text of HOSTILE) {
    const { outcome } = await one.run({ root: `/${text}`, asks: { isInSession } });
    expect([text, outcome.kind]).toEqual([
      text,
      expect.stringMatching(/^(succeeded|not-started)$/),
    ]);
  }
  expect(one.found('pwn')).toEqual([]);
});

test.each(HOSTILE.filter((text) => !/["\n\\]/.test(text)))(
  'the state of a host may lie in %j',
  async (text) => {
    const one = await OneHost.open({
      environment: (home) => ({ XDG_STATE_HOME: `${home}/${text}` }),
    });
    const { outcome, output } = await one.run({
      command: { kind: 'program', file: 'echo', args: ['here'] },
      asks: { isInSession: true },
    });
    expect([outcome, printed(output)]).toEqual([{ kind: 'succeeded' }, 'here']);
    expect(existsSync(path.join(one.host.home, text, 'interlock'))).toBe(true);
    expect(one.found('pwn')).toEqual([]);
  },
);

/** What we wait for, and what would end or begin something, before anybody has asked. */
const NOISE = `echo 'Welcome!'
echo '!0'
echo '!1'
echo '.1 0'
echo ' node 0'
echo '=4'
echo '%begin 1 1 0'
echo '%end 1 1 0'
echo '%exit'
cat() { touch ~/pwn; }
printf() { touch ~/pwn; }
alias read='touch ~/pwn'`;

const SHELLS: readonly (readonly [shell: string, file: string, noise: string])[] = [
  ['/bin/dash', '.profile', NOISE],
  ['/bin/bash', '.bashrc', `${NOISE}\nexport -f cat printf`],
  ['/bin/zsh', '.zshenv', NOISE],
  ['/usr/bin/fish', '.config/fish/config.fish', fishNoise()],
];

test.each(SHELLS)('a host with %s and noisy files of its user', async (shell, file, noise) => {
  const one = await OneHost.open({
    shell,
    environment: (home) => ({ ENV: `${home}/${file}` }),
    files: { [file]: noise },
  });
  const { outcome, output } = await one.run({
    command: { kind: 'shell', script: 'echo "here $INTERLOCK_TERM"' },
    asks: { isInSession: true },
  });
  expect([outcome, printed(output)]).toEqual([{ kind: 'succeeded' }, 'here 1']);
  expect(one.found('pwn')).toEqual([]);
});

test.each([
  ['/bin/bash', '.bashrc', 'echo Go away; exit 3'],
  ['/usr/sbin/nologin', '.profile', ''],
])(
  'a host whose %s ends before it does anything is said to be unreachable',
  async (shell, file, text) => {
    const one = await OneHost.open({ shell, files: { [file]: text } });
    expect(await one.unreachable()).not.toBe('');
  },
);

test.each([
  '-oProxyCommand=touch pwn',
  '$(touch pwn)',
  'host;touch pwn',
  'host\ntouch pwn',
  "host'; touch pwn",
  '-F/dev/null',
  '',
])('nothing is called %j', async (name) => {
  const link = sshLink(name, { env: process.env });
  await expect(link.open()).rejects.toBeInstanceOf(LinkError);
  link.close();
  expect(existsSync('pwn')).toBe(false);
});

/** As a person reads it: a terminal ends its lines in its own way, and a mark of ours is the last of all. */
function printed(text: string): string {
  const [shown = ''] = text.split('\u001B_');
  return shown.replaceAll('\r', '').trim();
}

function fishNoise(): string {
  const lines = NOISE.split('\n').filter((line) => line.startsWith('echo'));
  return [...lines, 'function cat; touch ~/pwn; end'].join('\n');
}
