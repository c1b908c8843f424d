import { expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLI, cli, type RunningProgram, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { untilFile } from '../support/until-file.ts';

const REVIEW = `tasks:
  review:
    title: Read it
    role: human
  code:
    role: agent
    needs: [web]
    lease: 1h
  after: { run: "true", depends_on: [review, code] }
`;

interface Claimed {
  readonly run: string;
  readonly term: number;
}

/** A run whose tasks wait for somebody, with whoever carries it on. */
async function offered(): Promise<{ readonly folder: string; readonly run: RunningProgram }> {
  const folder = projectWith(REVIEW);
  const run = startCli(['run'], folder);
  await run.says('code: waits for an agent with web: interlock claim code --as NAME');
  await run.says('review: waits for a person: interlock claim review --as NAME');
  return { folder, run };
}

async function claimed(args: readonly string[], folder: string): Promise<Claimed> {
  const { code, out } = await cli(['claim', ...args, '--json'], folder);
  expect(code).toBe(0);
  const document: Claimed = JSON.parse(out);
  return document;
}

test('a person and an agent claim, renew and complete, and the run ends', async () => {
  const { folder, run } = await offered();
  const ready = await cli(['ready'], folder);
  expect(ready).toMatchObject({ code: 0, out: expect.stringMatching(/^review +for person/m) });
  expect(ready.out).toMatch(/^code +for agent with web$/m);
  expect((await cli(['ready', '--as', 'a', '--needs', 'web'], folder)).out).toMatch(/^code /);
  const person = await cli(['claim', 'review', '--as', 'bob'], folder);
  expect(person.code).toBe(0);
  const [, term] = /^review: term (\d+), until released\nRead it\n/.exec(person.out) ?? [];
  expect(person.out).toContain(`interlock done review --term ${term} --as bob\n`);
  expect(person.out).not.toContain('lease ends');
  const agent = await claimed(['--as', 'a1', '--needs', 'web,code', '--lease', '2m'], folder);
  expect(agent).toMatchObject({ task: 'code', worker: 'agent/a1', leaseMs: expect.any(Number) });
  expect((await cli(['status'], folder)).out).toMatch(
    /code +claimed +held by a1, (2 min 0 s|1 min \d\d s) left\n/,
  );
  const renewed = await cli(['renew', 'code', '--term', String(agent.term), '--as', 'a1'], folder);
  expect(renewed).toMatchObject({ code: 0, out: expect.stringMatching(/^"code" is yours for /) });
  expect(
    await cli(['done', 'code', '--term', String(agent.term), '--as', 'a1'], folder),
  ).toMatchObject({
    code: 0,
    out: '"code" is completed.\n',
  });
  expect(
    await cli(['done', 'review', '--term', String(term), '--as', 'bob', '--json'], folder),
  ).toMatchObject({
    code: 0,
  });
  const { code, out } = await run.ended;
  expect([code, out]).toEqual([0, expect.stringContaining('review: claimed (by person/bob)\n')]);
  // Nobody has to know whether the first answer arrived, also when the run has ended.
  expect(await cli(['done', 'code', '--term', String(agent.term)], folder)).toMatchObject({
    code: 0,
    out: '"code" is completed already.\n',
  });
  const again = await cli(['done', 'review', '--term', String(term), '--json'], folder);
  expect([again.code, JSON.parse(again.out)]).toMatchObject([0, { isRepeated: true }]);
  expect(await cli(['fail', 'code', '--term', String(agent.term)], folder)).toMatchObject({
    code: 4,
  });
});

test('a lost claim names who has the task now', async () => {
  const { folder, run } = await offered();
  const { term } = await claimed(['review', '--as', 'bob'], folder);
  const words = ['review', '--term', String(term), '--as', 'bob'];
  await cli(['release', ...words], folder);
  expect(await cli(['release', ...words], folder)).toMatchObject({
    code: 0,
    out: '"review" is released already.\n',
  });
  const next = await claimed(['review', '--as', 'eve'], folder);
  expect(await cli(['done', ...words], folder)).toMatchObject({
    code: 4,
    err: `The claim on "review" with term ${term} is over: person/eve has it with term ${next.term}. Whatever was done under it does not count.\n`,
  });
  run.child.kill('SIGINT');
  await run.ended;
});

test('what somebody has, is not for me, or is over is refused with 4 and the reason', async () => {
  const { folder, run } = await offered();
  const { term } = await claimed(['review', '--as', 'bob'], folder);
  const refusals = await Promise.all(
    [
      ['claim', 'review', '--as', 'eve'],
      ['claim', 'code', '--as', 'eve'],
      ['claim', 'after', '--as', 'eve'],
      ['claim', '--as', 'eve', '--kind', 'person'],
      ['renew', 'review', '--term', String(term + 7)],
      ['done', 'after', '--term', '1'],
    ].map(async (args) => {
      const { code, err } = await cli(args, folder);
      return `${code}: ${err}`;
    }),
  );
  expect(refusals).toEqual([
    '4: "review" is held by bob.\n',
    '4: "code" cannot be claimed now: needs web, which agent/eve does not have.\n',
    expect.stringMatching(/^4: "after" cannot be claimed now: waits for review, code\.\n$/),
    '4: There is nothing to claim for person/eve now.\n',
    `4: There was no claim on "review" with term ${term + 7}: person/bob has it with term ${term}.\n`,
    '4: There was no claim on "after" with term 1.\n',
  ]);
  run.child.kill('SIGINT');
  await run.ended;
});

test('release lets go of a task, fail ends it and keeps its message', async () => {
  const { folder, run } = await offered();
  const first = await claimed(['review', '--as', 'bob'], folder);
  await cli(['release', 'review', '--term', String(first.term), '--as', 'bob'], folder);
  const second = await claimed(['review', '--as', 'eve'], folder);
  expect(second.term).toBeGreaterThan(first.term);
  const stale = await cli(['done', 'review', '--term', String(first.term), '--json'], folder);
  expect(stale.code).toBe(4);
  expect(JSON.parse(stale.out)).toMatchObject({ refused: { why: 'stale' } });
  const term = String(second.term);
  const why = ['--message', 'It does not hold.', '--exit-code', '7'];
  await cli(['fail', 'review', '--term', term, '--as', 'eve', ...why], folder);
  await run.says(/review: failed \(exit code 7 after .*: It does not hold\.\)/);
  const failed = { state: 'failed', message: 'It does not hold.' };
  const status = await cli(['status', '--json'], folder);
  expect(JSON.parse(status.out).tasks[0]).toMatchObject({ id: 'review', ...failed });
  const said = await cli(['why', 'review', '--json'], folder);
  expect(JSON.parse(said.out)).toMatchObject({ task: 'review', ...failed });
  for (const command of ['status', 'why', 'timeline']) {
    const words = command === 'why' ? ['why', 'review'] : [command];
    expect((await cli(words, folder)).out).toMatch(/exit code 7.*: It does not hold\./);
  }
  expect((await cli(['log', 'review'], folder)).out).toBe('It does not hold.\n');
  run.child.kill('SIGINT');
  await run.ended;
});

test('inside a task, TASK, --term and --board are known', async () => {
  const { folder, run } = await offered();
  const { term, run: id } = await claimed(['review', '--as', 'bob'], folder);
  const inside = {
    INTERLOCK_WORKER: 'bob',
    INTERLOCK_TASK: 'review',
    INTERLOCK_TERM: String(term),
    INTERLOCK_RUN: id,
    INTERLOCK_BOARD: folder,
    INTERLOCK_STATE_DIR: `${folder}/.state`,
  };
  expect(await cli(['done'], '/', inside)).toMatchObject({
    code: 0,
    out: '"review" is completed.\n',
  });
  run.child.kill('SIGINT');
  await run.ended;
});

test('claim --wait stays until there is something, or until Ctrl-C', async () => {
  const folder = projectWith('tasks:\n  code: { role: agent }\n');
  const waiting = startCli(['claim', '--as', 'a1', '--wait', '--json'], folder);
  await waiting.says('There is nothing to claim for agent/a1 now. Waiting.');
  const other = startCli(['claim', 'nothing', '--as', 'a2', '--wait'], folder);
  await other.says('Waiting.');
  const run = startCli(['run'], folder);
  const { code, out } = await waiting.ended;
  expect(code).toBe(0);
  const { term }: Claimed = JSON.parse(out);
  other.child.kill('SIGINT');
  expect((await other.ended).code).toBe(130);
  await cli(['done', 'code', '--term', String(term), '--as', 'a1'], folder);
  expect((await run.ended).code).toBe(0);
});

test('how long a lost agent holds others back is said', async () => {
  const folder = projectWith(
    'tasks:\n  api: { role: agent, writes: [x] }\n  web: { role: agent, writes: [x] }\n',
  );
  const run = startCli(['run'], folder);
  await run.says('web: waits for an agent');
  const { term } = await claimed(['api', '--as', 'a1', '--lease', '1s'], folder);
  await cli(['renew', 'api', '--term', String(term), '--as', 'a1'], folder);
  await run.says('api: lost (its lease was not renewed');
  const left =
    /waits until nothing is left of a lost attempt at api, in (5\d s|1 min 0 s) at the latest/;
  expect((await cli(['status'], folder)).out).toMatch(left);
  expect((await cli(['claim', 'web', '--as', 'a2'], folder)).err).toMatch(left);
  expect((await cli(['why', 'web'], folder)).out).toMatch(
    /agent\/a1 may still be at work, and nobody can stop it: it goes on by itself, in (5\d s|1 min 0 s) at the latest\./,
  );
  run.child.kill('SIGINT');
  await run.ended;
});

test('that an agent is at work between two commands is not denied', async () => {
  const folder = projectWith('tasks:\n  one: { role: agent }\n  two: { role: agent }\n');
  const run = startCli(['run'], folder);
  await run.says('two: waits for an agent');
  await claimed(['one', '--as', 'a1', '--lease', '1h'], folder);
  expect((await cli(['status'], folder)).out).toMatch(
    /^two +waiting +waits for an agent; none is connected now$/m,
  );
  expect((await cli(['ready'], folder)).out).toBe('two  for agent\n');
  run.child.kill('SIGINT');
  await run.ended;
});

test('who speaks is checked, and not only the term', async () => {
  const { folder, run } = await offered();
  const { term } = await claimed(['review', '--as', 'bob'], folder);
  const words = ['done', 'review', '--term', String(term)];
  expect(await cli(words, folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Say who you are: --as NAME, or INTERLOCK_WORKER.'),
  });
  expect(await cli([...words, '--as', 'eve'], folder)).toMatchObject({
    code: 4,
    err: `"review" is not yours: person/bob has it with term ${term}.\n`,
  });
  expect(await cli(words, folder, { INTERLOCK_WORKER: 'bob' })).toMatchObject({ code: 0 });
  run.child.kill('SIGINT');
  await run.ended;
});

/** A command that says something of itself, and then waits until there is a file "go". */
function saying(words: string): string {
  const program = `"${process.execPath}" "${CLI}" ${words} && touch said`;
  return `tasks:\n  a:\n    writes: [x]\n    run: '${program}; until test -e go; do sleep 0.05; done'\n  b: { run: "true", writes: [x], after: [] }\n`;
}

test('a command that says from inside that it is done keeps its files until it has ended', async () => {
  const folder = projectWith(saying('done'));
  const run = startCli(['run'], folder);
  await untilFile(path.join(folder, 'said'));
  const { tasks } = JSON.parse((await cli(['status', '--json'], folder)).out);
  expect(tasks).toMatchObject([
    { id: 'a', state: 'running' },
    { id: 'b', state: 'waiting' },
  ]);
  const [{ term }] = tasks.map(({ holder }: { holder?: { term: number } }) => ({ ...holder }));
  // From outside nobody ends it, whatever they guess.
  expect(
    await cli(['release', 'a', '--term', String(term ?? 1), '--as', 'eve'], folder),
  ).toMatchObject({
    code: 4,
    err: expect.stringContaining('"a" runs its command: only that command can say'),
  });
  writeFileSync(path.join(folder, 'go'), '');
  expect(await run.ended).toMatchObject({ code: 0 });
  expect((await cli(['log', 'a'], folder)).out).toBe(
    '"a" is completed when its command ends with exit code 0.\n',
  );
});

test('a command that says that it has failed has failed, whatever its exit code', async () => {
  const folder = projectWith(saying('fail --exit-code 7 --message broken'));
  writeFileSync(path.join(folder, 'go'), '');
  const { code, out } = await startCli(['run'], folder).ended;
  expect([code, out]).toEqual([1, expect.stringMatching(/a: failed \(exit code 7 .*broken/)]);
});

test('a command that wants to be tried again later is, after a wait that grows', async () => {
  const folder = projectWith(saying('release'));
  writeFileSync(path.join(folder, 'go'), '');
  const run = startCli(['run'], folder);
  await run.says(/a: released[^]*a: released/);
  run.child.kill('SIGINT');
  await run.ended;
  const lines = (await cli(['timeline'], folder)).out.split('\n');
  const starts = lines.filter((line) => line.includes(' a ') && line.includes('started')).length;
  expect(starts).toBeLessThan(4);
});

test('claim of a task that no run has yet asks for it, and takes it', async () => {
  const folder = projectWith(REVIEW);
  expect(await cli(['why', 'review'], folder)).toMatchObject({
    code: 0,
    out: '"review" has not been asked for; it can be claimed: interlock claim review --as NAME\n',
  });
  const review = await claimed(['review', '--as', 'bob'], folder);
  expect(review).toMatchObject({ task: 'review', worker: 'person/bob' });
  // The run of its plan has no other task: what a command does is not started by a claim.
  expect((await cli(['claim', 'after', '--as', 'bob'], folder)).err).toMatch(/interlock run after/);
  const done = ['done', 'review', '--term', String(review.term), '--as', 'bob'];
  expect(await cli(done, folder)).toMatchObject({ code: 0 });
});

test('a run of other tasks does not cancel what somebody holds', async () => {
  const folder = projectWith('tasks:\n  write: { run: "true" }\n  review: { role: human }\n');
  const { out } = await cli(['claim', 'review', '--as', 'kim', '--json'], folder);
  const { term }: { readonly term: number } = JSON.parse(out);
  const other = await cli(['run', 'write'], folder);
  expect([other.code, other.err]).toEqual([4, expect.stringContaining('are being run now')]);
  const done = ['done', 'review', '--term', String(term), '--as', 'kim'];
  expect(await cli(done, folder)).toMatchObject({ code: 0 });
  expect((await cli(['run', 'write'], folder)).code).toBe(0);
});

test('a claim of a task that several plans have asks which one is meant', async () => {
  const folder = projectWith('tasks:\n  code: { role: agent }\n');
  writeFileSync(path.join(folder, 'other.interlock.yaml'), 'tasks:\n  code: { role: agent }\n');
  expect(await cli(['claim', 'code', '--as', 'a1'], folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Several plans have a task "code"'),
  });
  const words = ['code', '--plan', 'other.interlock.yaml', '--as', 'a1'];
  expect(await claimed(words, folder)).toMatchObject({ plan: 'other.interlock.yaml' });
});

test('a claim of a task in a dependency cycle names the cycle', async () => {
  for (const rest of ['', ', run: x']) {
    const plan = `tasks:\n  a: { depends_on: [b]${rest} }\n  b: { depends_on: [a]${rest} }\n`;
    const said = await cli(['claim', 'a', '--as', 'kim'], projectWith(plan));
    expect(said).toMatchObject({
      code: 4,
      out: '',
      err: '"a" cannot start. Dependency cycle: a → b → a. None of these tasks can start.\n',
    });
  }
});
