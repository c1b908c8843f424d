import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

/** So long that to read it takes a third of a second. */
const TASKS = 1600;

function planOf(command: string): string {
  const tasks = Array.from(
    { length: TASKS },
    (_, n) =>
      `  task-${n}:\n    title: Task number ${n}\n    run: ${command} run build --workspace packages/p${n}\n` +
      `    writes: [packages/p${n}/dist/**]\n    reads: [packages/p${n}/src/**]\n`,
  );
  return `tasks:\n${tasks.join('')}  last-${command}: { run: "true" }\n`;
}

/** How often the process could do something else until this was done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await done;
  isDone = true;
  return turns;
}

test('while a large plan is read, the process does other things, and what is asked waits', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': 'tasks:\n  a: { run: "true" }\n' });
  const { client } = folder;
  const uri = folder.uri('interlock.yaml');
  await folder.askAll('symbol', { query: 'a' });
  await client.open(uri, planOf('npm'));
  const symbols = folder.askAll('symbol', { query: 'last-npm' });
  expect(await turnsUntil(symbols)).toBeGreaterThan(30);
  expect(JSON.stringify(await symbols)).toContain('last-npm');

  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: planOf('pnpm') }],
  });
  // One after the other: the first of these texts is not what the question is about.
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 3 },
    contentChanges: [{ text: planOf('yarn') }],
  });
  const changed = folder.askAll('symbol', { query: 'last-' });
  expect(await turnsUntil(changed)).toBeGreaterThan(60);
  expect(JSON.stringify(await changed)).toContain('last-yarn');
  expect(JSON.stringify(await changed)).not.toContain('last-pnpm');
});

test('the plans of a folder that opens are read in slices, whatever is asked meanwhile', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': planOf('npm') });
  const symbols = folder.askAll('symbol', { query: 'last-npm' });
  expect(await turnsUntil(symbols)).toBeGreaterThan(30);
  expect(JSON.stringify(await symbols)).toContain('last-npm');
});

test('a server that reads a large plan can be shut down', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': planOf('npm') });
  await folder.client.open(folder.uri('interlock.yaml'), planOf('pnpm'));
  const refused = folder.askAll('symbol', { query: 'last-npm' }).catch(String);
  await folder.client.connection.sendRequest('shutdown');
  expect(await refused).toContain('The server has been shut down.');
});
