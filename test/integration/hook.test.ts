import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentIn } from '../support/agent-client.ts';
import { hookIn, writing } from '../support/agent-hook.ts';
import { cli, ROOT, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLAN = `tasks:
  code: { role: agent, writes: [src/**] }
`;

test('the program for hooks has nothing in it that takes long to load', () => {
  const text = readFileSync(path.join(ROOT, 'dist', 'hook.js'), 'utf8');
  const required = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  expect(new Set(required)).toEqual(
    new Set(['fs', 'module', 'os', 'path', 'process', 'timers'].map((name) => `node:${name}`)),
  );
  expect(text).not.toContain('node_modules/');
  expect(text.length).toBeLessThan(128 * 1024);
});

const SILENT = { code: 0, out: '', err: '' };

/** An agent elsewhere has the task that writes src/. */
async function claimed(): Promise<{ readonly folder: string; readonly term: string }> {
  const folder = projectWith(PLAN);
  const run = startCli(['run'], folder);
  await run.says('code: waits for an agent');
  const { out } = await cli(['claim', 'code', '--as', 'other', '--json'], folder);
  return { folder, term: String(JSON.parse(out).term) };
}

test('a write that would collide is refused with who, until when, and what to do', async () => {
  const { folder, term } = await claimed();
  const { code, out, err } = await hookIn(folder, writing('src/new/users.ts'));
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(
        /^Task "code" \(agent\/other\) is writing this file \(as src\/\*\*\), for .* now, for another .* unless it is renewed\. Do not write src\/new\/users\.ts now, by any means: .*call ask_release to ask task "code" for it\./,
      ),
    },
  });
  const gemini = { ...writing('src/a'), hook_event_name: 'BeforeTool', tool_name: 'write_file' };
  expect(JSON.parse((await hookIn(folder, gemini)).out)).toMatchObject({ decision: 'deny' });
  const cursor = { ...writing('src/a'), hook_event_name: 'preToolUse' };
  expect(JSON.parse((await hookIn(folder, cursor)).out)).toMatchObject({ permission: 'deny' });
  const env = { INTERLOCK_WORKER: 'other' };
  expect(await hookIn(folder, writing('src/a'), { env })).toEqual(SILENT);
  await cli(['done', 'code', '--term', term, '--as', 'other'], folder);
  expect(await hookIn(folder, writing('src/a'))).toEqual(SILENT);
});

test('a file is its own for a while, which others see, and free when its turn is over', async () => {
  const folder = projectWith(PLAN);
  expect(await hookIn(folder, writing('src/a.ts'), { args: ['--for', '9m'] })).toEqual(SILENT);
  const taken =
    /^agent\/session-[0-9a-f]{8} has taken src\/a\.ts, for (9 min 0 s|8 min \d+ s) more$/m;
  expect((await cli(['status'], folder)).out).toMatch(taken);
  const other = await hookIn(folder, writing('src/a.ts', 's2'));
  expect(other.out).toContain('has taken this file');
  // It says so again, and is in nobody's way but others'.
  expect(await hookIn(folder, writing('src/a.ts'))).toEqual(SILENT);
  expect(await hookIn(folder, { session_id: 's1', hook_event_name: 'Stop' })).toEqual(SILENT);
  expect((await cli(['status'], folder)).out).not.toContain('has taken');
  expect(await hookIn(folder, writing('src/a.ts', 's2'))).toEqual(SILENT);
});

test('what an agent has claimed over its tools is its own for its hooks', async () => {
  const folder = projectWith(PLAN);
  const run = startCli(['run'], folder);
  await run.says('code: waits for an agent');
  const agent = await agentIn(folder);
  const { document } = await agent.call('claim_task');
  expect(document['task']).toBe('code');
  expect(await hookIn(folder, writing('src/a.ts'))).toEqual(SILENT);
  expect(await hookIn(folder, writing('README.md'))).toEqual(SILENT);
  // It is known by the same name, and has taken only what its task does not name.
  const { out } = await cli(['status'], folder);
  expect(out).toMatch(/^agent\/test-agent:by-[0-9a-f]{8} has taken README\.md, /m);
  expect(out).not.toContain('src/a.ts');
});

test('where nothing can be said it is silent, and leaves nothing behind', async () => {
  const folder = temporaryFolder();
  expect(await hookIn(folder, writing('a.ts'))).toEqual(SILENT);
  expect(existsSync(path.join(folder, '.state'))).toBe(false);
  const { folder: busy } = await claimed();
  for (const input of [
    writing('/somewhere/else.ts'),
    writing('../src/a.ts'),
    writing('a/'.repeat(200_000)),
    { ...writing('src/a.ts'), tool_name: 'Bash' },
  ])
    expect(await hookIn(busy, input)).toEqual(SILENT);
});

test('a board that cannot be asked stops nobody, unless the user wants it to', async () => {
  const folder = projectWith(PLAN);
  const env = { INTERLOCK_STATE_DIR: '/proc/nowhere' };
  const open = await hookIn(folder, writing('a.ts'), { env });
  expect(open).toMatchObject({ code: 0, out: '' });
  expect(open.err).toMatch(
    /^interlock hook: Interlock cannot keep its state in .* It is not known/,
  );
  const strict = await hookIn(folder, writing('a.ts'), { env, args: ['--strict'] });
  expect(JSON.parse(strict.out).hookSpecificOutput).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('--strict'),
  });
  expect(await hookIn(folder, 'no JSON')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('one JSON document'),
  });
});

test('a coordinator that is stopped holds no agent up', async () => {
  const folder = projectWith(PLAN);
  const serving = startCli(['serve'], folder);
  await serving.says('Deciding for');
  serving.child.kill('SIGSTOP');
  const { code, out, err } = await hookIn(folder, writing('a.ts'));
  serving.child.kill('SIGCONT');
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain('has not answered within 1500 ms');
});

test('while a coordinator is stopped, what the store says is held is refused', async () => {
  const folder = projectWith(PLAN);
  const serving = startCli(['serve'], folder);
  await serving.says('Deciding for');
  const run = startCli(['run'], folder);
  await run.says('code: waits for an agent');
  await cli(['claim', 'code', '--as', 'other', '--json'], folder);
  expect(await hookIn(folder, writing('docs/a.md', 's2'))).toEqual(SILENT);
  serving.child.kill('SIGSTOP');
  const [held, taken] = await Promise.all([
    hookIn(folder, writing('src/a.ts')),
    hookIn(folder, writing('docs/a.md')),
  ]);
  const own = await hookIn(folder, writing('src/a.ts'), { args: ['--as', 'other'] });
  serving.child.kill('SIGCONT');
  expect(held.out).toContain('Task \\"code\\" (agent/other) is writing this file');
  expect(taken.out).toMatch(/session-[0-9a-f]{8} has taken this file/);
  expect(own.out).toBe('');
});

test('the files that a hook took for an agent are free when its server of tools has closed', async () => {
  const folder = projectWith(PLAN);
  const serving = startCli(['serve'], folder);
  await serving.says('Deciding for');
  const [agent, other] = [await agentIn(folder), await agentIn(folder, { args: ['--as', 'two'] })];
  await agent.call('status');
  await other.call('status');
  expect(await hookIn(folder, writing('README.md'))).toEqual(SILENT);
  expect(await hookIn(folder, writing('two.md'), { args: ['--as', 'two'] })).toEqual(SILENT);
  const { out } = await cli(['status'], folder);
  expect(out).toMatch(/by-[0-9a-f]{8} has taken README\.md, /);
  await agent.client.close();
  // Nothing of what another agent has is freed.
  const after = (await cli(['status'], folder)).out;
  expect(after).not.toContain('README.md');
  expect(after).toContain('two has taken two.md');
});
