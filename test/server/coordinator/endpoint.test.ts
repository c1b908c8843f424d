import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  chooseEndpoint,
  makeEndpointDirectory,
  requirePrivate,
} from '../../../server/coordinator/endpoint.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { join, serve } from './echo-board.ts';

const hasModes = process.platform !== 'win32';
const LINUX = { platform: 'linux', temporary: '/tmp', user: '1000' } as const;
const MAC = { platform: 'darwin', temporary: '/tmp', user: '501' } as const;
const WINDOWS = { platform: 'win32', temporary: String.raw`C:\Temp`, user: '' } as const;

/** A directory of which the socket's path has so many bytes. */
function directoryOf(socketBytes: number, letter = 'd'): string {
  const bytes = socketBytes - Buffer.byteLength('//socket');
  return `/${letter.repeat(bytes / Buffer.byteLength(letter))}`;
}

test('the socket lies in the directory of the board', () => {
  expect(chooseEndpoint('/state/board', 'token', LINUX)).toBe('/state/board/socket');
});

for (const [place, most] of [
  [LINUX, 107],
  [MAC, 103],
] as const) {
  test(`on ${place.platform} a path of ${most} bytes fits, and of one more it does not`, () => {
    const fits = directoryOf(most);
    expect(chooseEndpoint(fits, 'token', place)).toBe(`${fits}/socket`);
    expect(chooseEndpoint(directoryOf(most + 1), 'token', place)).toMatch(
      new RegExp(`^/tmp/interlock-${place.user}/[0-9a-f]{16}$`),
    );
  });
}

test('the length of a path is counted in bytes', () => {
  expect(chooseEndpoint(directoryOf(108, 'ä'), 'token', LINUX)).toMatch(/^\/tmp\//);
});

test('two boards with long paths have two sockets, and one board the same one each time', () => {
  const [one, two] = [directoryOf(200, 'a'), directoryOf(200, 'b')];
  const sockets = [one, two, one].map((directory) => chooseEndpoint(directory, 'token', LINUX));
  expect(sockets[0]).toBe(sockets[2]);
  expect(sockets[0]).not.toBe(sockets[1]);
});

test('where no path is short enough the user is told what to do', () => {
  const place = { ...LINUX, temporary: directoryOf(200) };
  expect(() => chooseEndpoint(directoryOf(200), 'token', place)).toThrow(
    'INTERLOCK_STATE_DIR or TMPDIR',
  );
});

test('the name of a pipe on Windows follows from the directory and the token', () => {
  const names = [
    chooseEndpoint('C:\\a', 'token', WINDOWS),
    chooseEndpoint('C:\\b', 'token', WINDOWS),
    chooseEndpoint('C:\\a', 'other', WINDOWS),
  ];
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^\\\\\.\\pipe\\interlock-[0-9a-f]{32}$/);
});

test.runIf(hasModes)('a directory for sockets is made for its user only, and used again', () => {
  const directory = path.join(temporaryFolder(), 'sockets');
  makeEndpointDirectory(path.join(directory, 'one'));
  makeEndpointDirectory(path.join(directory, 'two'));
  expect((statSync(directory).mode & 0o777).toString(8)).toBe('700');
});

test.runIf(hasModes)('a directory for sockets that others may enter is refused', () => {
  const directory = path.join(temporaryFolder(), 'sockets');
  mkdirSync(directory);
  chmodSync(directory, 0o711);
  expect(() => makeEndpointDirectory(path.join(directory, 'one'))).toThrow('yours alone');
});

test.runIf(hasModes)('a directory for sockets that is a link is refused', () => {
  const directory = temporaryFolder();
  symlinkSync(temporaryFolder(), path.join(directory, 'link'));
  expect(() => makeEndpointDirectory(path.join(directory, 'link', 'one'))).toThrow('yours alone');
});

test.runIf(hasModes)('a directory of somebody else is refused', () => {
  const directory = temporaryFolder();
  const user = process.getuid?.() ?? 0;
  const spy = vi.spyOn(process, 'getuid').mockReturnValue(user + 1);
  expect(() => requirePrivate(directory)).toThrow('yours alone');
  spy.mockRestore();
  expect(() => requirePrivate(directory)).not.toThrow();
});

test.runIf(hasModes)('a board with a long path is listened for and found', async () => {
  const directory = path.join(temporaryFolder(), 'd'.repeat(100));
  mkdirSync(directory, { mode: 0o700 });
  const { server } = await serve({ directory });
  expect(server.endpoint).not.toContain(directory);
  expect(await (await join(directory)).request('echo', [1])).toEqual([1]);
});

test.runIf(hasModes)('it is found by whoever has another temporary directory', async () => {
  const directory = path.join(temporaryFolder(), 'd'.repeat(100));
  mkdirSync(directory, { mode: 0o700 });
  await serve({ directory });
  vi.stubEnv('TMPDIR', temporaryFolder());
  const connection = await join(directory);
  vi.unstubAllEnvs();
  expect(await connection.request('echo', [1])).toEqual([1]);
});

test.runIf(hasModes)(
  'where a cleaner removed the directory of sockets nobody listens',
  async () => {
    const temporary = temporaryFolder();
    const directory = path.join(temporaryFolder(), 'd'.repeat(100));
    mkdirSync(directory, { mode: 0o700 });
    vi.stubEnv('TMPDIR', temporary);
    await serve({ directory });
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true });
    await expect(join(directory)).rejects.toThrow('absent');
  },
);

test.runIf(hasModes)(
  'a socket elsewhere makes the directory of the board no less private',
  async () => {
    const directory = path.join(temporaryFolder(), 'd'.repeat(100));
    mkdirSync(directory, { mode: 0o700 });
    const { server } = await serve({ directory });
    chmodSync(directory, 0o755);
    await expect(join(directory)).rejects.toThrow('unsafe');
    await server.close();
    await expect(serve({ directory })).rejects.toThrow('yours alone');
  },
);
