import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, type RunningProgram, startCli } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilFile } from '../support/until-file.ts';

/** Programs with one state directory, whatever becomes of the folders that they work in. */
class User {
  readonly #env = { INTERLOCK_STATE_DIR: temporaryFolder() };

  start(folder: string, ...args: readonly string[]): RunningProgram {
    return startCli(args, folder, this.#env);
  }

  async does(folder: string, ...args: readonly string[]): Promise<Ended> {
    return await this.start(folder, ...args).ended;
  }

  async runs(folder: string): Promise<RunningProgram> {
    const run = this.start(folder, 'run', 'slow');
    await untilFile(path.join(folder, 'pids.txt'), '\n');
    return run;
  }

  /** Another run takes part in the first one; answers with their exit codes and the processes of the task. */
  async joins(folder: string, first: RunningProgram): Promise<readonly unknown[]> {
    const second = this.start(folder, 'run');
    await second.says(/^Joined run \S+, which goes on already\.$/m);
    writeFileSync(path.join(folder, 'go'), '');
    const ends = await Promise.all([first.ended, second.ended]);
    return [...ends.map(({ code }) => code), pidsIn(folder).length];
  }
}

/** A task that says its process, and goes on until the test says so, or is over. */
const PLAN = `tasks:
  slow: { run: "echo $$ >> pids.txt; until test -e go || test ! -e interlock.yaml; do sleep 0.02; done" }
`;

function makePlan(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'interlock.yaml'), PLAN);
  return folder;
}

function pidsIn(folder: string): readonly string[] {
  return readFileSync(path.join(folder, 'pids.txt'), 'utf8').trim().split('\n');
}

test('a folder that becomes a repository while a task runs goes on with its board', async () => {
  const folder = makePlan(temporaryFolder());
  const user = new User();
  const first = await user.runs(folder);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  expect(await user.joins(folder, first)).toEqual([0, 0, 1]);
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(canMount)('a folder that is mounted at a second path has one board', async () => {
  const [folder, other] = [makePlan(temporaryFolder()), temporaryFolder()];
  const user = new User();
  const first = await user.runs(folder);
  execFileSync('mount', ['--bind', folder, other]);
  onTestFinished(() => void execFileSync('umount', ['-l', other]));
  expect(await user.joins(other, first)).toEqual([0, 0, 1]);
});

test('a folder that is renamed while its tasks run is refused at its new path, and none starts again', async () => {
  const top = temporaryFolder();
  const user = new User();
  const first = await user.runs(makePlan(path.join(top, 'old')));
  const folder = path.join(top, 'new');
  renameSync(path.join(top, 'old'), folder);
  const { code, err } = await user.does(folder, 'run');
  expect([code, err]).toEqual([5, expect.stringContaining(`The folder ${folder} was ${top}/old`)]);
  expect(pidsIn(folder)).toHaveLength(1);
  writeFileSync(path.join(folder, 'go'), '');
  await first.ended;
});

test('a task that runs on when its folder is renamed is found at the new path', async () => {
  const top = temporaryFolder();
  const user = new User();
  const first = await user.runs(makePlan(path.join(top, 'old')));
  first.child.kill('SIGKILL');
  await first.ended;
  const folder = path.join(top, 'new');
  renameSync(path.join(top, 'old'), folder);
  const second = user.start(folder, 'run', 'slow');
  await second.says(/Run \S+ goes on where it was interrupted\./);
  writeFileSync(path.join(folder, 'go'), '');
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(pidsIn(folder)).toHaveLength(1);
  const { out } = await user.does(folder, 'status', '--json');
  expect(out).toContain('"completed"');
});

test('a folder inside another one is refused while tasks run there, also if nobody looks after them', async () => {
  const top = makePlan(temporaryFolder());
  const inner = makePlan(path.join(top, '.inner'));
  const user = new User();
  const first = await user.runs(top);
  const refused = [5, expect.stringContaining(`Nothing runs in ${inner}, because another board`)];
  const beside = await user.does(inner, 'run');
  expect([beside.code, beside.err]).toEqual(refused);
  first.child.kill('SIGKILL');
  await first.ended;
  const after = await user.does(inner, 'run');
  expect([after.code, after.err]).toEqual(refused);
  writeFileSync(path.join(top, 'go'), '');
});
