import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { tmuxServer, typeIn } from '../support/typed-in-tmux.ts';
import { untilFile } from '../support/until-file.ts';

const PLAN = `tasks:
  api: { run: 'echo begun > begun; while [ ! -e go ]; do sleep 0.1; done' }
`;
async function untilSeen(look: () => string, text: string): Promise<void> {
  while (!look().includes(text)) await delay(20);
}

async function wordOf(folder: string): Promise<string> {
  await cli(['session', 'list'], folder);
  const { state }: { readonly state: string } = JSON.parse(
    (await cli(['where', '--json'], folder)).out,
  );
  return readFileSync(path.join(state, 'machine'), 'utf8').trim();
}

test('a session of a person is made, left, found again, and ended by its name only', async () => {
  const folder = projectWith(PLAN);
  const inner = tmuxServer(`interlock-${await wordOf(folder)}`);
  const name = `aivcs__${path.basename(folder).toLowerCase()}__review__human`;
  const outer = typeIn(folder, 'session attach review');
  const screen = (): string => outer('capture-pane', '-p');
  await untilSeen(screen, '[aivcs__');
  outer('send-keys', 'pwd > where', 'Enter');
  await untilFile(path.join(folder, 'where'), `${folder}\n`);
  outer('send-keys', 'C-b', 'd');
  await untilSeen(screen, 'left with 0');
  const listed = await cli(['session', 'list'], folder);
  expect(listed.out).toContain('human');
  expect((await cli(['session', 'prune'], folder)).err).toBe('There is nothing to end.\n');
  expect(inner('list-sessions', '-F', '#{session_name}').trim()).toBe(name);
  expect(await cli(['session', 'kill', name], folder)).toMatchObject({
    code: 0,
    out: `Ended ${name}.\n`,
  });
  expect((await cli(['session', 'list'], folder)).err).toBe('There are no sessions.\n');
});

test('a session in which a task is at work is looked at, and not ended before its task', async () => {
  const folder = projectWith(PLAN);
  const word = await wordOf(folder);
  const run = startCli(['run'], folder);
  await untilFile(path.join(folder, 'begun'), 'begun\n');
  const { runs }: { readonly runs: readonly { readonly id: string }[] } = JSON.parse(
    (await cli(['runs', '--json'], folder)).out,
  );
  const name = `aivcs__shop__api__runner`;
  const inner = tmuxServer(`interlock-${word}`);
  inner('new-session', '-d', '-s', name, '-x', '80', '-y', '20', 'echo so far; exec cat');
  inner('set-option', '-t', `=${name}:`, '@interlock', `${word}:${runs[0]?.id}:1`);
  const outer = typeIn(folder, 'attach api');
  const screen = (): string => outer('capture-pane', '-p');
  await untilSeen(screen, 'so far');
  outer('send-keys', 'typed by mistake', 'Enter');
  outer('send-keys', 'C-b', 'd');
  await untilSeen(screen, 'left with 0');
  expect(inner('capture-pane', '-p', '-t', `=${name}:`)).not.toContain('mistake');
  const refused = await cli(['session', 'kill', name], folder);
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('"api" is at work in') });
  expect((await cli(['session', 'prune'], folder)).err).toBe('There is nothing to end.\n');
  execFileSync('touch', [path.join(folder, 'go')]);
  await run.ended;
  expect((await cli(['session', 'prune'], folder)).out).toBe(`Ended ${name} (local).\n`);
  expect(await cli(['attach', 'api'], folder)).toMatchObject({ code: 2 });
});
