import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectBoard, type ConnectResult } from '../../../server/coordinator/board-connection.ts';
import { requestOf } from '../../../server/coordinator/messages.ts';
import { newToken, readPass, writePass } from '../../../server/coordinator/token.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  brief,
  EchoHandler,
  framesOf,
  helloOf,
  join,
  Notes,
  RawPeer,
  serve,
} from './echo-board.ts';

const hasModes = process.platform !== 'win32';

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

async function tryToJoin(directory: string): Promise<ConnectResult> {
  return await connectBoard({
    directory,
    role: 'worker',
    name: 'eve',
    build: '1.0.0',
    onNotification: () => {},
    onClosed: () => {},
  });
}

/** What is said first to a board by somebody who should not be there, and what it answers. */
function check(name: string, message: (token: string) => unknown, answer: string): void {
  test(`74: ${name} is refused and closed`, async () => {
    const board = await serve();
    const stranger = await RawPeer.connect(board.server.endpoint);
    stranger.send(message(readPass(board.directory)?.token ?? ''), requestOf(2, 'echo', []));
    expect((await stranger.untilClosed()).map(brief)).toEqual([answer]);
    expect(board.handler.notes.lines).toEqual([]);
  });
}

function failPlainly(): never {
  throw new Error('The handler is broken.');
}

function hello(token: unknown, changes: object = {}): unknown {
  const protocol = { min: 1, max: 1 };
  return requestOf(1, 'hello', {
    token,
    role: 'window',
    name: 'eve',
    build: '1',
    protocol,
    ...changes,
  });
}

const WRONG =
  '1 error -32001 This is not the token of the board: its file "token" was changed ("interlock where" says where it is). ' +
  'Put it back, or end the process that decides ("interlock status" names it): the next one writes it anew.';
const MALFORMED = '1 error -32602 This hello is malformed.';
const FIRST = 'null error -32001 The first thing to say here is hello.';

check('another token', () => hello(newToken()), WRONG);
check('a token that is the beginning of ours', (token) => hello(token.slice(0, -1)), WRONG);
check('a token that begins with ours', (token) => hello(`${token}a`), WRONG);
check('an empty token', () => hello(''), WRONG);
check('a token that is a list', (token) => hello([token]), WRONG);
check('a hello without a token', () => hello(undefined), WRONG);
check('a hello without params', () => requestOf(1, 'hello', undefined), WRONG);
check('a hello with another role', (token) => hello(token, { role: 'owner' }), MALFORMED);
check('a hello without a name', (token) => hello(token, { name: '' }), MALFORMED);
check(
  'a hello with a name of 201 characters',
  (token) => hello(token, { name: 'a'.repeat(201) }),
  MALFORMED,
);
check(
  'a hello with versions upside down',
  (token) => hello(token, { protocol: { min: 2, max: 1 } }),
  MALFORMED,
);
check(
  'a hello with a version that is none',
  (token) => hello(token, { protocol: { min: 1, max: '9' } }),
  MALFORMED,
);
check('a request before hello', () => requestOf(1, 'echo', []), FIRST);
check(
  'a hello that asks for no answer',
  (token) => ({ jsonrpc: '2.0', method: 'hello', params: { token } }),
  FIRST,
);
check('an answer before hello', () => ({ jsonrpc: '2.0', id: 1, result: {} }), FIRST);

test('74: there is one try for each connection', async () => {
  const board = await serve();
  const stranger = await RawPeer.connect(board.server.endpoint);
  stranger.send(hello(newToken()), requestOf(2, 'hello', helloOf(board.directory)));
  expect((await stranger.untilClosed()).map(brief)).toEqual([WRONG]);
  expect(board.handler.notes.lines).toEqual([]);
});

test('74: an HTTP request is refused like any other garbage', async () => {
  const board = await serve();
  const stranger = await RawPeer.connect(board.server.endpoint);
  stranger.socket.write('GET /?token=x HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect((await stranger.untilClosed()).map(brief)).toEqual([
    'null error -32700 This frame is longer than a frame may be.',
  ]);
});

test('74: a second hello is an error, and the peer stays who it was', async () => {
  const board = await serve({
    handler: new EchoHandler({ who: ({ role, name }) => `${role} ${name}` }),
  });
  const peer = await RawPeer.join(board);
  peer.send(
    requestOf(1, 'hello', helloOf(board.directory, { role: 'observer', name: 'other' })),
    requestOf(2, 'who', []),
  );
  expect((await peer.until(2)).map(brief)).toEqual([
    '1 error -32600 Hello was said before.',
    '2 "window raw"',
  ]);
  expect(board.handler.notes.lines.filter((line) => line.startsWith('joined'))).toEqual([
    'joined raw',
  ]);
});

test('74: a hello that was heard earlier opens nothing at the next coordinator', async () => {
  const first = await serve();
  const recorded = framesOf(requestOf(1, 'hello', helloOf(first.directory)));
  await first.server.close();
  const second = await serve({ directory: first.directory });
  const stranger = await RawPeer.connect(second.server.endpoint);
  stranger.socket.write(recorded);
  expect((await stranger.untilClosed()).map(brief)).toEqual([WRONG]);
});

test.runIf(hasModes)(
  '74: the directory, the socket and the token are for their user only',
  async () => {
    const { directory, server } = await serve();
    expect(modeOf(directory)).toBe('700');
    expect(modeOf(server.endpoint)).toBe('600');
    expect(modeOf(path.join(directory, 'token'))).toBe('600');
    expect(readdirSync(directory).toSorted()).toEqual(['socket', 'token']);
  },
);

test('74: a token has 256 bits, and each coordinator has its own', async () => {
  const first = await serve();
  const second = await serve();
  const tokens = [first, second].map(({ directory }) => readPass(directory)?.token ?? '');
  expect(tokens.map((token) => Buffer.from(token, 'base64url').length)).toEqual([32, 32]);
  expect(tokens[0]).not.toBe(tokens[1]);
});

test('74: the token is in nothing that anybody is told, also when the handler fails', async () => {
  const board = await serve({ handler: new EchoHandler({ fail: failPlainly }) });
  const token = readPass(board.directory)?.token ?? 'none';
  const heard = new Notes();
  const ann = await join(board.directory, { heard });
  const failure = await ann.request('fail', []).catch(String);
  await board.server.close();
  await heard.until('closed bye');
  const told = JSON.stringify([failure, heard.lines, board.faults.map(String), process.argv]);
  expect(told).toContain('broken');
  expect(told).not.toContain(token);
});

test.runIf(hasModes)('74: a board directory that others may enter is not listened in', async () => {
  const directory = temporaryFolder();
  chmodSync(directory, 0o750);
  await expect(serve({ directory })).rejects.toThrow('it must be a directory that is yours alone');
  expect(readdirSync(directory)).toEqual([]);
});

test.runIf(hasModes)(
  '74: the token is told to no socket that others could have put there',
  async () => {
    const { directory, handler } = await serve();
    chmodSync(directory, 0o755);
    const result = await tryToJoin(directory);
    expect(result).toMatchObject({ kind: 'refused', refusal: 'unsafe' });
    expect(handler.notes.lines).toEqual([]);
  },
);

test.runIf(hasModes)(
  '74: a link in place of the directory of a socket is not followed',
  async () => {
    const board = await serve();
    const directory = temporaryFolder();
    symlinkSync(board.directory, path.join(directory, 'link'));
    const token = readPass(board.directory)?.token ?? '';
    writePass(directory, { token, endpoint: path.join(directory, 'link', 'socket') });
    expect(await tryToJoin(directory)).toMatchObject({ kind: 'refused', refusal: 'unsafe' });
  },
);

test('74: what a killed coordinator left of its token is replaced, and a link there is not followed', () => {
  const directory = temporaryFolder();
  const victim = path.join(temporaryFolder(), 'victim');
  writeFileSync(victim, 'mine');
  if (hasModes) symlinkSync(victim, path.join(directory, 'token.new'));
  writePass(directory, { token: 'secret', endpoint: 'nowhere' });
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readPass(directory)).toEqual({ token: 'secret', endpoint: 'nowhere' });
});

for (const text of ['', '{', 'null', '{"token":5,"endpoint":"a"}', '{"token":"a"}'])
  test(`74: a token file that says ${text || 'nothing'} is nobody listening`, async () => {
    const directory = temporaryFolder();
    writeFileSync(path.join(directory, 'token'), text);
    expect(await tryToJoin(directory)).toEqual({ kind: 'absent' });
  });

test('74: a token file that cannot be read is nobody listening', async () => {
  const directory = temporaryFolder();
  mkdirSync(path.join(directory, 'token'));
  expect(await tryToJoin(directory)).toEqual({ kind: 'absent' });
});
