import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, ROOT, type RunningProgram, startCli, startProgram } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { untilFile } from '../support/until-file.ts';

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
  database.exec('delete from event; commit');
  require('node:fs').writeSync(1, 'goes on\\n');
`;
/** Five seconds to take the board over; the rest is for a busy machine. */
const BOUND_MS = 20_000;

const isLinux = process.platform === 'linux';

test.runIf(isLinux)(
  'no command waits for a process that is suspended in the middle of a write, and what that writes is lost',
  async () => {
    const folder = projectWith(PLAN);
    expect(await cli(['pause'], folder)).toMatchObject({ code: 0 });
    const writer = await stoppedWriter(folder);
    await expectDone(['resume'], folder);
    await expectDone(['run'], folder);
    await expectDone(['own', 'a.ts', '--as', 'me'], folder);

    writer.child.kill('SIGCONT');
    await writer.says('goes on');
    expect((await cli(['status'], folder)).out).toContain('completed');
    expect((await cli(['where'], folder)).out).toContain('board-2.db');
    expect(readFileSync(path.join(folder, 'count.txt'), 'utf8')).toBe('x\n');
  },
);

test.runIf(isLinux)(
  'a coordinator goes on while another process is suspended in the middle of a write',
  async () => {
    const folder = projectWith(PLAN);
    const serve = startCli(['serve'], folder);
    await serve.says('Deciding');
    const watch = startCli(['status', '--watch'], folder);
    expect(await cli(['pause'], folder)).toMatchObject({ code: 0 });
    await stoppedWriter(folder);
    await expectDone(['resume'], folder);
    await expectDone(['run'], folder);
    await watch.says('completed');
    expect((await cli(['status'], folder)).out).toContain('"interlock serve"');
    watch.child.kill('SIGINT');
    serve.child.kill('SIGINT');
    expect(await serve.ended).toMatchObject({ code: 0 });
  },
);

test.runIf(isLinux)(
  'a command that began before the board moved to another file still speaks for itself',
  async () => {
    const script =
      'env | grep ^INTERLOCK_ > env.part && mv env.part env; until test -e go; do sleep 0.05; done';
    const folder = projectWith(`tasks:\n  a: { run: '${script}' }\n`);
    const run = startCli(['run'], folder);
    await untilFile(path.join(folder, 'env'));
    const lines = readFileSync(path.join(folder, 'env'), 'utf8').trim().split('\n');
    const inside = Object.fromEntries(lines.map((line) => line.split('=', 2)));
    await stoppedWriter(folder);
    const message = ['fail', '--message', 'After all.'];
    const { INTERLOCK_PROOF: _, ...guessed } = inside;
    expect(await cli(message, folder, guessed)).toMatchObject({ code: 4 });
    expect(await cli(message, folder, inside)).toMatchObject({ code: 0 });
    expect((await cli(['where'], folder)).out).toContain('board-2.db');
    writeFileSync(path.join(folder, 'go'), '');
    expect((await run.ended).out).toMatch(/a: failed \(exit code 1 after .*: After all\.\)/);
  },
);

test.runIf(isLinux)(
  'another process takes over although the coordinator and a writer are both suspended',
  async () => {
    const folder = projectWith(PLAN);
    const serve = startCli(['serve'], folder);
    await serve.says('Deciding');
    expect(await cli(['pause'], folder)).toMatchObject({ code: 0 });
    const writer = await stoppedWriter(folder);
    serve.child.kill('SIGSTOP');
    await expectDone(['resume'], folder);

    writer.child.kill('SIGCONT');
    await writer.says('goes on');
    serve.child.kill('SIGCONT');
    await expectDone(['run'], folder);
    expect(readFileSync(path.join(folder, 'count.txt'), 'utf8')).toBe('x\n');
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

async function expectDone(command: readonly string[], folder: string): Promise<void> {
  const began = performance.now();
  expect(await cli(command, folder)).toMatchObject({ code: 0 });
  expect(performance.now() - began).toBeLessThan(BOUND_MS);
}
