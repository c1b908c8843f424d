import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OFFER_TERMINALS, OPEN_TERMINAL, type OpenTerminal } from '../../../protocol/terminals.ts';
import type { RunReply } from '../../../protocol/tasks.ts';
import { CLEAR_BLOCKER, WHY_TASK, type WhyReply } from '../../../protocol/why.ts';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { OpenFolder } from '../../support/open-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PLAN = `tasks:
  build: { run: "true" }
  play: { title: Play it, in: terminal, run: "true", depends_on: [build] }
  review: { role: human }
`;

/** A window that opens terminals, and those that it was told to open. */
async function window(plan = PLAN): Promise<{
  readonly folder: OpenFolder;
  readonly opened: OpenTerminal[];
  readonly run: (id: string, more?: object) => Promise<RunReply>;
}> {
  const folder = await OpenFolder.open({ 'interlock.yaml': plan });
  const { connection } = folder.client;
  const opened: OpenTerminal[] = [];
  connection.onNotification(OPEN_TERMINAL, (task: OpenTerminal) => {
    opened.push(task);
    folder.client.heard();
  });
  const folderUri = folder.uri('').replace(/\/$/, '');
  const run = async (id: string, more: object = {}): Promise<RunReply> =>
    await connection.sendRequest('tasks/run', {
      folderUri,
      plan: 'interlock.yaml',
      ids: [id],
      ...more,
    });
  return { folder, opened, run };
}

test('a window that offers terminals is told to open one when the task may start', async () => {
  const { folder, opened, run } = await window();
  await folder.client.connection.sendNotification(OFFER_TERMINALS, { userName: 'kim' });
  await run('play');
  await folder.client.until(() => opened.length > 0);
  expect(opened).toEqual([
    {
      folderUri: folder.uri('').replace(/\/$/, ''),
      plan: 'interlock.yaml',
      id: 'play',
      board: folder.path,
      run: expect.any(String),
      attempt: 1,
      as: 'kim',
    },
  ]);
  await folder.client.until(() => folder.client.view('build')?.state === 'completed');
});

test('what a terminal was opened for and did not take can be given another one', async () => {
  const { folder, opened, run } = await window();
  const { client } = folder;
  await client.connection.sendNotification(OFFER_TERMINALS, { userName: 'kim' });
  await run('play');
  await client.until(() => opened.length > 0);
  const key = client.key(folder.path, 'play');
  const { blockers }: WhyReply = await client.connection.sendRequest(WHY_TASK, key);
  expect(blockers).toMatchObject([
    {
      kind: 'unclaimed',
      what: 'No terminal has taken it yet',
      action: { kind: 'clear', title: 'Open a Terminal' },
    },
  ]);
  await client.connection.sendRequest(CLEAR_BLOCKER, { ...key, key: blockers[0]?.key });
  await client.until(() => opened.length > 1);
  expect(opened[1]).toEqual(opened[0]);
});

test('whoever is called otherwise from now on is so in the terminals that are opened then', async () => {
  const { folder, opened, run } = await window();
  const { client } = folder;
  await client.connection.sendNotification(OFFER_TERMINALS, { userName: 'kim' });
  await client.connection.sendNotification(OFFER_TERMINALS, { userName: 'robin' });
  await run('play');
  await client.until(() => opened.length > 0);
  expect(opened).toMatchObject([{ id: 'play', as: 'robin' }]);
});

test('where nobody offers terminals the task waits for a window, and one that comes later is told', async () => {
  const { folder, opened, run } = await window();
  const { client } = folder;
  await run('play');
  const why = 'waits for a terminal, and no editor window is here to open one';
  await client.until(() => client.view('play')?.detail === why);
  expect(opened).toEqual([]);
  await client.connection.sendNotification(OFFER_TERMINALS, null);
  await client.until(() => opened.length > 0);
});

/** Windows of the same folder, one of them perhaps untrusted. */
async function windowsOf(
  ...trust: readonly boolean[]
): Promise<readonly { readonly client: LanguageClient; readonly opened: OpenTerminal[] }[]> {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'interlock.yaml'), 'tasks:\n  play: { in: terminal, run: x }\n');
  const state = { XDG_STATE_HOME: temporaryFolder() };
  const windows = trust.map(async (isTrusted, index) => {
    const client = clientInMemory(realWorld(`window ${index}`, state));
    const opened: OpenTerminal[] = [];
    client.connection.onNotification(OPEN_TERMINAL, (task: OpenTerminal) => {
      opened.push(task);
      client.heard();
    });
    await client.start(folder, { initializationOptions: { isTrusted } });
    await client.until(() => client.view('play') !== undefined);
    return { client, opened, folder };
  });
  const all = await Promise.all(windows);
  await all[0]!.client.run(folder, ['play']);
  return all;
}

test('of two windows one opens the terminal', async () => {
  const windows = await windowsOf(true, true);
  for (const { client } of windows) await client.connection.sendNotification(OFFER_TERMINALS, {});
  await Promise.race(
    windows.map(async ({ client, opened }) => client.until(() => opened.length > 0)),
  );
  for (const { client } of windows) {
    await client.until(() => client.view('play')?.state === 'ready');
    await client.connection.sendRequest('tasks/list');
  }
  expect(windows.flatMap(({ opened }) => opened)).toMatchObject([{ id: 'play', attempt: 1 }]);
});

test('a window that is not trusted opens none', async () => {
  const windows = await windowsOf(true, false);
  const [trusted, untrusted] = [windows[0]!, windows[1]!];
  await untrusted.client.connection.sendNotification(OFFER_TERMINALS, {});
  const detail = 'waits for a terminal, and no editor window is here to open one';
  for (const { client } of windows)
    await client.until(() => client.view('play')?.detail === detail);
  await untrusted.client.connection.sendRequest('tasks/list');
  expect(untrusted.opened).toEqual([]);
  await trusted.client.connection.sendNotification(OFFER_TERMINALS, {});
  await trusted.client.until(() => trusted.opened.length > 0);
  expect(untrusted.opened).toEqual([]);
});

test('any command may run in a terminal once, and what it needs runs as always', async () => {
  const plan = 'tasks:\n  build: { run: "true" }\n  test: { run: "true", depends_on: [build] }\n';
  const { folder, opened, run } = await window(plan);
  const { client } = folder;
  await client.connection.sendNotification(OFFER_TERMINALS, {});
  expect(await run('test', { in: 'terminal' })).toMatchObject({ kind: 'accepted' });
  await client.until(() => opened.length > 0);
  expect(opened).toMatchObject([{ id: 'test', attempt: 1 }]);
  await client.until(() => client.view('build')?.state === 'completed');
});

test('what has no command has nothing to run in a terminal', async () => {
  const { run } = await window();
  expect(await run('review', { in: 'terminal' })).toEqual({
    kind: 'refused',
    message: '"review" has no command that could run in a terminal.',
  });
});
