import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectOnBox, setHosts } from '../support/project-on-box.ts';
import { Sshd } from '../support/sshd.ts';
import { untilFile } from '../support/until-file.ts';

let sshd: Sshd;

beforeAll(async () => {
  sshd = await Sshd.start({ loginShell: { program: '/bin/sh' } });
});

afterAll(async () => {
  await sshd.stop();
});

test('what is still at work on a host that is back after all is ended', async () => {
  const { folder, env } = projectOnBox(
    sshd,
    `tasks:
  api: { on: [box, spare], run: 'echo $$ >> begun; while [ ! -e go ]; do sleep 0.1; done' }
  next: { on: box, depends_on: [gate], run: 'true' }
  gate: { run: 'while [ ! -e gate ]; do sleep 0.1; done' }
`,
  );
  setHosts(folder, { box: {}, spare: { gone: true } });
  const run = startCli(['run'], folder, env);
  await run.says('api: running (on box)');
  await untilFile(path.join(folder, 'begun'), '\n');
  const first = Number(readFileSync(path.join(folder, 'begun'), 'utf8'));
  setHosts(folder, { box: { gone: true }, spare: {} });
  await run.says('api: running (on spare, attempt 2)');
  setHosts(folder, { box: {}, spare: {} });
  writeFileSync(path.join(folder, 'gate'), '');
  await run.says('next: completed');
  // Otherwise two of one task would be at work in one tree.
  while (existsSync(`/proc/${first}`)) await delay(20);
  writeFileSync(path.join(folder, 'go'), '');
  expect((await run.ended).code).toBe(0);
}, 60_000);

test('a host that is gone is said to be, wherever it is named', async () => {
  const { folder, env } = projectOnBox(sshd, "tasks:\n  api: { on: box, run: 'true' }\n");
  setHosts(folder, { box: { gone: true }, spare: {} });
  const said = await Promise.all(
    [['check'], ['run', 'api', '--on', 'box'], ['run'], ['hosts', 'check', 'box']].map(
      async (words) => await cli(words, folder, env),
    ),
  );
  for (const { out, err } of said) expect(out + err).not.toMatch(/name it in the setting/);
});

test('a dry run says what can never start', async () => {
  const { folder, env } = projectOnBox(sshd, "tasks:\n  api: { on: nowhere, run: 'true' }\n");
  const [dry, real] = [
    await cli(['run', '--dry-run'], folder, env),
    await cli(['run'], folder, env),
  ];
  expect(real.code).toBe(3);
  expect(dry.code).toBe(3);
});
