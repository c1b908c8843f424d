import path from 'node:path';
import { expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { ROOT, startProgram } from '../support/command.ts';
import { projectCopy } from '../support/project-copy.ts';
import { namesInZip } from '../support/zip.ts';

const WITHOUT_SQLITE = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/NOTICES.txt',
  'extension/dist/agent-command-line.js',
  'extension/dist/cli.js',
  'extension/dist/command-line.js',
  'extension/dist/extension.js',
  'extension/dist/hook.js',
  'extension/dist/language-server.js',
  'extension/dist/picture.js',
  'extension/dist/server.js',
  'extension/l10n/bundle.l10n.de.json',
  'extension/l10n/bundle.l10n.json',
  'extension/examples/.gitignore',
  'extension/examples/interlock.yaml',
  'extension/examples/out/.gitignore',
  'extension/media/icon.png',
  'extension/media/interlock.svg',
  'extension/media/plan-dark.svg',
  'extension/media/plan-light.svg',
  ...['folder', 'hazard', 'look', 'plan', 'run'].map(
    (name) => `extension/media/walkthrough/${name}.svg`,
  ),
  'extension/package.json',
  'extension/package.nls.de.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/syntaxes/interlock.tmLanguage.json',
  'extension/syntaxes/kanban-task.tmLanguage.json',
  'extension/syntaxes/language-configuration.json',
];

const PLATFORMS = ['darwin', 'linux', 'linuxmusl', 'win32'];

function sorted(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}

test('the package has what runs and nothing else, with SQLite for every platform', () => {
  const sqlite = PLATFORMS.flatMap((platform) =>
    ['x64', 'arm64'].map((arch) => `extension/prebuilds/${platform}-${arch}.node`),
  );
  expect(sorted(namesInZip(vsixPath()))).toEqual(sorted([...WITHOUT_SQLITE, ...sqlite]));
});

test('a package for one platform has the SQLite of that platform only', async () => {
  const copy = projectCopy();
  const script = path.join(copy, 'scripts', 'package.mjs');
  const { code } = await startProgram(process.execPath, [script, '--target', 'linux-x64'], {
    cwd: copy,
  }).ended;
  expect(code).toBe(0);
  const vsix = path.join(copy, 'dist', path.basename(vsixPath('linux-x64')));
  expect(sorted(namesInZip(vsix))).toEqual(
    sorted([...WITHOUT_SQLITE, 'extension/prebuilds/linux-x64.node']),
  );
});

test('a platform without SQLite is refused with the ones that have it', async () => {
  const copy = projectCopy();
  const script = path.join(copy, 'scripts', 'package.mjs');
  const { code, err } = await startProgram(process.execPath, [script, '--target', 'linux-armhf'], {
    cwd: copy,
  }).ended;
  expect(code).toBe(1);
  expect(err).toContain('There is no SQLite for "linux-armhf". There is one for: darwin-arm64,');
});

test('the packaged product and the source tree are of the same version', () => {
  expect(path.relative(ROOT, vsixPath())).toMatch(/^dist.interlock-\d+\.\d+\.\d+\.vsix$/);
});
