import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

const PLAN = 'tasks:\n  a: { run: "true" }\n';

test('doctor says what is there, and makes nothing where nothing has run', async () => {
  const folder = projectWith(PLAN);
  const { code, out, err } = await cli(['doctor'], folder);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^✓ runtime {6}Interlock \d/);
  expect(out).toMatch(/^✓ store {8}nothing has run in this folder yet$/m);
  expect(existsSync(path.join(folder, '.state'))).toBe(false);
});

test('doctor names who decides, asks it, and leaves it alone', async () => {
  const folder = projectWith(PLAN);
  const server = startCli(['serve'], folder);
  await server.says('Deciding for ');
  const { code, out } = await cli(['doctor', '--json'], folder);
  expect(code).toBe(0);
  const { checks }: { readonly checks: readonly { readonly name: string }[] } = JSON.parse(out);
  expect(checks.find(({ name }) => name === 'coordinator')).toEqual({
    name: 'coordinator',
    state: 'fine',
    found: expect.stringContaining(`(process ${server.child.pid}) decides and answers (`),
  });
  expect(checks.find(({ name }) => name === 'store')).toMatchObject({
    state: 'fine',
    found: expect.stringContaining('looked through, whole'),
  });
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('doctor ends with 1 where something is wrong, and says what to do', async () => {
  const folder = projectWith(PLAN);
  await cli(['run'], folder);
  const { state }: { readonly state: string } = JSON.parse(
    (await cli(['where', '--json'], folder)).out,
  );
  chmodSync(state, 0o755);
  const { code, out } = await cli(['doctor'], folder);
  expect(code).toBe(1);
  expect(out).toContain(`✗ state        others can look into ${state}\n`);
  expect(out).toContain(`               Close it: chmod 700 "${state}"\n`);
});
