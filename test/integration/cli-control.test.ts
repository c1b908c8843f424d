import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

const UNTIL_GO = 'until test -e go || test ! -e interlock.yaml; do sleep 0.02; done';

test('pause starts nothing more and why says so; resume lets it go on', async () => {
  const folder = projectWith('tasks:\n  a: { run: "true" }\n  b: { role: human }\n');
  await cli(['pause'], folder);
  const run = startCli(['run'], folder);
  await run.says('b: waits for a person');
  expect((await cli(['why', 'a'], folder)).out).toBe(
    'Waits: everything is paused. Resume it to go on.\n',
  );
  expect((await cli(['status'], folder)).out).toContain(
    'Everything is paused: "interlock resume" lets it go on.\n',
  );
  await cli(['pause', 'a'], folder);
  await cli(['resume'], folder);
  expect((await cli(['why', 'a'], folder)).out).toBe('Waits: it is paused. Resume it to go on.\n');
  await cli(['resume', 'a'], folder);
  await run.says('a: completed');
  run.child.kill('SIGINT');
  await run.ended;
});

test('what is paused or goes on already is refused with 4, and a held task says that it is paused', async () => {
  const folder = projectWith('tasks:\n  a: { role: human }\n');
  const said = async (line: string): Promise<string> => {
    const { code, out, err } = await cli(line.split(' '), folder);
    return `${code} ${out}${err}`;
  };
  expect(await said('resume')).toBe('4 Nothing is paused.\n');
  expect(await said('pause')).toContain('"interlock resume" undoes it.');
  expect(await said('pause')).toBe(
    '4 Everything is paused already. "interlock resume" undoes it.\n',
  );
  await cli(['resume'], folder);
  const run = startCli(['run'], folder);
  await run.says('a: waits for a person');
  await cli(['claim', 'a', '--as', 'me'], folder);
  expect(await said('resume a')).toBe('4 "a" is not paused.\n');
  await cli(['pause', 'a'], folder);
  expect(await said('pause a')).toBe('4 "a" is paused already. "interlock resume a" undoes it.\n');
  expect(await said('resume')).toBe('4 Nothing is paused but a: "interlock resume a".\n');
  expect(await said('why a')).toContain('It is paused: when it is released, it waits.');
  expect(await said('status')).toMatch(/^a +claimed .*paused/m);
  run.child.kill('SIGINT');
  await run.ended;
});

test('a task is cancelled and retried, and what depends on it follows', async () => {
  const folder = projectWith(
    'tasks:\n  a: { role: human }\n  b: { run: "true", depends_on: [a] }\n  c: { role: human }\n',
  );
  const run = startCli(['run'], folder);
  await run.says('a: waits for a person');
  expect(await cli(['retry', 'a'], folder)).toMatchObject({
    code: 4,
    err: 'There is nothing to retry: "a" has not ended, or waits for a task that has not.\n',
  });
  expect(await cli(['cancel', 'a'], folder)).toMatchObject({ code: 0, out: '"a" is cancelled.\n' });
  await run.says('b: skipped (because a did not complete)');
  expect(await cli(['cancel', 'a', '--json'], folder)).toMatchObject({ code: 4 });
  expect(await cli(['retry', 'a'], folder)).toMatchObject({ code: 0, out: '"a" begins anew.\n' });
  await run.says('b: begins anew');
  expect(await cli(['answer', 'a'], folder)).toMatchObject({
    code: 4,
    err: '"a" has asked nothing.\n',
  });
  run.child.kill('SIGINT');
  await run.ended;
});

test('cancel --all ends every unfinished run, whoever carries it on', async () => {
  const folder = projectWith(`tasks:\n  a: { run: "${UNTIL_GO}" }\n`);
  const run = startCli(['run'], folder);
  await run.says('a: running');
  const { code, out } = await cli(['cancel', '--all'], folder);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Run \S+ is cancelled\.\n$/)]);
  expect(await run.ended).toMatchObject({ code: 1 });
  expect(await cli(['cancel', '--all'], folder)).toMatchObject({
    code: 4,
    err: 'There is no unfinished run.\n',
  });
});

test('cancel --run of a run that nobody carries on waits until its command has ended', async () => {
  const folder = projectWith(`tasks:\n  a: { run: "echo $$ > pid.txt; ${UNTIL_GO}" }\n`);
  const run = startCli(['run'], folder);
  await run.says('a: running');
  run.child.kill('SIGKILL');
  await run.ended;
  const { out } = await cli(['runs', '--json'], folder);
  const { runs }: { readonly runs: readonly { readonly id: string }[] } = JSON.parse(out);
  const id = runs[0]?.id ?? '';
  expect(await cli(['cancel', '--run', id], folder)).toMatchObject({
    code: 0,
    out: `Run ${id} is cancelled.\n`,
  });
  expect((await cli(['status'], folder)).out).toMatch(/^a {2}cancelled/);
});

test('a task that several plans have is named with its plan', async () => {
  const folder = projectWith('tasks:\n  a: { role: human }\n');
  writeFileSync(path.join(folder, 'other.interlock.yaml'), 'tasks:\n  a: { role: human }\n');
  const run = startCli(['run'], folder);
  await run.says('other.interlock.yaml:a: waits for a person');
  expect(await cli(['cancel', 'a'], folder)).toMatchObject({
    code: 2,
    err: 'Several plans have a task "a" (interlock.yaml, other.interlock.yaml). Say which one with --plan.\n',
  });
  await cli(['cancel', 'other.interlock.yaml:a'], folder);
  await run.says('other.interlock.yaml:a: cancelled');
  await cli(['cancel', 'a', '--plan', 'interlock.yaml'], folder);
  expect((await run.ended).code).toBe(1);
});

test('this machine is drained and undrained from a process that does not decide', async () => {
  const folder = projectWith('tasks:\n  a: { role: human }\n');
  const run = startCli(['run'], folder);
  await run.says('a: waits for a person');
  const machine = ['--worker', 'runner/local'];
  expect(await cli(['pause', ...machine], folder)).toMatchObject({ code: 0, err: '' });
  expect((await cli(['status'], folder)).out).toContain('This machine is drained');
  expect(await cli(['resume', ...machine], folder)).toMatchObject({ code: 0, err: '' });
  run.child.kill('SIGINT');
  await run.ended;
});
