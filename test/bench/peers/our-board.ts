import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { ourState } from './our-command.ts';
import { programFile } from './program-file.ts';

/** A process that decides for the board of a folder, with tasks that workers claim. */
export async function serveOurs(
  folder: string,
  {
    tasks,
    held = 0,
    writes = false,
  }: { readonly tasks: number; readonly held?: number; readonly writes?: boolean },
): Promise<AsyncDisposable> {
  const child = fork(
    programFile('serve-ours'),
    [folder, String(tasks), String(held), String(writes)],
    {
      execArgv: [],
      env: ourEnvironment(folder),
    },
  );
  await once(child, 'message');
  return { [Symbol.asyncDispose]: async () => await end(child) };
}

export function ourEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, INTERLOCK_STATE_DIR: ourState(folder) };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.send('end');
  await ended;
}
