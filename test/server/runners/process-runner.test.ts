import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TaskDefinition } from '../../../server/domain/task.ts';
import type { CommandEnd } from '../../../server/engine/ports.ts';
import { runId } from '../../support/runs.ts';
import { CommandBench, program, shell } from './command-bench.ts';

const SUCCEEDED: CommandEnd = { kind: 'succeeded' };

async function run(fields: Partial<TaskDefinition>, parentEnv?: NodeJS.ProcessEnv) {
  const bench = new CommandBench(parentEnv === undefined ? {} : { parentEnv });
  const ran = await bench.run(bench.open(), fields);
  return { ...ran, bench };
}

async function endOf(fields: Partial<TaskDefinition>): Promise<CommandEnd> {
  return (await run(fields)).end;
}

async function outputOf(fields: Partial<TaskDefinition>): Promise<string> {
  return (await run(fields)).output;
}

function exited(code: number): CommandEnd {
  return { kind: 'failed', failure: { kind: 'exit', code } };
}

function notStarted(message: string): CommandEnd {
  return { kind: 'failed', failure: { kind: 'not-started', message } };
}

test('exit code 0 is success, any other is a failure with that code', async () => {
  expect(await endOf(shell('true'))).toEqual(SUCCEEDED);
  expect(await endOf(shell('false'))).toEqual(exited(1));
  expect(await endOf(shell('exit 3'))).toEqual(exited(3));
  expect(await endOf(shell('exit 128'))).toEqual(exited(128));
  expect(await endOf(shell('exit 255'))).toEqual(exited(255));
  expect(await endOf(program('sh', '-c', 'exit 7'))).toEqual(exited(7));
});

test('a command that is killed fails with the signal', async () => {
  for (const signal of ['KILL', 'TERM', 'SEGV', 'USR1'])
    expect(await endOf(shell(`kill -${signal} $$`))).toEqual({
      kind: 'failed',
      failure: { kind: 'signal', signal: `SIG${signal}` },
    });
});

test('a script ends at its first failure if it says so, and with the status of its last command if not', async () => {
  expect(await run(shell('set -e; false; echo on'))).toMatchObject({ end: exited(1), output: '' });
  expect(await run(shell('false; echo on'))).toMatchObject({ end: SUCCEEDED, output: 'on\n' });
});

test.each([['if'], ["echo 'open"], ['echo ('], ['}'], ['fi; echo; {']])(
  '%j is no script, so it fails, and its log says where',
  async (script) => {
    const { end, output } = await run(shell(script));
    expect(end).toEqual(exited(2));
    expect(output).toMatch(/sh: .*([Ss]yntax error|unexpected)/);
  },
);

test('a list runs without a shell: nothing in it is expanded', async () => {
  const args = ['%s|', '$HOME', 'a b', ';', '*', '-n', '', "it's", '\n', '`id`', '\\', '~'];
  expect(await outputOf(program('printf', ...args))).toBe("$HOME|a b|;|*|-n||it's|\n|`id`|\\|~|");
});

test.each([['cd'], ['exit'], ['if'], ['a=b'], ['-x'], ['two words'], ['set'], [':']])(
  'a list names a program, whatever the shell understands by its name: %j',
  async (name) => {
    const bench = new CommandBench();
    const bin = path.join(bench.root, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, name), '#!/bin/sh\necho "ran with $1"\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { output } = await bench.run(bench.open(), { ...program(name, '--help'), env });
    expect(output).toBe('ran with --help\n');
  },
);

test('a program that does not exist fails with its name and what to check', async () => {
  const message =
    'Could not start "no-such-program" (ENOENT). Check that it is installed and on PATH.';
  const { end, output } = await run(program('no-such-program'));
  expect(end).toEqual(notStarted(message));
  expect(output).toContain(`${message}\n`);
  expect(await endOf(program('./no/such'))).toMatchObject(
    notStarted(expect.stringContaining('ENOENT')),
  );
});

test('a program that may not be executed fails with its name and what to check', async () => {
  const bench = new CommandBench();
  writeFileSync(path.join(bench.root, 'plain'), '#!/bin/sh\n', { mode: 0o644 });
  const { end } = await bench.run(bench.open(), program('./plain'));
  const message = 'Could not start "./plain" (EACCES). Check that it may be executed.';
  expect(end).toEqual(notStarted(message));
});

test('a program may end with the codes that a shell has for programs that are missing', async () => {
  expect(await endOf(program('sh', '-c', 'exit 127'))).toEqual(exited(127));
  expect(await endOf(program('sh', '-c', 'exit 126'))).toEqual(exited(126));
  expect(await endOf(shell('no-such-program'))).toEqual(exited(127));
});

function tooLong(id: string): string {
  return `Could not start "${id}" (E2BIG). Its script or environment is too long; put it into a file of its own.`;
}

test('a script that is longer than the system takes is not started, and says what to do', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  for (const fields of [
    shell(`: ${'x'.repeat(200_000)}`),
    shell(`: ${'€'.repeat(50_000)}`),
    program('true', ...Array.from({ length: 100 }, () => 'x'.repeat(20_000))),
    { ...shell('true'), env: { LONG: 'x'.repeat(200_000) } },
  ]) {
    const launch = bench.launch(fields);
    const { id } = launch.definition;
    expect(runner.start(launch)).toEqual({
      kind: 'not-started',
      message: tooLong(id),
      mayPass: false,
    });
    expect(bench.outputOf(launch)).toBe(`${tooLong(id)}\n`);
  }
});

test('what is just not too long for the system runs', async () => {
  const { end, output } = await run({
    ...shell(`echo $LONG | wc -c; : ${'x'.repeat(130_000)}`),
    env: { LONG: 'y'.repeat(130_000) },
  });
  expect([end, output.trim()]).toEqual([SUCCEEDED, '130001']);
});

test('what has a NUL in it is not started, and says so', () => {
  const bench = new CommandBench();
  const runner = bench.open();
  for (const fields of [
    shell('echo \0'),
    program('echo', 'a\0b'),
    { ...shell('true'), env: { A: '\0' } },
  ])
    expect(runner.start(bench.launch(fields))).toEqual({
      kind: 'not-started',
      message: expect.stringMatching(/number zero/),
      mayPass: false,
    });
});

test('the log of a command that could not start says why', async () => {
  expect(await outputOf({ ...shell('pwd'), cwd: 'missing' })).toMatch(
    /^The folder "missing" is not/,
  );
});

test('a log that cannot be written now is a loss, no exit code of the command', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const first = await bench.run(runner, shell('true'));
  rmSync(path.dirname(bench.logOf(first.launch)), { recursive: true });
  const launch = bench.launch(shell('touch ran'));
  runner.start(launch);
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'lost', cause: 'not-started' });
  expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
  expect((await bench.run(runner, shell('true'))).end).toEqual(SUCCEEDED);
});

test('both outputs go to the log, in the order in which they were written', async () => {
  expect(await outputOf(shell('echo one; echo two >&2; echo three'))).toBe('one\ntwo\nthree\n');
});

test('a command has nothing to read', async () => {
  expect(await outputOf(shell('cat; read x; echo "$? $x"'))).toBe('1 \n');
  expect(await run(program('cat'))).toMatchObject({ end: SUCCEEDED, output: '' });
});

test('the log is for this user only, and what a command makes is as this process would make it', async () => {
  const { bench, launch } = await run(shell('touch made; umask > mask'));
  expect((statSync(bench.logOf(launch)).mode & 0o777).toString(8)).toBe('600');
  const own = path.join(bench.root, 'own');
  writeFileSync(own, '');
  expect(statSync(path.join(bench.root, 'made')).mode).toBe(statSync(own).mode);
});

test('a command runs in its own folder of the workspace', async () => {
  for (const script of ['pwd', '/bin/pwd', 'pwd; :']) {
    const { bench, output } = await run({ ...shell(script), cwd: 'inner' });
    expect(output).toBe(`${path.join(bench.root, 'inner')}\n`);
  }
});

test('a folder may have any name', async () => {
  const bench = new CommandBench();
  const cwd = "it's $HOME\n`id` -x; \\";
  mkdirSync(path.join(bench.root, cwd));
  const { output } = await bench.run(bench.open(), { ...shell('pwd'), cwd });
  expect(output).toBe(`${path.join(bench.root, cwd)}\n`);
});

test('a folder that is missing, or that a link leads out of the workspace, is not run in', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  symlinkSync('/', path.join(bench.root, 'out'));
  symlinkSync(path.join(bench.root, 'inner'), path.join(bench.root, 'in'));
  for (const cwd of ['missing', 'out', '..'])
    expect(runner.start(bench.launch({ ...shell('pwd'), cwd }))).toEqual({
      kind: 'not-started',
      message: `The folder "${cwd}" is not in the workspace folder. Create it, or correct "cwd" in the plan.`,
      mayPass: false,
    });
  const { output } = await bench.run(runner, { ...shell('pwd'), cwd: 'in' });
  expect(output).toBe(`${path.join(bench.root, 'inner')}\n`);
});

test('a folder that this user may not enter is a failure that its log explains', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const file = path.join(bench.root, 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  const { end, output } = await bench.run(runner, { ...shell('touch ran'), cwd: 'file' });
  expect(end).toMatchObject({ kind: 'failed' });
  expect(output).toMatch(/can't cd to|not a directory/i);
});

function variablesOf(output: string): readonly string[] {
  return output
    .split('\n')
    .filter((line) => !/^(PWD|SHLVL|_)=/.test(line) && line !== '')
    .toSorted();
}

test('a command gets a clean environment, its own variables, and what names its claim', async () => {
  const parentEnv = {
    PATH: process.env['PATH'],
    HOME: '/home/somebody',
    LC_ALL: 'C',
    SECRET_TOKEN: 'do not pass on',
    VSCODE_IPC_HOOK: 'do not pass on',
    INTERLOCK_TASK: 'outer',
    INTERLOCK_TERM: '1',
    INTERLOCK_STATE_DIR: '/state',
  };
  for (const command of [shell('env'), shell('env; :'), program('env')]) {
    const { bench, output, launch } = await run({ ...command, env: { MINE: 'yes' } }, parentEnv);
    expect(variablesOf(output)).toEqual([
      'HOME=/home/somebody',
      'INTERLOCK_ATTEMPT=1',
      `INTERLOCK_BOARD=${bench.root}`,
      `INTERLOCK_RUN=${runId(1)}`,
      'INTERLOCK_STATE_DIR=/state',
      `INTERLOCK_TASK=${launch.definition.id}`,
      `INTERLOCK_TERM=${launch.term}`,
      'LC_ALL=C',
      'MINE=yes',
      `PATH=${String(parentEnv.PATH)}`,
    ]);
  }
});

test('a variable may have the name of one that the shell has for itself, or one that no shell takes', async () => {
  const env = {
    OPTIND: 'abc',
    PPID: 'x',
    UID: '7',
    IFS: 'e',
    'with-dash': 'a b',
    _: '1',
    PS4: "'",
  };
  const { end, output } = await run({ ...program('env'), env });
  expect(end).toEqual(SUCCEEDED);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  expect(output.split('\n')).toEqual(expect.arrayContaining(variables));
});

test('the output of runs that nobody remembers is thrown away, and no other', async () => {
  const bench = new CommandBench();
  const runner = bench.open();
  const [old, kept] = [runId(1), runId(2)].map((id) => path.join(bench.root, 'logs', id));
  for (const folder of [old!, kept!]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(old!, 'a.1.1.log'), 'old');
  const watcher = watch(path.dirname(old!));
  const gone = new Promise<void>((resolve) => {
    watcher.on('change', () => existsSync(old!) || resolve());
  });
  runner.dropOutput([runId(1)]);
  await gone;
  watcher.close();
  expect(existsSync(kept!)).toBe(true);
});

test.each([
  ['a name that is too long', 'x'.repeat(300)],
  ['a link that leads to itself', './circle'],
])('%s is the name of a program that is not there', async (_, file) => {
  const bench = new CommandBench();
  symlinkSync('circle', path.join(bench.root, 'circle'));
  const { end } = await bench.run(bench.open(), program(file));
  expect(end).toMatchObject({ kind: 'failed', failure: { kind: 'not-started' } });
});

test('a command that puts a circle of links in the place of its log ends as it does', async () => {
  const bench = new CommandBench();
  const launch = bench.launch(
    shell('log=$(readlink /proc/$$/fd/1) && ln -sf "$log" "$log"; exit 3'),
  );
  bench.open().start(launch);
  const failure = { kind: 'exit', code: 3 };
  expect(await bench.ends.of(launch.term)).toEqual({ kind: 'failed', failure });
});
