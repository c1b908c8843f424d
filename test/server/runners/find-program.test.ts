import { expect, test } from 'vitest';
import { programPath } from '../../../server/runners/find-program.ts';

const TOOLS = String.raw`C:\Tools`;
const FILES: ReadonlySet<string> = new Set([
  String.raw`C:\Tools\git.exe`,
  String.raw`C:\Tools\tmux.com`,
  String.raw`C:\work\ssh.exe`,
  String.raw`bin\ssh.exe`,
]);

function onWindows(name: string, env: NodeJS.ProcessEnv): string {
  return programPath(name, env, { platform: 'win32', isFile: (file) => FILES.has(file) });
}

test('on Windows a program is looked for on PATH only', () => {
  const env = { Path: `bin;.;;"${TOOLS}"` };
  expect(onWindows('git', env)).toBe(String.raw`C:\Tools\git.exe`);
  expect(onWindows('GIT.EXE', { PATH: TOOLS })).toBe(String.raw`C:\Windows\System32\GIT.EXE`);
  expect(onWindows('tmux', env)).toBe(String.raw`C:\Tools\tmux.com`);
});

test('on Windows a program that is only in the current folder is not found', () => {
  const env = { Path: `bin;.;${TOOLS}`, SYSTEMROOT: String.raw`D:\Windows` };
  expect(onWindows('ssh', env)).toBe(String.raw`D:\Windows\System32\ssh.exe`);
  expect(onWindows('ssh', {})).toBe(String.raw`C:\Windows\System32\ssh.exe`);
});

test('a path stays what it is, and so does any name elsewhere', () => {
  expect(onWindows(String.raw`C:\work\ssh.exe`, {})).toBe(String.raw`C:\work\ssh.exe`);
  expect(onWindows(String.raw`.\build`, {})).toBe(String.raw`.\build`);
  const linux = { platform: 'linux', isFile: () => true } as const;
  expect(programPath('git', { PATH: '/usr/bin' }, linux)).toBe('git');
});
