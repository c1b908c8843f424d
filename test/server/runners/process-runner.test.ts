import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TaskDefinition } from '../../../server/domain/task.ts';
import type { CommandEnd, RunningCommand } from '../../../server/engine/ports.ts';
import { ProcessRunner } from '../../../server/runners/process-runner.ts';
import { definition, runId } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilFile } from '../../support/until-file.ts';

const isLinux = process.platform === 'linux';
let lastTerm = process.pid * 1000;

interface Started {
  readonly root: string;
  readonly logFile: string;
  readonly term: number;
  readonly runner: ProcessRunner;
  readonly command: RunningCommand;
}

/** Terms are not used twice on this machine, so that a sweep finds the processes of one test only. */
function start(
  fields: Partial<TaskDefinition>,
  parentEnv: NodeJS.ProcessEnv = process.env,
): Started {
  const root = temporaryFolder();
  mkdirSync(path.join(root, 'inner'));
  const logFile = path.join(root, 'logs', 'task.log');
  const runner = new ProcessRunner({ logFile: () => logFile, parentEnv });
  lastTerm += 1;
  const term = lastTerm;
  const task = definition('task', fields);
  const command = runner.start({ root, definition: task, run: runId(1), attempt: 1, term });
  return { root, logFile, term, runner, command };
}

function shell(script: string): Partial<TaskDefinition> {
  return { command: { kind: 'shell', script } };
}

async function endOf(fields: Partial<TaskDefinition>): Promise<CommandEnd> {
  return await start(fields).command.ended;
}

async function outputOf(fields: Partial<TaskDefinition>, env?: NodeJS.ProcessEnv): Promise<string> {
  const { command, logFile } = start(fields, env);
  await command.ended;
  return readFileSync(logFile, 'utf8');
}

/** Gone, or dead and only waiting for init to take note of it. */
function isGone(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || readFileSync(stat, 'utf8').includes(') Z ');
}

test('exit code 0 is success, any other is a failure with that code', async () => {
  expect(await endOf(shell('true'))).toEqual({ kind: 'succeeded' });
  expect(await endOf(shell('exit 3'))).toEqual({
    kind: 'failed',
    failure: { kind: 'exit', code: 3 },
  });
});

test('a command that is killed fails with the signal', async () => {
  expect(await endOf(shell('kill -KILL $$'))).toEqual({
    kind: 'failed',
    failure: { kind: 'signal', signal: 'SIGKILL' },
  });
});

test('a list runs without a shell: nothing in it is expanded', async () => {
  const args = ['%s|', '$HOME', 'a b', ';', '*', '-n'];
  expect(await outputOf({ command: { kind: 'program', file: 'printf', args } })).toBe(
    '$HOME|a b|;|*|-n|',
  );
});

test('a program that does not exist fails with its name and what to check', async () => {
  const end = await endOf({ command: { kind: 'program', file: 'no-such-program', args: [] } });
  expect(end).toEqual({
    kind: 'failed',
    failure: {
      kind: 'not-started',
      message:
        'Could not start "no-such-program" (ENOENT). Check that it is installed and on PATH.',
    },
  });
});

test('a script that is longer than the system takes fails with what to do', async () => {
  expect(await endOf(shell(`: ${'x'.repeat(200_000)}`))).toEqual({
    kind: 'failed',
    failure: {
      kind: 'not-started',
      message:
        'Could not start "task" (E2BIG). Its script or environment is too long; put it into a file of its own.',
    },
  });
});

test('the log of a command that could not start says why', async () => {
  const missing: TaskDefinition['command'] = { kind: 'program', file: 'no-such-program', args: [] };
  expect(await outputOf({ command: missing })).toMatch(/^Could not start "no-such-program"/);
  expect(await outputOf({ ...shell('pwd'), cwd: 'missing' })).toMatch(
    /^The folder "missing" is not/,
  );
});

test('what a killed command leaves behind is stopped before its task has failed', async () => {
  const { command, logFile } = start(shell('(echo ready; exec sleep 300) & wait'));
  await untilFile(logFile, 'ready');
  process.kill(command.process?.pid ?? 0, 'SIGKILL');
  expect(await command.ended).toMatchObject({ failure: { kind: 'signal', signal: 'SIGKILL' } });
  expect(() => process.kill(-(command.process?.pid ?? 0), 0)).toThrow(/ESRCH/);
});

test('both outputs go to the log, in the order in which they were written', async () => {
  expect(await outputOf(shell('echo one; echo two >&2; echo three'))).toBe('one\ntwo\nthree\n');
});

test('the log is for this user only', async () => {
  const { command, logFile } = start(shell('true'));
  await command.ended;
  expect((statSync(logFile).mode & 0o777).toString(8)).toBe('600');
});

test('a command runs in its own folder of the workspace', async () => {
  const { command, logFile, root } = start({ ...shell('pwd'), cwd: 'inner' });
  await command.ended;
  expect(readFileSync(logFile, 'utf8')).toBe(`${path.join(root, 'inner')}\n`);
});

test('a folder that is missing, or that a link leads out of the workspace, is not run in', async () => {
  const expected = { kind: 'failed', failure: { kind: 'not-started' } };
  expect(await endOf({ ...shell('pwd'), cwd: 'missing' })).toMatchObject(expected);
  const root = temporaryFolder();
  symlinkSync('/', path.join(root, 'out'));
  const runner = new ProcessRunner({
    logFile: () => path.join(root, 'log'),
    parentEnv: process.env,
  });
  const task = definition('task', { ...shell('pwd'), cwd: 'out' });
  const command = runner.start({ root, definition: task, run: runId(1), attempt: 1, term: 1 });
  expect(await command.ended).toMatchObject(expected);
});

test('a command gets a clean environment, its own variables, and what names its claim', async () => {
  const parent = {
    PATH: process.env['PATH'],
    HOME: '/home/somebody',
    LC_ALL: 'C',
    SECRET_TOKEN: 'do not pass on',
    VSCODE_IPC_HOOK: 'do not pass on',
    INTERLOCK_TASK: 'outer',
  };
  const { command, logFile, term } = start(
    { ...shell('env | sort'), env: { MINE: 'yes' } },
    parent,
  );
  await command.ended;
  const names = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line) && line !== '');
  expect(names).toEqual([
    'HOME=/home/somebody',
    'INTERLOCK_ATTEMPT=1',
    `INTERLOCK_RUN=${runId(1)}`,
    'INTERLOCK_TASK=task',
    `INTERLOCK_TERM=${term}`,
    'LC_ALL=C',
    'MINE=yes',
    `PATH=${String(parent.PATH)}`,
  ]);
});

test('a child that stays behind with the output open does not keep the task from ending', async () => {
  const { command, runner, term } = start(shell('sleep 300 & exit 0'));
  expect(await command.ended).toEqual({ kind: 'succeeded' });
  await runner.stopLeftover({ run: runId(1), term, process: undefined });
});

test('stopping ends the whole group, and a command may end in its own way', async () => {
  const { command, logFile } = start(
    shell("trap 'echo bye; exit 7' TERM; (echo ready; exec sleep 300) & wait"),
  );
  await untilFile(logFile, 'ready');
  command.stop();
  expect(await command.ended).toEqual({ kind: 'failed', failure: { kind: 'exit', code: 7 } });
  expect(readFileSync(logFile, 'utf8')).toBe('ready\nbye\n');
});

test.runIf(isLinux)('stopping also ends a child that left the process group', async () => {
  const { command, logFile, root } = start(
    shell('setsid sh -c \'echo $$ > pid; echo ready; trap "" TERM; sleep 300; sleep 300\' & wait'),
  );
  await untilFile(logFile, 'ready');
  command.stop();
  await command.ended;
  expect(isGone(readFileSync(path.join(root, 'pid'), 'utf8').trim())).toBe(true);
});

test('a command that ignores the request is killed', async () => {
  const { command, logFile } = start(shell('trap "" TERM; echo ready; while :; do sleep 1; done'));
  await untilFile(logFile, 'ready');
  command.stop();
  expect(await command.ended).toMatchObject({ failure: { kind: 'signal', signal: 'SIGKILL' } });
}, 15_000);

test('what a dead process left running is stopped by its identity', async () => {
  const { command, logFile, runner, term } = start(shell('echo ready; exec sleep 300'));
  await untilFile(logFile, 'ready');
  await runner.stopLeftover({ run: runId(1), term, process: command.process });
  expect(await command.ended).toMatchObject({ kind: 'failed' });
});

test.runIf(isLinux)('what was started and never recorded is found by its marks', async () => {
  const { command, logFile, runner, term } = start(shell('echo ready; exec sleep 300'));
  await untilFile(logFile, 'ready');
  await runner.stopLeftover({ run: runId(1), term, process: undefined });
  expect(await command.ended).toMatchObject({ kind: 'failed' });
});

test('a process that merely has the same number is left alone', async () => {
  const { command, logFile, runner } = start(shell('echo ready; exec sleep 300'));
  await untilFile(logFile, 'ready');
  const impostor = { bootId: 'another boot', pid: command.process?.pid ?? 0, startTime: '1' };
  await runner.stopLeftover({ run: runId(1), term: 0, process: impostor });
  expect(() => process.kill(command.process?.pid ?? 0, 0)).not.toThrow();
  command.stop();
  await command.ended;
});
