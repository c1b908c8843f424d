import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { hookIn, writing } from '../support/agent-hook.ts';
import { cli, SERVER } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { stdioClient } from '../support/stdio-client.ts';

const PLAN = 'tasks:\n  a: { run: "true" }\n  b: { rum: x }\n';

/** What may have the name of a file, and is never to be opened, or never read to its end. */
const THINGS: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a link to a device without an end': (file) => symlinkSync('/dev/zero', file),
  'a folder': (file) => mkdirSync(file),
  'a huge file': (file) => {
    writeFileSync(file, '');
    truncateSync(file, 8 * 2 ** 30);
  },
};

const HOSTILE = process.platform === 'win32' ? [] : Object.entries(THINGS);

const PLACES: readonly string[] = [
  '.git',
  'git/commondir',
  'kanban/config.yml',
  '.vscode/tasks.json',
  'other.interlock.yaml',
  '.gitignore',
  'package.json',
];

/** A folder as it may come from anywhere. */
function folderWith(put: (file: string) => void): string {
  const folder = projectWith(PLAN);
  for (const place of PLACES) {
    const file = path.join(folder, place);
    mkdirSync(path.dirname(file), { recursive: true });
    put(file);
  }
  return folder;
}

test.for(HOSTILE)(
  'commands end where %s has the name of each file that is looked for',
  async ([, put]) => {
    const folder = folderWith(put);
    const ends = await Promise.all([
      cli(['status'], folder),
      cli(['where'], folder),
      cli(['check'], folder),
      hookIn(folder, writing('src/a.ts')),
    ]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, expect.any(Number), 0]);
    expect(ends[2].out + ends[2].err).toContain('rum');
  },
);

test.for(HOSTILE)('commands end where .git leads to %s', async ([, put]) => {
  const folder = folderWith(put);
  rmSync(path.join(folder, '.git'), { recursive: true });
  writeFileSync(path.join(folder, '.git'), 'gitdir: git\n');
  const ends = await Promise.all([cli(['status'], folder), cli(['where'], folder)]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
});

test.for(HOSTILE)('a language server that opens a folder with %s goes on', async ([, put]) => {
  const folder = folderWith(put);
  const client = stdioClient(SERVER, { INTERLOCK_STATE_DIR: path.join(folder, '.state') });
  await client.start(folder);
  const uri = pathToFileURL(path.join(folder, 'interlock.yaml')).href;
  await client.until(() => client.diagnostics.get(uri)?.length === 1);
  expect(client.view('a')).toMatchObject({ id: 'a' });
});
