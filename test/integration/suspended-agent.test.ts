import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AgentClient, agentIn } from '../support/agent-client.ts';
import { cli, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

const PLAN = `tasks:
  a: { role: agent, writes: [src/a.ts], lease: 10s }
  b: { role: agent, writes: [src/b.ts] }
  c: { run: "echo x >> count.txt", depends_on: [b] }
`;

/** As Ctrl-Z does to an agent and its server. */
function stop(agent: AgentClient): void {
  process.kill(agent.pid, 'SIGSTOP');
  // Whatever becomes of the test.
  onTestFinished(() => resume(agent));
}

function resume({ pid }: AgentClient): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
}

test('an agent that decides and is suspended freezes nobody, and acts on nothing when it goes on', async () => {
  const folder = projectWith(PLAN);
  const run = startCli(['run'], folder);
  await run.says('a: waits for an agent');
  const agent = await agentIn(folder, { args: ['--as', 'sleeper'] });
  expect((await agent.call('claim_task', { task: 'a' })).isError).toBe(false);
  // The run hands the board over when it is left.
  run.child.kill('SIGKILL');
  await run.ended;
  await untilDecides(folder, 'mcp');
  stop(agent);

  const began = performance.now();
  const claimed = await cli(['claim', 'b', '--as', 'other', '--json'], folder);
  const tookMs = performance.now() - began;
  expect(claimed).toMatchObject({ code: 0 });
  expect(claimed.err).toMatch(
    /^Waiting for the coordinator \("interlock mcp" \(process \d+\)\), which has not answered for \d s\.$/m,
  );
  // 5 seconds to be taken over; the rest is for a busy machine.
  expect(tookMs).toBeLessThan(15_000);
  const { term } = JSON.parse(claimed.out);
  const next = startCli(['run'], folder);
  await next.says('a');
  expect(await cli(['done', 'b', '--term', String(term), '--as', 'other'], folder)).toMatchObject({
    code: 0,
  });
  await next.says('c: completed');
  resume(agent);
  const status = await agent.call('status');
  expect(status.isError).toBe(false);
  expect(readFileSync(path.join(folder, 'count.txt'), 'utf8')).toBe('x\n');
  // It follows whoever decides now, and the way to that one is still the right one.
  expect((await cli(['status'], folder)).out).toContain('"interlock run"');
  expect(await cli(['pause'], folder)).toMatchObject({ code: 0 });
  next.child.kill('SIGINT');
  await next.ended;
});

test.skipIf(process.platform === 'win32')(
  'Ctrl-Z of an agent whose server decides lets another process decide at once',
  async () => {
    const folder = projectWith(PLAN);
    const agent = await agentIn(folder, { args: ['--as', 'sleeper'] });
    const run = startCli(['run'], folder);
    await run.says('a: waits for an agent');
    run.child.kill('SIGKILL');
    await run.ended;
    await untilDecides(folder, 'mcp');
    process.kill(agent.pid, 'SIGTSTP');
    onTestFinished(() => resume(agent));

    const claimed = await cli(['claim', 'b', '--as', 'other', '--json'], folder);
    expect(claimed).toMatchObject({ code: 0, err: '' });
    resume(agent);
    expect((await agent.call('status')).isError).toBe(false);
    expect(await cli(['pause'], folder)).toMatchObject({ code: 0 });
  },
);

test('an agent that slept until its task was lost is refused its files until it was told', async () => {
  const folder = projectWith(PLAN);
  const run = startCli(['run'], folder);
  await run.says('a: waits for an agent');
  const agent = await agentIn(folder, { args: ['--as', 'sleeper'] });
  expect((await agent.call('claim_task', { task: 'a', lease: '1s' })).isError).toBe(false);
  stop(agent);
  await run.says(/a: .*lost/);
  resume(agent);
  const check = await agent.call('check_paths', { paths: ['src/a.ts', 'src/b.ts'] });
  expect(check.document['files']).toMatchObject([
    { mayWrite: false, sentences: [expect.stringContaining('You have lost "a"')] },
    { mayWrite: true },
  ]);
  const own = await agent.call('own_paths', { paths: ['src/a.ts'] });
  expect(own).toMatchObject({ isError: true, text: expect.stringContaining('You have lost "a"') });
  const status = await agent.call('status');
  expect(JSON.stringify(status.document['notes'])).toContain('You have lost');
  run.child.kill('SIGINT');
  await run.ended;
});

async function untilDecides(folder: string, name: string): Promise<void> {
  expect(existsSync(path.join(folder, '.state'))).toBe(true);
  for (;;) {
    const { out } = await cli(['status'], folder);
    if (out.includes(`"interlock ${name}"`)) return;
  }
}
