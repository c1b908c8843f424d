import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentAt } from '../support/agent-at-board.ts';
import { type AgentClient, agentIn } from '../support/agent-client.ts';
import { agentProcess } from '../support/agent-process.ts';
import { hookIn, writing } from '../support/agent-hook.ts';
import { cli, type RunningProgram, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { untilFile } from '../support/until-file.ts';

const PLAN = `tasks:
  code:
    title: Write the endpoint
    description: |
      It lists users,
        a page at a time.
    cwd: src
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
    // Codex asks a person before a destructive call, and refuses it where there is no person.
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    expect(destructive).toEqual([]);
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
    description: 'It lists users,\n  a page at a time.\n',
    cwd: path.join(folder, 'src'),
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

test('what keeps a task from starting is said without command lines', async () => {
  const folder = projectWith(PLAN);
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const idle = await agent.call('why', { task: 'code' });
  expect(idle.document['sentences']).toEqual(['No run has asked for "code" yet.']);
  const run = startCli(['run'], folder);
  await run.says(/code: waits for an agent/);
  // The agent's server hands the board over to the run, and is there again at once.
  const ready = await untilNotes(async () => {
    const { document } = await agent.call('why', { task: 'code' });
    return String(document['sentences']).includes('claimed now') ? document : undefined;
  });
  expect(ready).toMatchObject({ sentences: ['"code" may be claimed now.'] });
});

test('an agent that wants a task in a dependency cycle is told the cycle', async () => {
  const folder = projectWith(
    'tasks:\n  a: { role: agent, depends_on: [b] }\n  b: { run: x, depends_on: [a] }\n',
  );
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  for (const [tool, task] of [
    ['claim_task', 'a'],
    ['claim_task', 'b'],
    ['why', 'a'],
  ] as const) {
    const { text } = await agent.call(tool, { task });
    expect(text).toContain('Dependency cycle: a → b → a. None of these tasks can start.');
    expect(text).not.toContain('interlock run');
  }
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
  await cli(
    ['release', 'code', '--term', String(document['term']), '--as', String(document['worker'])],
    folder,
  );
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

test('an agent that claims right after completing does not overtake one that waits', async () => {
  const lines = ['a', 'b', 'c', 'd'].map((id) => `  ${id}: { role: agent, writes: [counter] }`);
  const folder = realpathSync(projectWith(`tasks:\n${lines.join('\n')}\n`));
  const run = startCli(['run'], folder);
  await run.says(/a: waits for an agent/);
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const observer = await agentAt(env, folder, 'agent/observer');
  let [busy, waiting] = [
    { name: 'a1', agent: await agentIn(folder, { args: ['--as', 'a1'] }) },
    { name: 'a2', agent: await agentIn(folder, { args: ['--as', 'a2'] }) },
  ];
  await busy.agent.call('claim_task');
  const got = ['a1 a'];
  for (const [done, next] of ['ab', 'bc', 'cd']) {
    const claim = waiting.agent.call('claim_task', { wait_seconds: 50 });
    await observer.seesWaiting(`agent/${waiting.name}`);
    await busy.agent.call('complete_task', { task: done });
    const again = await busy.agent.call('claim_task');
    expect(again.isError).toBe(true);
    expect((await claim).document['task']).toBe(next);
    got.push(`${waiting.name} ${next}`);
    [busy, waiting] = [waiting, busy];
  }
  expect(got).toEqual(['a1 a', 'a2 b', 'a1 c', 'a2 d']);
});

test('an agent that does nothing for longer than the plan allows needs attention, until it does', async () => {
  const folder = realpathSync(
    projectWith('tasks:\n  a: { role: agent, lease: 2s, stuck_after: 1s }\n'),
  );
  const run = startCli(['run'], folder);
  await run.says(/a: waits for an agent/);
  const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  const observer = await agentAt(env, folder, 'agent/observer');
  const agent = await agentIn(folder, { args: ['--as', 'a1'] });
  const { document } = await agent.call('claim_task');
  // Its server renews all the time.
  await observer.seesState('a', 'attention');
  expect((await agent.call('status')).document['held']).toEqual([
    expect.objectContaining({ task: 'a', term: document['term'] }),
  ]);
  await observer.seesState('a', 'running');
  expect((await agent.call('complete_task', { task: 'a' })).isError).toBe(false);
  expect((await run.ended).code).toBe(0);
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
          /^Task "code" \(agent\/a1\) is writing this file \(as src\/\*\*\), for [\d.]+ s now, for another 1\.0 s unless it is renewed\.$/,
        ),
      ],
      advice: expect.stringMatching(/^Do not write src\/new\/users\.ts now.*ask_release/),
    },
    { path: paths[1], mayWrite: true, sentences: [] },
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

test('sessions of one process are workers of their own, and each is one with its hooks', async () => {
  const { folder } = await offered('tasks: { code: { role: agent, writes: [src/**] } }\n');
  const agent = await agentIn(folder, { name: 'codex-mcp-client' });
  const claimed = await agent.callIn('one', 'claim_task', { task: 'code' });
  expect(claimed.document['worker']).toMatch(/^agent\/codex-mcp-client:by-\w{8}:in-\w{8}$/);
  const other = await agent.callIn('two', 'claim_task', { task: 'code' });
  expect(other.text).toContain('held by');
  expect((await agent.callIn('two', 'complete_task', { task: 'code' })).isError).toBe(true);
  // The user's name for it does not reach every server of tools.
  const env = { INTERLOCK_WORKER: 'codex-1' };
  const [own, others] = await Promise.all([
    hookIn(folder, writing('src/a.ts', 'one'), { env }),
    hookIn(folder, writing('src/a.ts', 'two')),
  ]);
  expect(own).toEqual({ code: 0, out: '', err: '' });
  expect(others.out).toContain('is writing this file');
  const done = await agent.callIn('one', 'complete_task', { task: 'code' });
  expect(done.isError).toBe(false);
});

test('an agent is told of files that changed and that its task does not declare', async () => {
  const { folder, run } = await offered('tasks: { code: { role: agent, writes: [src/**] } }\n');
  const agent = await agentIn(folder);
  await agent.call('claim_task', { task: 'code' });
  let told = '';
  for (let written = 0; !told.includes('notes.txt'); written += 1) {
    writeFileSync(path.join(folder, 'notes.txt'), String(written));
    ({ text: told } = await agent.call('renew_task', { task: 'code' }));
  }
  expect(JSON.parse(told).notes).toEqual([
    expect.stringContaining('While you had "code", files changed that it does not declare'),
  ]);
  expect(run.output()).not.toContain('failed');
});

test('an agent that the command of a task started says how that command ends', async () => {
  const script =
    'echo "$INTERLOCK_RUN $INTERLOCK_TERM $INTERLOCK_PROOF" > said; until test -e go; do sleep 0.05; done';
  const folder = realpathSync(projectWith(`tasks:\n  code: { run: '${script}' }\n`));
  const run = startCli(['run'], folder);
  await untilFile(path.join(folder, 'said'), '\n');
  const [id = '', term = '', proof = ''] = readFileSync(path.join(folder, 'said'), 'utf8')
    .trim()
    .split(' ');
  const inside = {
    INTERLOCK_TASK: 'code',
    INTERLOCK_RUN: id,
    INTERLOCK_TERM: term,
    INTERLOCK_PROOF: proof,
  };
  const agent = await agentIn(folder, { env: inside });
  expect(await agent.call('fail_task', { task: 'code', message: 'no' })).toMatchObject({
    isError: false,
    text: expect.stringContaining('has failed when its command ends'),
  });
  // One that runs elsewhere says nothing of it, whatever term it guesses.
  const other = await agentIn(folder, { args: ['--as', 'two'] });
  const guessed = { task: 'code', term: Number(term) };
  expect(await other.call('complete_task', guessed)).toMatchObject({ isError: true });
  expect((await cli(['status'], folder)).out).toMatch(/code +running/);
  writeFileSync(path.join(folder, 'go'), '');
  const { code, out } = await run.ended;
  expect([code, out]).toEqual([1, expect.stringContaining('code: failed (exit code 1 ')]);
});

test('a task of an agent that was killed is soon claimed by another', async () => {
  const { folder } = await offered();
  const { answer, kill } = await agentProcess(folder, 'killed', {
    tool: 'claim_task',
    args: { task: 'code' },
  });
  expect(answer).toContain('is yours, with term');
  const other = await agentIn(folder, { args: ['--as', 'other'] });
  expect((await other.call('claim_task', { task: 'code' })).isError).toBe(true);
  kill();
  // The grace is 10 s, then comes the wait before a retry; the lease is 5 minutes.
  const claimed = await other.call('claim_task', { task: 'code', wait_seconds: 30 });
  expect(claimed).toMatchObject({ isError: false, document: { task: 'code' } });
});

test('an agent that is killed with its server loses its task and the files of its hook after a grace', async () => {
  const { folder, run } = await offered();
  const { killAll } = await agentProcess(folder, 'killed', {
    tool: 'claim_task',
    args: { task: 'code' },
  });
  await hookIn(folder, writing('README.md'), { args: ['--as', 'killed'] });
  expect((await cli(['status'], folder)).out).toContain('killed has taken README.md');
  killAll();
  await run.says(/code: .*lost/);
  expect((await cli(['status'], folder)).out).not.toContain('README.md');
});

test.runIf(process.platform === 'linux')(
  'a task of an agent that was killed with its server is soon claimed by another',
  async () => {
    const { folder } = await offered();
    const { killAll } = await agentProcess(folder, 'killed', {
      tool: 'claim_task',
      args: { task: 'code' },
    });
    const other = await agentIn(folder, { args: ['--as', 'other'] });
    killAll();
    // After the grace of 10 s comes the wait before a retry.
    const claimed = await other.call('claim_task', { task: 'code', wait_seconds: 30 });
    expect(claimed).toMatchObject({ isError: false, document: { task: 'code' } });
  },
);

test('while an agent lives whose server was killed its files stay its own for a minute', async () => {
  const { folder, run } = await offered();
  const { killServer } = await agentProcess(folder, 'alive', {
    tool: 'claim_task',
    args: { task: 'code' },
  });
  await killServer();
  await run.says(/code: .*lost/);
  expect((await cli(['why', 'code'], folder)).out).toMatch(
    /agent\/alive may still be at work, and nobody can stop it/,
  );
});

test('an agent is told after a shell command which files of others it may have written', async () => {
  const { folder } = await offered('tasks: { code: { role: agent, writes: [src/**] } }\n');
  const rival = await agentIn(folder, { args: ['--as', 'rival'] });
  await rival.call('claim_task', { task: 'code' });
  await cli(['own', 'docs/**', '--as', 'person/kim'], folder);
  const agent = await agentIn(folder);
  await agent.call('status');
  for (const name of ['src', 'docs']) mkdirSync(path.join(folder, name));
  const calls = { session_id: 's1', tool_name: 'Bash', tool_input: { command: 'npm run build' } };
  const silent = { code: 0, out: '', err: '' };
  expect(await hookIn(folder, { ...calls, hook_event_name: 'PreToolUse' })).toEqual(silent);
  writeFileSync(path.join(folder, 'src', 'x.ts'), '');
  writeFileSync(path.join(folder, 'docs', 'y.md'), '');
  writeFileSync(path.join(folder, 'free.txt'), '');
  const { out } = await hookIn(folder, { ...calls, hook_event_name: 'PostToolUse' });
  const { hookSpecificOutput: told } = JSON.parse(out);
  const task =
    'Your shell command may have changed src/x.ts, which task "code" (agent/rival) is writing: look at it. ' +
    'Undo the change if your command made it; otherwise leave it alone.';
  const person = expect.stringContaining('may have changed docs/y.md, which kim has taken');
  expect(told).toMatchObject({ hookEventName: 'PostToolUse' });
  expect(told.additionalContext.split('\n').toSorted()).toEqual([person, task]);
  expect(await notesOf(agent, 2)).toEqual(expect.arrayContaining([person, task]));
  expect(await notesOf(rival, 1)).toEqual([
    expect.stringMatching(/^src\/x\.ts, which "code" writes, changed while agent\/test-agent/),
  ]);
  const again = await hookIn(folder, { ...calls, hook_event_name: 'PostToolUse' });
  expect(again).toEqual(silent);
  const timeline = await cli(['timeline'], folder);
  expect(timeline.out).toMatch(/src\/x\.ts, which it writes, changed while agent\/test-agent/);
});

/** What an agent is told by its tools, as soon as it is so much. */
async function notesOf(agent: AgentClient, count: number): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  while (told.length < count) {
    const { document } = await agent.call('status');
    told.push(...[document['notes'] ?? []].flat());
  }
  return told;
}
