import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { CLI, cli, startCli, startProgram } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CHAIN = `tasks:
  schema:
    run: echo one >> order.txt
    writes: [order.txt]
  api:
    depends_on: [schema]
    run: echo two >> order.txt; cat order.txt
    writes: [order.txt]
`;

function read(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

test('run does all of a plan in order, says each step, and ends with 0', async () => {
  const folder = projectWith(CHAIN);
  const { code, out, err } = await cli(['run'], folder);
  expect(out.replaceAll(/\d+ ms/g, 'N ms').split('\n')).toEqual([
    'schema: running',
    'schema: completed (N ms)',
    'api: running',
    'api: completed (N ms)',
    '2 completed, 0 failed, 0 cancelled, 0 skipped',
    '',
  ]);
  expect([code, err, read(folder, 'order.txt')]).toEqual([0, '', 'one\ntwo\n']);
});

test('run with a name does that task and what it needs', async () => {
  const folder = projectWith(`${CHAIN}  other:\n    run: touch other.txt\n`);
  const { code, out } = await cli(['run', 'api', '--json'], folder);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    tasks: [
      { id: 'schema', state: 'completed', attempts: 1 },
      { id: 'api', state: 'completed', attempts: 1 },
    ],
    leftOut: [],
  });
});

test('a failed task ends the run with 1 and shows its last lines', async () => {
  const folder = projectWith('tasks:\n  a: { run: echo what went wrong >&2; exit 3 }\n');
  const { code, out, err } = await cli(['run'], folder);
  expect(code).toBe(1);
  expect(out).toMatch(/^a: running\na: failed \(exit code 3 after \d+ ms\)\n0 completed, 1 failed/);
  expect(err).toContain('The last lines of a:\nwhat went wrong\n');
  expect(err).toContain('"interlock log a" shows all that it printed, "interlock run a" runs it');
});

test('last lines of a task have no part of a color where they go to a file', async () => {
  const folder = projectWith(String.raw`tasks:
  a: { run: [sh, -c, 'printf "\033[31m✗\033[0m wrong\n"; exit 3'] }
`);
  const { err } = await cli(['run'], folder);
  expect(err).toContain('The last lines of a:\n✗ wrong\n');
});

test('what can never start fails at once with its reason, and what needs it is skipped', async () => {
  const folder = projectWith(`tasks:
  a: { run: [no-such-program, x], retry: { attempts: 3 } }
  b: { run: "true", cwd: gone }
  c: { run: "true", depends_on: [a] }
`);
  const reason =
    'Could not start "no-such-program" (ENOENT). Check that it is installed and on PATH.';
  const { code, out, err } = await cli(['run'], folder);
  expect(code).toBe(1);
  expect(out).toContain(`a: failed (${reason})\n`);
  expect(out).toContain('0 completed, 2 failed, 0 cancelled, 1 skipped\n');
  expect(err).toContain(`The last lines of a:\n`);
  expect(err).toContain(`${reason}\n`);
  expect(err).toContain('The folder "gone" is not in the workspace folder.');
  const why = await cli(['why', 'a'], folder);
  expect(why.out).toBe(`"a" has ended: failed. ${reason}\n`);
  expect((await cli(['timeline'], folder)).out).toContain(`a: failed: ${reason} (term `);
  const status = await cli(['status', '--json'], folder);
  expect(JSON.parse(status.out)).toMatchObject({
    tasks: [{ state: 'failed', detail: reason, attempts: 1 }, {}, {}],
  });
});

test('a run that only a pause holds back ends with 3, says how to go on, and stays', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: "true" }\n  b: { run: "true", depends_on: [a] }\n',
  );
  await cli(['pause'], folder);
  const all = await cli(['run', '--json'], folder);
  expect([all.code, all.err]).toEqual([
    3,
    'Nothing goes on until somebody decides:\n' +
      '  everything is paused: interlock resume\n' +
      'The run stays as it is: after that, "interlock run" goes on with it.\n',
  ]);
  expect(JSON.parse(all.out)).toMatchObject({ runs: [{ outcome: null }] });
  await cli(['pause', 'b'], folder);
  await cli(['resume'], folder);
  const one = await cli(['run', '--json'], folder);
  expect([one.code, one.err]).toEqual([
    3,
    expect.stringContaining('b is paused: interlock resume b'),
  ]);
  expect(JSON.parse(one.out)).toMatchObject({ tasks: [{ state: 'completed' }, { id: 'b' }] });
  await cli(['resume', 'b'], folder);
  expect((await cli(['run', '--json'], folder)).code).toBe(0);
});

/** It takes whoever could say how it ended with it. */
const LOST = 'run: "test -e mended || kill -9 0", retry: { backoff: 1ms }';

test('where nobody is there to decide, a run that needs somebody ends with 3 and stays', async () => {
  const folder = projectWith(
    `tasks:\n  a: { ${LOST} }\n  b: { run: "true", depends_on: [a] }\n  c: { run: "true" }\n`,
  );
  const { code, out, err } = await cli(['run'], folder);
  expect([code, err]).toEqual([
    3,
    'Nothing goes on until somebody decides:\n' +
      '  a needs you (it was lost three times): interlock retry a\n' +
      'The run stays as it is: after that, "interlock run" goes on with it.\n',
  ]);
  expect(out).toContain('1 completed, 0 failed, 0 cancelled, 0 skipped\n');
  expect((await cli(['why', 'a'], folder)).out).toBe(
    'Needs you: it was lost three times. Retry it to begin anew, or cancel it.\n',
  );
  expect((await cli(['timeline'], folder)).out).toContain(
    'a: lost: it was killed, needs a person: it was lost three times (term ',
  );
  const again = await cli(['run', '--json'], folder);
  expect(again.code).toBe(3);
  expect(JSON.parse(again.out)).toMatchObject({
    runs: [{ outcome: null }],
    tasks: [
      { id: 'a', state: 'attention', detail: 'it was lost three times' },
      { id: 'b', state: 'waiting' },
      { id: 'c', state: 'completed' },
    ],
  });
  writeFileSync(path.join(folder, 'mended'), '');
  await cli(['retry', 'a'], folder);
  const end = await cli(['run'], folder);
  expect([end.code, end.out]).toEqual([0, expect.stringContaining('3 completed')]);
});

test('run says what is wrong with a plan that it runs all the same', async () => {
  const folder = projectWith(`tasks:
  a: { run: "true", depend_on: [b], writes: [x] }
  b: { run: "true", writes: [x] }
`);
  const { code, err } = await cli(['run'], folder);
  expect([code, err]).toEqual([
    0,
    'interlock.yaml:2:21 warning: "depend_on" is not a key of a task. Did you mean "depends_on"?\n' +
      '2 more warnings: interlock check shows them.\n',
  ]);
  expect((await cli(['run', '--dry-run'], folder)).err).toBe(err);
});

test('--fail-fast starts nothing more after the first failure', async () => {
  const folder = projectWith(
    'limits: { parallel: 1 }\ntasks:\n  a: { run: exit 1 }\n  b: { run: touch b.txt }\n',
  );
  const { out } = await cli(['run', '--fail-fast', '--json'], folder);
  expect(JSON.parse(out)).toMatchObject({ tasks: [{ state: 'failed' }, { state: 'cancelled' }] });
  expect(readdirSync(folder)).not.toContain('b.txt');
});

test('two tasks that write one file run one after the other, in either order', async () => {
  const script = 'test ! -e busy && touch busy && sleep 0.2 && rm busy';
  const folder = projectWith(
    `tasks:\n  a: { run: "${script}", writes: [busy] }\n  b: { run: "${script}", writes: [busy] }\n`,
  );
  const { code } = await cli(['run', '--parallel', '2'], folder);
  expect(code).toBe(0);
});

test('what cannot start is left out and named, the rest runs, and the end is 1', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: touch a.txt }\n  b: { run: x, depends_on: [gone] }\n',
  );
  const { code, err } = await cli(['run'], folder);
  expect(code).toBe(1);
  expect(err).toBe('b: left out. There is no task "gone" in this plan.\n');
  expect(readdirSync(folder)).toContain('a.txt');
});

test('a plan that cannot be read ends with 2 and the place', async () => {
  const { code, err } = await cli(['run'], projectWith('tasks:\n  a: { run: x\n'));
  expect(code).toBe(2);
  expect(err).toContain('interlock.yaml:2:14 error syntax');
});

test('wrong usage ends with 2 and one sentence', async () => {
  const folder = projectWith(CHAIN);
  const errors = await Promise.all(
    [
      ['fly'],
      ['stauts'],
      ['run', 'nope'],
      ['run', '--parallel', 'many'],
      ['run', '--wings'],
      ['why'],
      ['status', 'now'],
      ['run', '--board', 'gone'],
      ['run', '--board', 'interlock.yaml'],
      ['run', '--plan', 'gone.yaml'],
      ['check', '.'],
    ].map(async (args) => {
      const { code, err } = await cli(args, folder);
      return `${code}: ${err.split('\n')[0]}`;
    }),
  );
  expect(errors).toEqual([
    '2: There is no command "fly". "interlock --help" lists them.',
    '2: There is no command "stauts". Did you mean "status"? "interlock --help" lists them.',
    '2: There is no task "nope". Tasks here: schema, api.',
    '2: --parallel takes a number from 1 to 9999, not "many".',
    '2: There is no option "--wings". Usage: interlock run [TASK…] [--plan FILE] [--on HOST] [--parallel N] [--keep-going | --fail-fast] [--new] [--dry-run]',
    '2: Name one task: interlock why TASK [--plan FILE] [--run RUN]',
    '2: "now" is one word too many. Usage: interlock status [--watch]',
    '2: There is no folder "gone".',
    '2: There is no folder "interlock.yaml".',
    '2: There is no plan "gone.yaml" in this folder.',
    '2: "." is not a plan of this folder. Plans are named interlock.yaml, interlock.yml, *.interlock.yaml, *.interlock.yml or .vscode/tasks.json; a board of kanban-md is a folder with a config.yml and its tasks.',
  ]);
});

test('a refusal is one JSON document too', async () => {
  const { code, out } = await cli(['run', 'nope', '--json'], projectWith(CHAIN));
  expect(code).toBe(2);
  expect(JSON.parse(out)).toEqual({
    refused: { why: 'unknown-task', message: 'There is no task "nope". Tasks here: schema, api.' },
  });
});

test('--version and --help only tell, behind a command too', async () => {
  const folder = projectWith(CHAIN);
  expect((await cli(['run', '--version'], folder)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await cli(['run', '--help'], folder)).out).toContain('Runs tasks and what they need');
  expect(readdirSync(folder)).toEqual(['interlock.yaml']);
});

test('Ctrl-C stops what runs, cancels the rest, and ends with 130', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: exec sleep 300 }\n  b: { run: x, depends_on: [a] }\n',
  );
  const running = startCli(['run'], folder);
  await running.says('a: running');
  running.child.kill('SIGINT');
  const { code, out } = await running.ended;
  expect(code).toBe(130);
  expect(out).toContain('0 completed, 0 failed, 2 cancelled, 0 skipped');
});

test('check lists problems by file, line and column, and ends with 1', async () => {
  const folder = projectWith(
    'tasks:\n  api: { run: x, depends_on: [schma] }\n  schema: { run: x }\n',
  );
  expect(await cli(['check'], folder)).toEqual({
    code: 1,
    out: 'interlock.yaml:2:31 error unknown-task There is no task "schma" in this plan. Did you mean "schema"?\n',
    err: '',
  });
  expect(await cli(['check'], projectWith(CHAIN))).toEqual({ code: 0, out: '', err: '' });
});

test('check --json is one document', async () => {
  const folder = projectWith('tasks:\n  api: { rum: x }\n');
  const { out } = await cli(['check', '--json', 'interlock.yaml'], folder);
  expect(JSON.parse(out)).toMatchObject({
    plans: ['interlock.yaml'],
    problems: [
      { file: 'interlock.yaml', line: 2, column: 10, severity: 'warning', code: 'unknown-key' },
    ],
  });
});

test('status and log show what became of the tasks', async () => {
  const folder = projectWith(CHAIN);
  expect((await cli(['status'], folder)).out).toBe('schema  idle\napi     idle\n');
  expect(await cli(['log', 'api'], folder)).toMatchObject({
    code: 4,
    err: '"api" has not run yet.\n',
  });
  await cli(['run'], folder);
  expect((await cli(['status'], folder)).out).toMatch(
    /^schema {2}completed {4}\d+ ms\napi {5}completed/,
  );
  expect((await cli(['log', 'api'], folder)).out).toBe('one\ntwo\n');
});

test('all worktrees of a repository share one board, another repository has its own', async () => {
  const folder = projectWith(CHAIN);
  const git = async (...args: string[]): Promise<void> => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    const { code } = await startProgram('git', [...identity, ...args], { cwd: folder }).ended;
    expect(code).toBe(0);
  };
  await git('init', '-q');
  await git('add', 'interlock.yaml');
  await git('commit', '-q', '-m', 'A plan');
  const tree = path.join(temporaryFolder(), 'tree');
  await git('worktree', 'add', '-q', tree);
  const state = { INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const where = async (cwd: string): Promise<string> => (await cli(['where'], cwd, state)).out;
  expect(await where(tree)).toBe(await where(folder));
  expect(await where(temporaryFolder())).not.toBe(await where(folder));
});

test('a state directory that cannot be made ends with 5 and one sentence', async () => {
  const folder = projectWith(CHAIN);
  const { code, err } = await cli(['run'], folder, {
    INTERLOCK_STATE_DIR: path.join(folder, 'interlock.yaml'),
  });
  expect(code).toBe(5);
  expect(err).toMatch(
    /^Interlock cannot keep its state in .+\. Make that folder, or the one above it, writable\.\n$/,
  );
});

test.runIf(process.platform === 'linux')(
  'a state directory where nothing can be is given up at once',
  async () => {
    const { code, err } = await cli(['run'], projectWith(CHAIN), {
      INTERLOCK_STATE_DIR: '/proc/nope',
    });
    expect([code, err]).toEqual([
      5,
      expect.stringMatching(/^Interlock cannot keep its state in \/proc\/nope/),
    ]);
  },
);

test('a reader that leaves early is no reason to crash', async () => {
  const folder = projectWith(CHAIN);
  const command = `"${process.execPath}" "${CLI}" check --json | true`;
  const { code, err } = await startProgram('sh', ['-c', command], { cwd: folder }).ended;
  expect([code, err]).toEqual([0, '']);
});

test('a store that somebody else keeps busy is one sentence, and the command ends', async () => {
  const folder = projectWith(CHAIN);
  const { out } = await cli(['where', '--json'], folder);
  await cli(['run'], folder);
  const { database }: { database: string } = JSON.parse(out);
  const foreign = new SqliteDatabase(database);
  onTestFinished(() => void foreign.close());
  foreign.exec('begin immediate');
  const { code, err } = await cli(['run', '--new'], folder);
  expect([code, err]).toEqual([
    5,
    expect.stringMatching(
      /^Interlock could not (?:use .*board\.db \(database is locked\)\. Close the program that holds the file open|write to .*board\.db: process \d+ \(node\) has been writing to it for too long\. .*)\.\n$/,
    ),
  ]);
});

test('help names every command and every exit code', async () => {
  const { code, out } = await cli(['--help'], temporaryFolder());
  expect(code).toBe(0);
  const commands = [...out.matchAll(/^ {2}([a-z]+)/gm)].map(([, word]) => word).join(' ');
  expect(commands).toBe(
    'init check run status ready why runs timeline graph log claim renew done fail release terminal own ' +
      'retry cancel pause resume answer session attach hosts serve mcp hook where doctor export completion',
  );
  for (const exit of ['0 done', '1 a task failed', '2 wrong', '3 nothing', '4 refused', '5 coord'])
    expect(out).toContain(exit);
  expect(out).toContain('130 interrupted');
});

test('a run that is left with tasks which can never start names them, with a code of its own', async () => {
  const folder = projectWith('tasks:\n  a: { run: x, needs: [gpu] }\n  b: { run: "true" }\n');
  const { code, out, err } = await cli(['run'], folder);
  expect([code, err]).toEqual([
    3,
    'Some tasks can never start:\na: can never start: it needs gpu, which no place has\n',
  ]);
  expect(out).toContain('1 completed, 0 failed');
  expect((await cli(['why', 'a'], folder)).out).toBe(
    '"a" has not started: its run has ended, because it could never start. "interlock run a" says what is in its way.\n',
  );
});

test('--dry-run says what would run in which order, and writes nothing', async () => {
  const folder = projectWith(`${CHAIN}  other:\n    title: Somebody\n    role: human\n`);
  const { code, out } = await cli(['run', '--dry-run'], folder);
  expect([code, out]).toEqual([
    0,
    '   1  schema\n   2  api  after schema\n   3  other  Somebody  (person)\n',
  ]);
  expect(readdirSync(folder)).toEqual(['interlock.yaml']);
  const { out: json } = await cli(['run', '--dry-run', '--json', 'schema'], folder);
  expect(JSON.parse(json)).toMatchObject({ runs: [{ steps: [{ task: 'schema' }] }], leftOut: [] });
});

test('what is wrong with a command line is one JSON document where one was asked for', async () => {
  const folder = projectWith(CHAIN);
  const documents = await Promise.all(
    [
      ['fly', '--json'],
      ['run', '--json', '--wings'],
      ['why', '--json'],
      ['claim', '--json'],
      ['done', 'api', '--json'],
      ['cancel', '--json'],
      ['status', '--watch', '--json'],
    ].map(async (args) => {
      const { code, out } = await cli(args, folder);
      return [code, JSON.parse(out)];
    }),
  );
  for (const [code, document] of documents)
    expect([code, document]).toEqual([
      2,
      { refused: { why: 'usage', message: expect.any(String) } },
    ]);
});
