import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, ROOT, type RunningProgram, startCli, startProgram } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

const PLAN = `tasks:
  a: { run: "echo x >> count.txt" }
`;
/** It is stopped in the middle of a write, as Ctrl-Z or a debugger may stop an Interlock process. */
const WRITER = `
  const Database = require('better-sqlite3');
  const database = new Database(process.argv[1]);
  database.exec('begin immediate');
  require('node:fs').writeSync(1, 'writes\\n');
  process.kill(process.pid, 'SIGSTOP');
  database.exec('rollback');
  require('node:fs').writeSync(1, 'goes on\\n');
`;
/** Each command tries for a few seconds; the rest is for a busy machine. */
const BOUND_MS = 20_000;

const isLinux = process.platform === 'linux';

test.runIf(isLinux)(
  'while a process is suspended in the middle of a write, every command says which, and ends',
  async () => {
    const folder = projectWith(PLAN);
    expect(await cli(['pause'], folder)).toMatchObject({ code: 0 });
    const writer = await stoppedWriter(folder);
    for (const command of [['resume'], ['run'], ['own', 'a.ts', '--as', 'me']])
      await expectNamed(command, folder, writer);
    expect(await cli(['status'], folder)).toMatchObject({ code: 0 });

    writer.child.kill('SIGCONT');
    await writer.says('goes on');
    expect(await cli(['resume'], folder)).toMatchObject({ code: 0 });
    expect(await cli(['run'], folder)).toMatchObject({ code: 0 });
  },
);

test.runIf(isLinux)(
  'a process that decides goes on when a suspended writer has ended',
  async () => {
    const folder = projectWith(PLAN);
    const serve = startCli(['serve'], folder);
    while ((await cli(['pause'], folder)).code !== 0);
    const writer = await stoppedWriter(folder);
    await expectNamed(['resume'], folder, writer);

    writer.child.kill('SIGKILL');
    await writer.ended;
    while ((await cli(['resume'], folder)).code !== 0);
    expect(await cli(['run'], folder)).toMatchObject({ code: 0 });
    serve.child.kill('SIGINT');
    expect(await serve.ended).toMatchObject({ code: 0 });
  },
);

test.runIf(isLinux)(
  'where the process that decides is suspended as well, another takes over once the writer goes on',
  async () => {
    const folder = projectWith(PLAN);
    const serve = startCli(['serve'], folder);
    while ((await cli(['pause'], folder)).code !== 0);
    const writer = await stoppedWriter(folder);
    serve.child.kill('SIGSTOP');
    // The first one takes the board from it, and the second finds that done.
    await expectNamed(['resume'], folder, writer);
    await expectNamed(['resume'], folder, writer);

    writer.child.kill('SIGCONT');
    await writer.says('goes on');
    expect(await cli(['resume'], folder)).toMatchObject({ code: 0 });
    serve.child.kill('SIGCONT');
    expect(await cli(['run'], folder)).toMatchObject({ code: 0 });
    serve.child.kill('SIGINT');
    expect(await serve.ended).toMatchObject({ code: 0 });
  },
);

async function stoppedWriter(folder: string): Promise<RunningProgram> {
  const state = path.join(folder, '.state');
  const file = readdirSync(state, { recursive: true, encoding: 'utf8' }).find(
    (name) => path.basename(name) === 'board.db',
  );
  const args = ['-e', WRITER, path.join(state, file ?? '')];
  const writer = startProgram(process.execPath, args, { cwd: ROOT });
  await writer.says('writes');
  return writer;
}

async function expectNamed(
  command: readonly string[],
  folder: string,
  { child: { pid } }: RunningProgram,
): Promise<void> {
  const began = performance.now();
  const { code, err } = await cli(command, folder);
  expect(performance.now() - began).toBeLessThan(BOUND_MS);
  expect(code).toBe(5);
  expect(err).toContain(`process ${pid} (`);
  expect(err).toContain(`Continue it ("kill -CONT ${pid}"`);
}
