import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { untilFile } from '../support/until-file.ts';

/** Goes on until the test says so, or is over. */
const UNTIL_GO = 'until test -e go || test ! -e interlock.yaml; do sleep 0.02; done';

const SLOW = `tasks:
  slow: { run: "echo $$ >> pids.txt; ${UNTIL_GO}" }
  after: { run: "true", depends_on: [slow] }
`;

function pidsIn(folder: string): readonly number[] {
  return readFileSync(path.join(folder, 'pids.txt'), 'utf8').trim().split('\n').map(Number);
}

function letGo(folder: string): void {
  writeFileSync(path.join(folder, 'go'), '');
}

test('a second run joins the first, and both end with it', async () => {
  const folder = projectWith(SLOW);
  const first = startCli(['run'], folder);
  await first.says('slow: running');
  const second = startCli(['run'], folder);
  await second.says(/^Joined run \S+, which goes on already\.$/m);
  letGo(folder);
  const ends = await Promise.all([first.ended, second.ended]);
  for (const { code, out } of ends)
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('2 completed, 0 failed, 0 cancelled, 0 skipped'),
    ]);
  await untilFile(path.join(folder, 'pids.txt'), '\n');
  expect(pidsIn(folder)).toHaveLength(1);
});

test('of five runs that start at once one decides, and each task runs once', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: echo a >> ran.txt }\n  b: { run: echo b >> ran.txt, depends_on: [a] }\n',
  );
  const first = startCli(['run', '--json'], folder);
  const others = [1, 2, 3, 4].map(async () => await cli(['run', '--json'], folder));
  for (const { code, out } of await Promise.all([first.ended, ...others])) {
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ runs: [{ outcome: 'completed' }] });
  }
  const { out } = await cli(['runs', '--json'], folder);
  const ran = readFileSync(path.join(folder, 'ran.txt'), 'utf8');
  expect(ran).toBe('a\nb\n'.repeat(JSON.parse(out).runs.length));
});

test('a run of other tasks beside a running one is refused with 4', async () => {
  const folder = projectWith(`${SLOW}  other: { run: "true" }\n`);
  const first = startCli(['run', 'slow'], folder);
  await first.says('slow: running');
  const { code, err } = await cli(['run', 'other'], folder);
  expect([code, err]).toEqual([
    4,
    'Other tasks of interlock.yaml are being run now. Wait for them, or stop them.\n',
  ]);
  letGo(folder);
  await first.ended;
});

test('of two plans the one that cannot be run is told, and the other one runs', async () => {
  const folder = projectWith(`${SLOW}  other: { run: "true" }\n`);
  mkdirSync(path.join(folder, 'web'));
  writeFileSync(path.join(folder, 'web', 'interlock.yaml'), 'tasks:\n  site: { run: "true" }\n');
  const first = startCli(['run', 'slow'], folder);
  await first.says('slow: running');
  const { code, out, err } = await cli(['run', '--json'], folder);
  const message = 'Other tasks of interlock.yaml are being run now. Wait for them, or stop them.';
  expect([code, err]).toEqual([1, `interlock.yaml: not run. ${message}\n`]);
  expect(JSON.parse(out)).toMatchObject({
    runs: [{ plan: 'web/interlock.yaml', outcome: 'completed' }],
    refusedPlans: [{ plan: 'interlock.yaml', why: 'busy', message }],
  });
  letGo(folder);
  await first.ended;
});

test('who asks for a part of a run waits for that part only', async () => {
  const folder = projectWith(`tasks:
  quick: { run: "true" }
  next: { run: "until test -e next; do sleep 0.02; done", depends_on: [quick] }
  bad: { run: "exit 3" }
  slow: { run: "${UNTIL_GO}" }
`);
  const first = startCli(['run'], folder);
  await first.says('quick: completed');
  await first.says('bad: failed');
  const second = startCli(['run', 'next'], folder);
  await second.says(
    /^Joined run \S+, which goes on already\.\nAlready completed: quick; "interlock retry TASK" begins one anew\.$/m,
  );
  writeFileSync(path.join(folder, 'next'), '');
  const { code, out, err } = await second.ended;
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('2 completed, 0 failed, 0 cancelled, 0 skipped\n'),
  ]);
  expect(err).toMatch(/^The rest of run \S+ goes on\.$/m);
  expect(err).not.toContain('bad');
  const third = await cli(['run', 'next', '--json'], folder);
  expect([third.code, JSON.parse(third.out)]).toMatchObject([
    0,
    { runs: [{ outcome: null }], tasks: [{ id: 'quick' }, { id: 'next' }] },
  ]);
  letGo(folder);
  expect(await first.ended).toMatchObject({ code: 1 });
});

test('Ctrl-C in the terminal that only joined leaves the run alone', async () => {
  const folder = projectWith(SLOW);
  const first = startCli(['run'], folder);
  await first.says('slow: running');
  const second = startCli(['run'], folder);
  await second.says('Joined run');
  second.child.kill('SIGINT');
  const { code, err } = await second.ended;
  expect([code, err]).toEqual([
    130,
    expect.stringContaining('The run goes on: it was started elsewhere.'),
  ]);
  letGo(folder);
  expect(await first.ended).toMatchObject({ code: 0 });
});

test('when the deciding process is killed, whoever is left carries the run to its end', async () => {
  const folder = projectWith(SLOW);
  const first = startCli(['run'], folder);
  await first.says('slow: running');
  const second = startCli(['run'], folder);
  await second.says('Joined run');
  first.child.kill('SIGKILL');
  await first.ended;
  letGo(folder);
  const { code, out } = await second.ended;
  expect([code, out]).toEqual([0, expect.stringMatching(/slow: completed .*\nafter: running\n/)]);
  expect(pidsIn(folder)).toHaveLength(1);
});

test('after kill -9 the command goes on, and the next run waits for it and carries on', async () => {
  const folder = projectWith(`tasks:
  done: { run: echo done >> done.txt }
  slow: { run: "echo $$ >> pids.txt; ${UNTIL_GO}", depends_on: [done] }
`);
  const first = startCli(['run'], folder);
  await first.says('slow: running');
  await untilFile(path.join(folder, 'pids.txt'), '\n');
  first.child.kill('SIGKILL');
  await first.ended;
  const [pid] = pidsIn(folder);
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
  const second = startCli(['run', '--json'], folder);
  letGo(folder);
  const { code, out } = await second.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    tasks: [
      { id: 'done', attempts: 1, state: 'completed' },
      { id: 'slow', attempts: 1, state: 'completed' },
    ],
  });
  expect(readFileSync(path.join(folder, 'done.txt'), 'utf8')).toBe('done\n');
});

test('Ctrl-C twice leaves at once, and the next run finds what is left', async () => {
  const folder = projectWith(
    `tasks:\n  a: { run: "trap '' TERM; echo $$ >> pids.txt; ${UNTIL_GO}" }\n`,
  );
  const running = startCli(['run'], folder);
  await running.says('a: running');
  await untilFile(path.join(folder, 'pids.txt'), '\n');
  running.child.kill('SIGINT');
  await running.says('Stopping.');
  running.child.kill('SIGINT');
  const { code, err } = await running.ended;
  expect([code, err]).toEqual([
    130,
    expect.stringContaining('whoever decides next ("interlock run", a window) finishes that.'),
  ]);
  const [pid] = pidsIn(folder);
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
  const { out } = await cli(['status'], folder);
  expect(out).toMatch(/, which is being stopped: /);
  expect(out).toContain('Nobody decides now: the next command that does finishes the stop.\n');
  letGo(folder);
});

test('a terminal that is closed stops nothing, and the next run joins', async () => {
  const folder = projectWith(SLOW);
  const first = startCli(['run'], folder);
  await first.says('slow: running');
  await untilFile(path.join(folder, 'pids.txt'), '\n');
  // Nobody reads any more either.
  first.child.stdout?.destroy();
  first.child.stderr?.destroy();
  first.child.kill('SIGHUP');
  expect(await first.ended).toMatchObject({ code: 130 });
  const second = startCli(['run'], folder);
  await second.says(/goes on where it was interrupted|which goes on already/);
  letGo(folder);
  const { code, out } = await second.ended;
  expect([code, out]).toEqual([0, expect.stringContaining('2 completed')]);
  expect(pidsIn(folder)).toHaveLength(1);
});

test('serve decides, others follow it, and it leaves in order', async () => {
  const folder = projectWith(SLOW);
  const server = startCli(['serve'], folder);
  await server.says(`Deciding for ${folder} (socket `);
  const second = startCli(['serve', '--json'], folder);
  await second.says('{"role":"following"');
  const run = startCli(['run'], folder);
  await run.says('slow: running');
  expect((await cli(['status'], folder)).out).toContain(
    `"interlock serve" (process ${server.child.pid}) decides.\n`,
  );
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, err: 'Leaving. What runs goes on.\n' });
  letGo(folder);
  expect(await run.ended).toMatchObject({ code: 0 });
  second.child.kill('SIGINT');
  const { code, out } = await second.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ board: folder, pid: second.child.pid });
});

test('a coordinator that does not let us in is given up on, with 5 and its reason', async () => {
  const folder = projectWith(SLOW);
  const server = startCli(['serve', '--json'], folder);
  await server.says('"role":"deciding"');
  const { state }: { readonly state: string } = JSON.parse(server.output());
  const token = path.join(state, 'token');
  const pass: unknown = JSON.parse(readFileSync(token, 'utf8'));
  writeFileSync(token, JSON.stringify(Object.assign({}, pass, { token: 'forged' })));
  const ends = [['pause'], ['run', '--json'], ['claim', '--as', 'bob']].map(async (args) => {
    const { code, err } = await cli(args, folder);
    return [code, err];
  });
  for (const end of await Promise.all(ends))
    expect(end).toEqual([
      5,
      expect.stringMatching(/^This is not the token of the board: .*anew\.\n$/),
    ]);
  server.child.kill('SIGINT');
  await server.ended;
});

test('serve says so when it comes to decide', async () => {
  const folder = projectWith(SLOW);
  const first = startCli(['serve'], folder);
  await first.says('Deciding for ');
  const second = startCli(['serve'], folder);
  await second.says(
    `"interlock serve" (process ${first.child.pid}) decides for ${folder}; following`,
  );
  first.child.kill('SIGKILL');
  await second.says('Deciding for ');
  second.child.kill('SIGINT');
  expect(await second.ended).toMatchObject({ code: 0 });
});

test('the status says who decides, what waits, and what nobody carries on', async () => {
  const folder = projectWith(SLOW);
  const running = startCli(['run'], folder);
  await running.says('slow: running');
  const { out } = await cli(['status'], folder);
  expect(out.replace(/Run \S+/, 'Run R').replace(/[\d.]+ m?s old/, 'N old')).toBe(
    'Run R of interlock.yaml: 1 running, 1 pending, N old\n' +
      `"interlock run" (process ${running.child.pid}) decides.\n` +
      'slow   running\nafter  waiting      waits for slow\n',
  );
  running.child.kill('SIGKILL');
  await running.ended;
  const { out: left } = await cli(['status'], folder);
  expect(left).toContain('Nobody decides now: "interlock run" carries it on.\nslow   running\n');
  await untilFile(path.join(folder, 'pids.txt'), '\n');
  const [pid] = pidsIn(folder);
  // To look stops nothing.
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
  letGo(folder);
});

test('status --watch shows what changes until Ctrl-C', async () => {
  const folder = projectWith(SLOW);
  const watching = startCli(['status', '--watch'], folder);
  await watching.says('slow   idle');
  const run = startCli(['run'], folder);
  await watching.says(/slow {3}running\nafter {2}waiting/);
  letGo(folder);
  await run.ended;
  await watching.says(/after {2}completed/);
  watching.child.kill('SIGINT');
  expect(await watching.ended).toMatchObject({ code: 130, err: '' });
});

test('log -f prints what a task writes until it ends', async () => {
  const folder = projectWith(`tasks:\n  a: { run: "echo one; ${UNTIL_GO}; echo two" }\n`);
  const run = startCli(['run'], folder);
  await run.says('a: running');
  const log = startCli(['log', 'a', '-f'], folder);
  await log.says('one\n');
  letGo(folder);
  expect(await log.ended).toEqual({ code: 0, out: 'one\ntwo\n', err: '' });
  await run.ended;
});
