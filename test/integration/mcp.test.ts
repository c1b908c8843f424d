import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentIn } from '../support/agent-client.ts';
import { cli, type RunningProgram, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

const PLAN = `tasks:
  code:
    title: Write the endpoint
    role: agent
    writes: [src/**]
  docs: { role: agent, writes: [docs/**], depends_on: [code] }
  failing: { run: "echo no luck; exit 3" }
`;

async function offered(
  plan = PLAN,
): Promise<{ readonly folder: string; readonly run: RunningProgram }> {
  const folder = realpathSync(projectWith(plan));
  const run = startCli(['run'], folder);
  await run.says(/code: waits for an agent/);
  return { folder, run };
}

test('an agent finds its tools, in either version of the protocol', async () => {
  const folder = projectWith(PLAN);
  for (const era of ['legacy', 'auto'] as const) {
    const agent = await agentIn(folder, { era });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'status',
      'why',
      'read_log',
      'claim_task',
      'renew_task',
      'complete_task',
      'fail_task',
      'release_task',
      'check_paths',
      'hazards',
      'own_paths',
      'free_paths',
      'ask_release',
    ]);
    for (const { description, inputSchema, outputSchema } of tools)
      expect([description?.length, inputSchema.type, outputSchema?.['type']]).toEqual([
        expect.any(Number),
        'object',
        'object',
      ]);
    expect(agent.client.getInstructions()).toContain('claim_task');
    const { document } = await agent.call('status');
    expect(document).toMatchObject({
      counts: { idle: 3 },
      next: expect.stringContaining('interlock run'),
      worker: expect.stringMatching(/^agent\/test-agent/),
    });
    await agent.client.close();
  }
});

test('an agent claims, completes, and goes on with what comes next', async () => {
  const { folder, run } = await offered();
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const { document: code } = await agent.call('claim_task');
  expect(code).toMatchObject({
    task: 'code',
    title: 'Write the endpoint',
    worker: 'agent/a1',
    writes: ['src/**'],
    board: folder,
    next: expect.stringContaining('complete_task'),
  });
  expect((await agent.call('renew_task', { task: 'code' })).document).toMatchObject({
    term: code['term'],
    remainingMs: expect.any(Number),
  });
  expect((await agent.call('status')).document).toMatchObject({
    held: [{ task: 'code', term: code['term'] }],
  });
  expect((await agent.call('complete_task', { task: 'code' })).text).toContain('is completed.');
  const { document: docs } = await agent.call('claim_task', { task: 'docs', wait_seconds: 30 });
  expect(docs['task']).toBe('docs');
  const failed = await agent.call('fail_task', { task: 'docs', message: 'No idea.' });
  expect(failed.document).toMatchObject({ task: 'docs', message: '"docs" has failed.' });
  const why = await agent.call('why', { task: 'docs' });
  expect(why.text).toContain('No idea.');
  const log = await agent.call('read_log', { task: 'failing' });
  expect(log.document).toMatchObject({ task: 'failing', attempt: 1, text: 'no luck' });
  expect((await run.ended).code).toBe(1);
});

test('of two agents that want one task, one gets it', async () => {
  const { folder } = await offered();
  const agents = await Promise.all(
    ['a1', 'a2'].map(async (name) => await agentIn(folder, { args: ['--as', name] })),
  );
  const answers = await Promise.all(
    agents.map(async (agent) => await agent.call('claim_task', { task: 'code' })),
  );
  const lost = answers.find(({ isError }) => isError);
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(lost?.text).toMatch(
    /^"code" is held by a[12], .* left\.\nCall claim_task with wait_seconds/,
  );
});

test('an agent that is killed loses its task when the lease ends, and not before', async () => {
  const { folder, run } = await offered('tasks:\n  code: { role: agent }\n');
  const first = await agentIn(folder, { args: ['--as', 'a1'] });
  await first.call('claim_task', { lease: '1s' });
  const second = await agentIn(folder, { args: ['--as', 'a2'] });
  // It is renewed for as long as the agent is there, for longer than the lease.
  const tooEarly = await second.call('claim_task', { task: 'code', wait_seconds: 2 });
  expect(tooEarly).toMatchObject({ isError: true, text: expect.stringContaining('in that time') });
  process.kill(first.pid, 'SIGKILL');
  await run.says('code: lost (its lease was not renewed');
  const { text } = await second.call('claim_task', { task: 'code' });
  expect(text).toMatch(
    /waits until nothing is left of a lost attempt at code, in (5\d s|1 min 0 s) at the latest/,
  );
});

test('who connects again has what it had', async () => {
  const { folder } = await offered();
  const first = await agentIn(folder, { name: 'Some Agent' });
  const { document } = await first.call('claim_task');
  expect(document['worker']).toMatch(/^agent\/Some-Agent:by-[0-9a-f]{8}$/);
  await first.client.close();
  const again = await agentIn(folder, { name: 'Some Agent' });
  expect((await again.call('status')).document).toMatchObject({
    held: [{ task: 'code', term: document['term'] }],
  });
  expect((await again.call('complete_task', { task: 'code' })).isError).toBe(false);
});

test('tasks of one name in two plans are told apart', async () => {
  const same = 'tasks:\n  code: { role: agent, lease: 3s }\n';
  const folder = realpathSync(projectWith(same));
  writeFileSync(path.join(folder, 'other.interlock.yaml'), same);
  const run = startCli(['run'], folder);
  await run.says(/code: waits for an agent[^]*code: waits for an agent/);
  const agent = await agentIn(folder);
  const [one, other] = ['interlock.yaml:code', 'other.interlock.yaml:code'];
  const first = (await agent.call('claim_task', { task: one })).document;
  await agent.call('claim_task', { task: other });
  const { held } = (await agent.call('status')).document;
  expect(held).toHaveLength(2);
  const which = await agent.call('complete_task', { task: 'code' });
  expect(which.text).toContain(`You have several tasks "code": ${one}, ${other}. Say which.`);
  const { document } = await agent.call('complete_task', { task: one });
  expect(document).toMatchObject({ task: 'code', term: first['term'] });
  expect((await agent.call('complete_task', { task: 'code' })).document).toMatchObject({
    message: '"code" is completed.',
  });
  expect((await run.ended).code).toBe(0);
});

test('a claim that was lost cannot be completed, and the agent is told', async () => {
  const { folder } = await offered();
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const { document } = await agent.call('claim_task', { lease: '1s' });
  await cli(['release', 'code', '--term', String(document['term'])], folder);
  const notes = await untilNotes(async () => (await agent.call('status')).document['notes']);
  expect(notes).toEqual([
    expect.stringMatching(/^You have lost "code" \(term \d+\): stop working/),
  ]);
  const done = await agent.call('complete_task', { task: 'code' });
  expect(done).toMatchObject({ isError: true, text: expect.stringContaining('does not count') });
});

test('a request that is cancelled leaves the task to others', async () => {
  const folder = projectWith('tasks:\n  code: { role: agent }\n');
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const abort = new AbortController();
  const waiting = agent.call('claim_task', { wait_seconds: 50 }, abort.signal);
  abort.abort();
  await expect(waiting).rejects.toThrow('abort');
  const run = startCli(['run'], folder);
  await run.says(/code: waits for an agent/);
  const other = await agentIn(folder, { args: ['--as', 'a2'] });
  expect((await other.call('claim_task')).document['task']).toBe('code');
});

test('who writes a file is said, asked for it, and hears of that', async () => {
  const { folder } = await offered();
  const writer = await agentIn(folder, { args: ['--as', 'a1'] });
  await writer.call('claim_task', { lease: '1s' });
  const other = await agentIn(folder, { args: ['--as', 'a2'] });
  const paths = ['src/new/users.ts', path.join(folder, 'README.md')];
  const { document } = await other.call('check_paths', { paths });
  expect(document['files']).toEqual([
    {
      path: 'src/new/users.ts',
      mayWrite: false,
      sentences: [
        expect.stringMatching(
          /^Task "code" \(agent\/a1\) is writing this file \(as src\/\*\*\), since .*, until .* or as long as it is renewed\.$/,
        ),
      ],
      advice: expect.stringMatching(/^Do not write src\/new\/users\.ts now/),
    },
    { path: paths[1], mayWrite: true, sentences: [], advice: expect.any(String) },
  ]);
  expect((await writer.call('check_paths', { paths })).document['files']).toMatchObject([
    { mayWrite: true },
    { mayWrite: true },
  ]);
  const own = await other.call('own_paths', { paths: ['src/new/users.ts'] });
  expect(own).toMatchObject({ isError: true, text: expect.stringContaining('Taken already') });
  const asked = await other.call('ask_release', { path: 'src/new/users.ts' });
  expect(asked.document['asked']).toEqual(['task "code"']);
  const notes = await untilNotes(async () => (await writer.call('status')).document['notes']);
  expect(notes).toEqual([expect.stringMatching(/^agent\/a2 asks for src\/new\/users\.ts/)]);
});

test('paths without a task are taken, seen by others, and let go of', async () => {
  const folder = projectWith(PLAN);
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const { document } = await agent.call('own_paths', { paths: ['src/**'], for: '5m' });
  expect(document).toMatchObject({ paths: ['src/**'], until: expect.any(Number) });
  expect((await cli(['status'], folder)).out).toMatch(/^agent\/a1 has taken src\/\*\*, for /m);
  const freed = await agent.call('free_paths');
  expect(freed.document['freed']).toEqual(['src/**']);
});

test('what cannot be meant is refused with a sentence, and the server goes on', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: x, writes: [f] }\n  b: { run: x, writes: [f] }\n',
  );
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const refusals = [];
  for (const [name, args] of [
    ['claim_task', { task: '../x' }],
    ['claim_task', { lease: 'soon' }],
    ['claim_task', { wait_seconds: -1 }],
    ['complete_task', { task: 'a' }],
    ['why', { task: 'nothing' }],
    ['own_paths', { paths: ['../x'] }],
    ['check_paths', { paths: ['/etc/passwd'] }],
  ] as const) {
    const { isError, text } = await agent.call(name, args);
    refusals.push(`${isError}: ${text.split('\n')[0]}`);
  }
  expect(refusals).toEqual([
    'true: "../x" is not the name of a task.',
    'true: "lease" is a duration such as 30s or 5m, not "soon".',
    expect.stringMatching(/^true: .*wait_seconds/),
    'true: You have not claimed "a": call claim_task first.',
    expect.stringMatching(/^true: There is no task "nothing"/),
    'true: "../x": A path cannot leave the workspace folder with "..".',
    expect.stringMatching(/^true: "\/etc\/passwd" is not in the working tree of /),
  ]);
  expect((await agent.call('hazards')).document).toMatchObject({
    left: 0,
    next: expect.any(String),
  });
});

/** What an agent is told the next time it asks for anything, once there is something. */
async function untilNotes(look: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const notes = await look();
    if (notes !== undefined) return notes;
  }
}
