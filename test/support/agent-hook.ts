import { spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI, type Ended } from './command.ts';

/** `interlock hook` of an agent that works in a folder, with what it is told. */
export async function hookIn(
  folder: string,
  input: object | string,
  {
    args = [],
    env = {},
  }: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const state = { INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const child = spawn(process.execPath, [CLI, 'hook', ...args], {
    cwd: folder,
    env: { ...process.env, ...state, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (err += String(data)));
  child.stdin.on('error', () => {});
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  return await new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

/** Claude Code is about to write a file. */
export function writing(file: string, session = 's1'): object {
  return {
    session_id: session,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: 'x' },
  };
}
