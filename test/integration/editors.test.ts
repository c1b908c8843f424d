import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { SERVER } from '../support/command.ts';
import { checkSession, startWith } from '../support/contracts/editor-contract.ts';
import { EDITORS } from '../support/editors.ts';
import { stdioServer } from '../support/stdio-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function start(): ReturnType<typeof stdioServer> {
  return stdioServer(SERVER, { XDG_STATE_HOME: temporaryFolder() });
}

test.each(Object.entries(EDITORS))('%s is served, and leaves', async (_, capabilities) => {
  const { client, ended } = start();
  await checkSession(client, startWith(capabilities));
  await client.connection.sendNotification('exit');
  expect(await ended).toBe(0);
});

test('"exit" without "shutdown" ends with 1', async () => {
  const { client, ended } = start();
  await client.connection.sendRequest('initialize', startWith({}).params);
  await client.connection.sendNotification('exit');
  expect(await ended).toBe(1);
});

test('so does "exit" before "initialize"', async () => {
  const { client, ended } = start();
  await client.connection.sendNotification('exit');
  expect(await ended).toBe(1);
});

test('a client that is gone takes the server with it', async () => {
  const { client, ended, input } = start();
  await client.connection.sendRequest('initialize', startWith({}).params);
  input.end();
  expect(await ended).toBe(1);
});

test('so does the process that the client said it is', async () => {
  const editor = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  onTestFinished(() => void editor.kill('SIGKILL'));
  const { client, ended } = start();
  await client.connection.sendRequest(
    'initialize',
    startWith({}, { processId: editor.pid }).params,
  );
  editor.kill('SIGKILL');
  await once(editor, 'exit');
  expect(await ended).toBe(1);
});

const NESTED = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

function framed(text: string): string {
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

test.each<[string, string]>([
  ['no JSON', framed('{"jsonrpc": ')],
  ['no message', framed('[]')],
  ['null', framed('null')],
  ['a message without a method', framed('{"jsonrpc":"2.0"}')],
  ['an answer to nothing', framed('{"jsonrpc":"2.0","id":99,"result":null}')],
  ['a method that is a number', framed('{"jsonrpc":"2.0","id":7,"method":7}')],
  ['a cancellation of nothing', framed('{"jsonrpc":"2.0","method":"$/cancelRequest"}')],
  ['a cancellation of null', framed('{"jsonrpc":"2.0","method":"$/cancelRequest","params":null}')],
  ['what nests deep', framed(`{"jsonrpc":"2.0","method":"x","params":${NESTED}}`)],
])('%s is survived', async (_, bytes) => {
  const { client, input } = start();
  input.write(bytes);
  const { params } = startWith(EDITORS['Helix']);
  await client.connection.sendRequest('initialize', params);
  input.write(bytes);
  await expect(client.connection.sendRequest('workspace/symbol', { query: '' })).resolves.toEqual(
    [],
  );
});
