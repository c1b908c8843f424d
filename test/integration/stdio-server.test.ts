import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { SERVER, startCli, startProgram } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { stdioClient } from '../support/stdio-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilFile } from '../support/until-file.ts';

test('any client on standard input gets problems, tasks and runs', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: echo $INTERLOCK_TASK > out.txt }\n  b: { rum: x }\n',
  );
  const client = stdioClient(SERVER, { INTERLOCK_STATE_DIR: path.join(folder, '.state') });
  await client.start(folder);
  const uri = pathToFileURL(path.join(folder, 'interlock.yaml')).href;
  await client.until(() => client.diagnostics.get(uri)?.length === 1);
  expect(await client.run(folder, ['a'])).toEqual({
    kind: 'accepted',
    leftOut: [],
    refusedPlans: [],
  });
  await client.until(() => client.view('a')?.state === 'completed');
  expect(readFileSync(path.join(folder, 'out.txt'), 'utf8')).toBe('a\n');
});

test('a window goes on with what a killed command line has left running', async () => {
  const folder = projectWith(
    'tasks:\n  slow: { run: "echo $$ >> pid.txt; until [ -e go ]; do sleep 0.05; done" }\n',
  );
  const run = startCli(['run'], folder);
  await untilFile(path.join(folder, 'pid.txt'), '\n');
  const client = stdioClient(SERVER, { INTERLOCK_STATE_DIR: path.join(folder, '.state') });
  await client.start(folder);
  await client.until(() => client.states === 'slow running');
  run.child.kill('SIGKILL');
  await run.ended;
  writeFileSync(path.join(folder, 'go'), '');
  await client.until(() => client.states === 'slow completed');
  expect(readFileSync(path.join(folder, 'pid.txt'), 'utf8')).toMatch(/^\d+\n$/);
});

test('a client that opens a single file without a folder gets its problems', async () => {
  const uri = pathToFileURL(path.join(temporaryFolder(), 'interlock.yaml')).href;
  const client = stdioClient(SERVER, {});
  await client.start('/', { workspaceFolders: null });
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'interlock', version: 1, text: 'tasks: 3\n' },
  });
  await client.until(() => client.diagnostics.get(uri)?.length === 1);
  expect(client.states).toBe('');
});

test('started without a transport it says what it is, and ends with 2', async () => {
  const { code, err } = await startProgram(process.execPath, [SERVER], { cwd: temporaryFolder() })
    .ended;
  expect(code).toBe(2);
  expect(err).toBe(
    'This is a language server. Start it with --stdio, --node-ipc, --pipe=NAME or --socket=PORT.\n',
  );
});
