import { expect, test } from 'vitest';
import { cli, type RunningProgram, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

/** A run of one task that waits for a terminal, and another after it. */
async function waiting(
  run: string,
  keys = '',
): Promise<{ readonly folder: string; readonly run: RunningProgram }> {
  const folder = projectWith(
    `tasks:\n  play: { in: terminal, run: ${run}${keys} }\n  after: { run: "true", after: [play] }\n`,
  );
  const all = startCli(['run'], folder);
  await all.says(
    'play: runs in a terminal: of VS Code where it has this folder open, or of "interlock terminal play"',
  );
  return { folder, run: all };
}

test('a task runs in the terminal that takes it, and its exit code counts', async () => {
  const { folder, run } = await waiting(`'echo "I am $INTERLOCK_TASK"; exit 3'`);
  const why = await cli(['why', 'play'], folder);
  expect(why.out).toMatch(/^Waits for a terminal, and no editor window is here to open one\. /);
  expect((await cli(['ready'], folder)).out).toBe('play  for terminal\n');
  const taken = await cli(['terminal', 'play'], folder);
  expect(taken).toMatchObject({ code: 1, out: 'I am play\n' });
  expect(taken.err).toMatch(/^play: echo .*\n\n\nplay failed with exit code 3 after \d+ ms\.\n$/);
  const { code, out } = await run.ended;
  expect(code).toBe(1);
  expect(out).toMatch(/play: running \(by terminal\/[^)]+\)\n/);
  expect(out).toMatch(/play: failed \(exit code 3 after \d+ ms\)\nafter: /);
  const log = await cli(['log', 'play'], folder);
  expect(log.out).toMatch(/^It runs in a terminal.*\nIt failed with exit code 3 after \d+ ms\.\n$/);
});

test('it is one program that has it, and the others say who', async () => {
  const { folder, run } = await waiting(`'echo on; exec sleep 60'`);
  const first = startCli(['terminal', 'play', '--as', 'kim'], folder);
  await first.says('on\n');
  expect(await cli(['terminal', 'play', '--as', 'lee'], folder)).toMatchObject({
    code: 4,
    err: expect.stringMatching(/^"play" is held by a terminal of kim, \d+ s left\.\n$/),
  });
  expect((await cli(['status'], folder)).out).toMatch(/play +running +held by a terminal of kim, /);
  const agent = await cli(['claim', 'play', '--as', 'a1'], folder);
  expect(agent.code).toBe(4);
  await cli(['cancel', 'play'], folder);
  const ended = await first.ended;
  expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('was ended by SIGTERM')]);
  expect((await run.ended).out).toContain('play: cancelled\n');
});

test('what does not end when it is asked to is made to', async () => {
  const { folder, run } = await waiting(`'trap "" TERM; echo on; while :; do sleep 0.1; done'`);
  const taken = startCli(['terminal', 'play'], folder);
  await taken.says('on\n');
  await cli(['cancel', 'play'], folder);
  expect((await taken.ended).err).toContain('was ended by SIGKILL');
  expect((await run.ended).out).toContain('play: cancelled\n');
});

test('when its terminal is closed the task has failed', async () => {
  const { folder, run } = await waiting(`'echo on; exec sleep 60'`);
  const taken = startCli(['terminal', 'play', '--stay'], folder);
  await taken.says('on\n');
  taken.child.kill('SIGHUP');
  expect((await taken.ended).code).toBe(0);
  expect((await run.ended).out).toMatch(/play: failed \(ended by SIGHUP after /);
});

test('when the program dies its lease ends, and there are never two of one task', async () => {
  const { folder, run } = await waiting(`'echo on; exec sleep 5'`, ', lease: 1s');
  const first = startCli(['terminal', 'play', '--attempt', '1'], folder);
  await first.says('on\n');
  first.child.kill('SIGKILL');
  await run.says('play: lost (its lease was not renewed, ');
  expect(await cli(['terminal', 'play', '--attempt', '1'], folder)).toMatchObject({
    code: 4,
    err: 'This terminal was opened for attempt 1 of "play", which is over.\n',
  });
  expect(await cli(['terminal', 'play'], folder)).toMatchObject({
    code: 4,
    err: expect.stringContaining('waits until nothing is left of a lost attempt at play'),
  });
  await cli(['cancel', '--all'], folder);
  await run.ended;
});

test('a terminal takes only what is for one', async () => {
  const { folder, run } = await waiting('"true"');
  expect(await cli(['terminal', 'after'], folder)).toMatchObject({
    code: 4,
    err: expect.stringContaining('"after" cannot be claimed now: waits for play'),
  });
  expect(await cli(['terminal', 'nothing'], folder)).toMatchObject({ code: 2 });
  const { code, out } = await cli(['terminal', 'play', '--json'], folder);
  expect([code, JSON.parse(out)]).toMatchObject([2, { refused: { why: 'usage' } }]);
  expect(await cli(['terminal', 'play'], folder)).toMatchObject({ code: 0 });
  expect((await run.ended).code).toBe(0);
});
