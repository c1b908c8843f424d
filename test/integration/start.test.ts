import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningProgram, startProgram } from '../support/command.ts';
import { projectCopy } from '../support/project-copy.ts';

/** The PATH without any editor on it: this Node.js, and what a shell needs. */
const BARE_PATH = [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);

function start(copy: string, env: NodeJS.ProcessEnv): RunningProgram {
  const script = path.join(copy, 'scripts', 'start.mjs');
  const own = { PATH: BARE_PATH, INTERLOCK_STATE_DIR: path.join(copy, '.state'), ...env };
  const running = startProgram(process.execPath, [script], { cwd: copy, env: own });
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
  });
  return running;
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function accepts(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = net.connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Every process of this machine that has a folder on its command line; only Linux tells. */
function processesOf(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return words.includes(folder) ? [words] : [];
      } catch {
        return [];
      }
    });
}

test('without an editor it serves VS Code on loopback only, and Ctrl-C leaves no process', async () => {
  const copy = projectCopy();
  const port = await freePort();
  const running = start(copy, { INTERLOCK_PORT: String(port) });
  await running.says('Ctrl-C stops it.');
  const url = /Open (http:\S+)/.exec(running.output())?.[1] ?? '';
  expect(url).toContain(`http://127.0.0.1:${port}/?`);
  expect(new URL(url).searchParams.get('folder')).toBe(path.join(copy, 'examples'));
  // It answers with a cookie, and with a URL that no longer shows the token.
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(302);
  // Whoever does not know the URL gets nothing, so other users of this machine stay out.
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(403);
  const outside = Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal);
  const open = await Promise.all(outside.map(async ({ address }) => accepts(address, port)));
  expect(open).not.toContain(true);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
  expect(processesOf(copy)).toEqual([]);
});

test('a port that is taken is said by its number', async () => {
  const copy = projectCopy();
  const port = await freePort();
  const other = net.createServer();
  await new Promise<void>((resolve) => {
    other.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => void other.close());
  const { code, err } = await start(copy, { INTERLOCK_PORT: String(port) }).ended;
  expect(code).toBe(1);
  expect(err).toContain(`Port ${port} is in use. Choose another with INTERLOCK_PORT.`);
});

test('a VS Code on PATH gets the extension and opens the examples', async () => {
  const copy = projectCopy();
  const bin = path.join(copy, 'fake-bin');
  mkdirSync(bin);
  const code = path.join(bin, 'codium');
  writeFileSync(code, `#!/bin/sh\necho "$@" >> ${path.join(bin, 'calls')}\n`);
  chmodSync(code, 0o755);
  const ended = await start(copy, { PATH: `${bin}${path.delimiter}${BARE_PATH}` }).ended;
  expect(ended.code).toBe(0);
  const vsix = path.join(copy, 'dist', 'interlock-0.1.0.vsix');
  expect(readFileSync(path.join(bin, 'calls'), 'utf8')).toBe(
    `--version\n--install-extension ${vsix} --force\n${path.join(copy, 'examples')}\n`,
  );
});
