import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectBoard } from '../../../server/coordinator/board-connection.ts';
import { readPass, writePass } from '../../../server/coordinator/token.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { EchoHandler, failureOf, framesOf, join, Notes, RawPeer, serve } from './echo-board.ts';

const isPosix = process.platform !== 'win32';
const CONNECTION = new URL('../../../server/coordinator/board-connection.ts', import.meta.url).href;
const SERVER = new URL('../../../server/coordinator/board-server.ts', import.meta.url).href;

/** The sources are read as they are, and have no package of their own that says what they are. */
const QUIETLY = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module'];

async function tryToJoin(directory: string, helloMs = 3000): Promise<string> {
  const result = await connectBoard({
    directory,
    role: 'observer',
    name: 'ann',
    build: '1',
    onNotification: () => {},
    onClosed: () => {},
    limits: { helloMs },
  });
  if (result.kind === 'connected') result.connection.close();
  return result.kind === 'refused' ? result.refusal : result.kind;
}

/** A coordinator in a process of its own. It answers `echo`, and never anything else. */
async function serverProcess(directory: string): Promise<ChildProcess> {
  const script = `
    import { serveBoard } from ${JSON.stringify(SERVER)};
    await serveBoard({
      directory: ${JSON.stringify(directory)},
      build: '1.0.0',
      onFault: (error) => { throw error; },
      handler: {
        joined() {},
        left() {},
        request: async (peer, method, params) =>
          method === 'echo' ? params : await new Promise(() => {}),
      },
    });
    process.stdout.write('listens');`;
  const child = startScript(script);
  await new Promise((resolve) => {
    child.stdout?.once('data', resolve);
  });
  return child;
}

function startScript(script: string): ChildProcess {
  const child = spawn(process.execPath, [...QUIETLY, '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Somebody else who listens, and what they do with whoever comes. */
async function listen(endpoint: string, onSocket: (socket: Socket) => void): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    onSocket(socket);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(endpoint), 'listening');
}

/** Somebody who welcomes whoever comes, and answers nothing else. */
async function listenAsCoordinator(
  directory: string,
  then: (socket: Socket) => void = () => {},
): Promise<void> {
  const endpoint = path.join(directory, 'socket');
  writePass(directory, { token: 'any', endpoint });
  await listen(endpoint, (socket) => {
    const result = { build: '1', protocol: 1, peer: 1 };
    socket.write(framesOf({ jsonrpc: '2.0', id: 1, result }));
    then(socket);
  });
}

test('where nobody has ever listened the coordinator is absent', async () => {
  expect(await tryToJoin(temporaryFolder())).toBe('absent');
  expect(await tryToJoin(path.join(temporaryFolder(), 'nowhere'))).toBe('absent');
});

test('a coordinator that closed is absent, and leaves neither socket nor token', async () => {
  const { directory, server } = await serve();
  await server.close();
  expect(await tryToJoin(directory)).toBe('absent');
  expect(existsSync(server.endpoint)).toBe(false);
  expect(existsSync(path.join(directory, 'token'))).toBe(false);
});

test('what each side says of itself reaches the other', async () => {
  const { directory, handler } = await serve();
  const connection = await join(directory, { role: 'worker', name: 'bob', build: '0.9.0' });
  expect(connection).toMatchObject({ peer: 1, build: '1.0.0', protocol: 1 });
  expect(handler.peers).toMatchObject([{ id: 1, role: 'worker', name: 'bob', build: '0.9.0' }]);
});

test('a request that is not answered in time fails, and a late answer disturbs nobody', async () => {
  const open = Promise.withResolvers<string>();
  const { directory } = await serve({ handler: new EchoHandler({ wait: () => open.promise }) });
  const connection = await join(directory);
  const failure = await failureOf(connection.request('wait', [], { timeoutMs: 20 }));
  expect(failure.reason).toEqual({ kind: 'timeout', timeoutMs: 20 });
  open.resolve('late');
  expect(await connection.request('echo', [1])).toEqual([1]);
});

test('requests under way fail at once when this side closes, and so do later ones', async () => {
  const { directory, handler } = await serve({
    handler: new EchoHandler({ wait: async () => await new Promise(() => {}) }),
  });
  const heard = new Notes();
  const connection = await join(directory, { heard });
  const waiting = failureOf(connection.request('wait', []));
  await handler.notes.until('ann wait');
  connection.close();
  connection.close();
  expect((await waiting).reason).toEqual({ kind: 'closed' });
  expect((await failureOf(connection.request('echo', []))).reason).toEqual({ kind: 'closed' });
  await heard.until('closed ours');
  await handler.notes.until('left ann');
  expect(heard.lines).toEqual(['closed ours']);
});

test('a coordinator that closes says goodbye, and requests under way fail', async () => {
  const { directory, handler, server } = await serve({
    handler: new EchoHandler({ wait: async () => await new Promise(() => {}) }),
  });
  const heard = new Notes();
  const connection = await join(directory, { heard });
  const waiting = failureOf(connection.request('wait', []));
  // That we close too does not change who did it first.
  void waiting.then(() => connection.close());
  await handler.notes.until('ann wait');
  await Promise.all([server.close(), server.close()]);
  await server[Symbol.asyncDispose]();
  expect((await waiting).reason).toEqual({ kind: 'closed' });
  await heard.until('closed bye');
  expect(handler.notes.lines.at(-1)).toBe('left ann');
});

test.runIf(isPosix)('requests fail at once though the other side does not let go', async () => {
  const directory = temporaryFolder();
  await listenAsCoordinator(directory);
  const connection = await join(directory, { limits: { lingerMs: 60_000 } });
  const waiting = failureOf(connection.request('wait', [], { timeoutMs: 60_000 }));
  connection.close();
  expect((await waiting).reason).toEqual({ kind: 'closed' });
});

test('a process that asked and closed ends, though it would have waited for long', async () => {
  const { directory } = await serve();
  const child = startScript(`
    import { connectBoard } from ${JSON.stringify(CONNECTION)};
    const { connection } = await connectBoard({
      directory: ${JSON.stringify(directory)},
      role: 'window',
      name: 'ann',
      build: '1.0.0',
      onNotification() {},
      onClosed() {},
    });
    await connection.request('echo', [], { timeoutMs: 60_000 });
    connection.close();`);
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

test('a coordinator closes in bounded time though a peer does not let go', async () => {
  const board = await serve({ limits: { lingerMs: 30 } });
  const peer = await RawPeer.join(board);
  const stranger = await RawPeer.connect(board.server.endpoint);
  peer.socket.pause();
  stranger.socket.pause();
  await board.server.close();
  expect(board.handler.notes.lines).toEqual(['joined raw', 'left raw']);
});

test.runIf(isPosix)(
  'when a coordinator is killed, requests fail at once and the next one takes over',
  async () => {
    const directory = temporaryFolder();
    const child = await serverProcess(directory);
    const heard = new Notes();
    const connection = await join(directory, { heard });
    expect(await connection.request('echo', [1])).toEqual([1]);
    const waiting = Array.from(
      { length: 100 },
      async () => await failureOf(connection.request('never', [], { timeoutMs: 60_000 })),
    );
    child.kill('SIGKILL');
    const failures = await Promise.all(waiting);
    expect(new Set(failures.map(({ reason }) => reason.kind))).toEqual(new Set(['closed']));
    expect(heard.lines).toEqual(['closed lost']);
    // Its socket and its token are still there.
    expect(existsSync(path.join(directory, 'socket'))).toBe(true);
    expect(await tryToJoin(directory)).toBe('absent');
    await serve({ directory });
    expect(await (await join(directory)).request('echo', [2])).toEqual([2]);
  },
);

test.runIf(isPosix)('a coordinator that is stopped answers nobody until it goes on', async () => {
  const directory = temporaryFolder();
  const child = await serverProcess(directory);
  const connection = await join(directory);
  child.kill('SIGSTOP');
  const failure = await failureOf(connection.request('echo', [1], { timeoutMs: 50 }));
  expect(failure.reason.kind).toBe('timeout');
  expect(await tryToJoin(directory, 50)).toBe('unanswered');
  child.kill('SIGCONT');
  expect(await connection.request('echo', [2])).toEqual([2]);
});

test.runIf(isPosix)('a file that is no socket is replaced by whoever listens', async () => {
  const directory = temporaryFolder();
  writeFileSync(path.join(directory, 'socket'), 'left behind');
  await serve({ directory });
  expect(await tryToJoin(directory)).toBe('connected');
});

test.runIf(isPosix)(
  'a coordinator that cannot listen says where, and leaves no token',
  async () => {
    const directory = temporaryFolder();
    mkdirSync(path.join(directory, 'token'));
    await expect(serve({ directory })).rejects.toThrow('Interlock could not listen at');
    mkdirSync(path.join(directory, 'socket'));
    rmdirSync(path.join(directory, 'token'));
    await expect(serve({ directory })).rejects.toThrow('Interlock could not listen at');
    expect(existsSync(path.join(directory, 'token'))).toBe(false);
  },
);

test.runIf(isPosix)('a token that is replaced while somebody connects is read again', async () => {
  const { directory, server } = await serve();
  const current = readPass(directory);
  const former = path.join(directory, 'former');
  await listen(former, (socket) => {
    if (current !== undefined) writePass(directory, current);
    const error = { code: -32_001, message: 'This is not the token of the board.' };
    socket.end(framesOf({ jsonrpc: '2.0', id: 1, error }));
  });
  writePass(directory, { token: 'former', endpoint: former });
  expect(await tryToJoin(directory)).toBe('connected');
  expect(server.endpoint).not.toBe(former);
});

test.runIf(isPosix)('something that listens and is no coordinator is found out', async () => {
  const directory = temporaryFolder();
  const endpoint = path.join(directory, 'socket');
  writePass(directory, { token: 'any', endpoint });
  await listen(endpoint, (socket) =>
    socket.end(framesOf({ jsonrpc: '2.0', id: 1, result: 'hello yourself' })),
  );
  expect(await tryToJoin(directory)).toBe('unreachable');
});

test.runIf(isPosix)('a coordinator that sends what is no frame is left', async () => {
  const directory = temporaryFolder();
  await listenAsCoordinator(directory, (socket) => socket.write('this is no frame'));
  const heard = new Notes();
  const connection = await join(directory, { heard });
  expect((await failureOf(connection.request('echo', []))).reason.kind).toBe('closed');
  await heard.until('closed lost');
});
