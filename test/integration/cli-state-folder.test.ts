import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLI, startProgram } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilFile } from '../support/until-file.ts';

const PLAN = 'tasks:\n  a: { run: echo a }\n';

/** A command line as a shell starts it. */
function inShell(before: string, folder: string, state: string): ReturnType<typeof startProgram> {
  const script = `${before}; exec "${process.execPath}" "${CLI}" run`;
  return startProgram('sh', ['-c', script], { cwd: folder, env: { INTERLOCK_STATE_DIR: state } });
}

test.skipIf(process.platform === 'win32')(
  'whatever the umask, only the user gets at the files of a board',
  async () => {
    const state = path.join(temporaryFolder(), 'state');
    const { code } = await inShell('umask 0', projectWith(PLAN), state).ended;
    expect(code).toBe(0);
    const names = ['', ...readdirSync(state, { recursive: true, encoding: 'utf8' })];
    // What Node.js keeps in its cache of compiled code has its own rules; the folder of it has ours.
    const ours = names.filter((name) => !name.startsWith(`compiled${path.sep}`));
    const open = ours.filter((name) => (statSync(path.join(state, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(ours.length).toBeGreaterThan(8);
  },
);

test.skipIf(process.platform === 'win32')(
  'a command in a folder that was removed says so, and not that it has a mistake',
  async () => {
    const folder = projectWith(PLAN);
    const gone = inShell('mkdir gone; cd gone; rmdir ../gone', folder, temporaryFolder());
    expect(await gone.ended).toMatchObject({
      code: 5,
      err: 'The folder that this command was started in is not there any more. Change to one that is, and try again.\n',
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'what a killed process has left of its commands goes with the next run',
  async () => {
    const [folder, state] = [
      projectWith(
        'tasks:\n  a: { run: "echo $$ > pid.txt; until test -e go || test ! -e interlock.yaml; do sleep 0.02; done" }\n',
      ),
      temporaryFolder(),
    ];
    const run = (): ReturnType<typeof startProgram> => inShell('true', folder, state);
    const first = run();
    await untilFile(path.join(folder, 'pid.txt'), '\n');
    first.child.kill('SIGKILL');
    await first.ended;
    writeFileSync(path.join(folder, 'go'), '');
    // The second one still has to know what became of the command.
    for (let round = 2; round <= 3; round += 1)
      expect(await run().ended).toMatchObject({ code: 0 });
    const [board = ''] = readdirSync(path.join(state, 'boards'));
    expect(readdirSync(path.join(state, 'boards', board, 'commands'))).toEqual([]);
  },
);
