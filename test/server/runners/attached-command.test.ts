import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseRunId, parseTaskId } from '../../../server/domain/ids.ts';
import type { Command } from '../../../server/domain/task.ts';
import type { CommandEnd, Launch } from '../../../server/engine/ports.ts';
import { startAttached } from '../../../server/runners/attached-command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ENV = { PATH: process.env['PATH'], TERM: 'vt100', COLORTERM: 'truecolor', SECRET: 'x' };

const AROUND = { parentEnv: ENV, proof: 'abc' };

const OF_THE_SHELL = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL']);

function launch(command: Command | undefined, cwd = ''): Launch {
  return {
    place: 'local',
    root: temporaryFolder(),
    definition: {
      id: parseTaskId('play')!,
      title: '',
      command,
      cwd,
      env: { OWN: 'yes' },
      dependsOn: [],
      after: [],
      reads: [],
      writes: [],
    },
    run: parseRunId('0mwn2e9yr-015dfa48ee')!,
    revision: 1,
    attempt: 2,
    term: 7,
  };
}

async function endOf(command: Command | undefined, cwd?: string): Promise<CommandEnd> {
  return await startAttached(launch(command, cwd), AROUND).ended;
}

function script(text: string): Command {
  return { kind: 'shell', script: text };
}

test('its exit code is exact', async () => {
  expect(await endOf(script('true'))).toEqual({ kind: 'succeeded' });
  expect(await endOf(script('exit 42'))).toMatchObject({ failure: { kind: 'exit', code: 42 } });
});

test('a signal that ends it is told by its name', async () => {
  const end = { kind: 'signal', signal: 'SIGTERM' };
  expect(await endOf(script('kill -TERM $$'))).toMatchObject({ failure: end });
});

test('what a claim before it has left ends before it begins', async () => {
  const before = startAttached(launch(script('exec sleep 60')), AROUND);
  const other = startAttached(
    { ...launch(script('sleep 1')), run: parseRunId('0mwn2e9yr-115dfa48ee')! },
    AROUND,
  );
  const next = startAttached({ ...launch(script('true')), term: 8 }, AROUND);
  expect(await before.ended).toMatchObject({ failure: { kind: 'signal', signal: 'SIGKILL' } });
  expect(await next.ended).toEqual({ kind: 'succeeded' });
  expect(await other.ended).toEqual({ kind: 'succeeded' });
});

test('it knows its terminal, its claim and its own variables, and nothing else', async () => {
  const started = launch(script('env > env.txt'));
  await startAttached(started, AROUND).ended;
  const lines = readFileSync(path.join(started.root, 'env.txt'), 'utf8').trim().split('\n');
  const names = lines.map((line) => line.split('=', 1).join());
  const own = names.filter((name) => !OF_THE_SHELL.has(name));
  expect(own.toSorted()).toEqual([
    'COLORTERM',
    'INTERLOCK_ATTEMPT',
    'INTERLOCK_BOARD',
    'INTERLOCK_PROOF',
    'INTERLOCK_RUN',
    'INTERLOCK_TASK',
    'INTERLOCK_TERM',
    'OWN',
    'PATH',
    'TERM',
  ]);
});

test('words of a list are for no shell', async () => {
  const program = { kind: 'program', file: 'test', args: ['$HOME', '=', '$HOME; exit 3'] } as const;
  expect(await endOf(program)).toMatchObject({ failure: { kind: 'exit', code: 1 } });
});

test('what is missing is named', async () => {
  const program = { kind: 'program', file: 'no-such-program', args: [] } as const;
  expect(await endOf(program)).toMatchObject({
    failure: {
      kind: 'not-started',
      message:
        'Could not start "no-such-program" (ENOENT). Check that it is installed and on PATH.',
    },
  });
  expect(await endOf(script('true'), 'missing')).toMatchObject({
    failure: { kind: 'not-started', message: expect.stringContaining('"missing"') },
  });
  expect(await endOf(undefined)).toMatchObject({
    failure: { kind: 'not-started', message: '"play" has no command.' },
  });
});

test('whoever asks it to end ends what it has started, too', async () => {
  const started = launch(script('sleep 600 & sleep 600'));
  const command = startAttached(started, AROUND);
  command.signal('kill');
  expect(await command.ended).toMatchObject({ failure: { kind: 'signal', signal: 'SIGKILL' } });
});
