import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vsixPath } from '../../scripts/package.mjs';
import { pictureFailures } from '../support/failure-screenshot.ts';
import { welcomeButton, welcomeText } from '../support/workbench-parts.ts';
import { Workbench } from '../support/workbench.ts';

/** An extension with a folder that is on no disk, and has a plan. */
const MANIFEST = {
  name: 'made-up',
  publisher: 'interlock-test',
  version: '1.0.0',
  engines: { vscode: '^1.101.0' },
  main: './extension.js',
  activationEvents: ['onFileSystem:madeup'],
};
const EXTENSION = `const vscode = require('vscode');
const PLAN = 'tasks: { api: { run: echo } }';
const stat = ({ path }) => {
  if (path === '/shop') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  if (path === '/shop/interlock.yaml') return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: PLAN.length };
  throw vscode.FileSystemError.FileNotFound();
};
const refuse = () => { throw vscode.FileSystemError.NoPermissions(); };
exports.activate = () => vscode.workspace.registerFileSystemProvider('madeup', {
  onDidChangeFile: new vscode.EventEmitter().event,
  watch: () => new vscode.Disposable(() => {}),
  stat,
  readDirectory: () => [['interlock.yaml', vscode.FileType.File]],
  readFile: (uri) => { stat(uri); return new TextEncoder().encode(PLAN); },
  createDirectory: refuse, writeFile: refuse, delete: refuse, rename: refuse,
});
`;

let workbench: Workbench;

pictureFailures(() => workbench);

beforeAll(async () => {
  let madeUp = '';
  workbench = await Workbench.launch({
    fixture: 'test/fixtures/empty',
    vsix: vsixPath(),
    afterInstall: (extension) => {
      madeUp = path.join(extension, '..', '..', 'made-up');
      mkdirSync(madeUp);
      writeFileSync(path.join(madeUp, 'package.json'), JSON.stringify(MANIFEST));
      writeFileSync(path.join(madeUp, 'extension.js'), EXTENSION);
    },
    payload: (authority) => [['extensionDevelopmentPath', `vscode-remote://${authority}${madeUp}`]],
  });
  const url = new URL(workbench.page.url());
  url.searchParams.set('folder', 'madeup:/shop');
  await workbench.page.goto(url.href);
  await workbench.reload();
});

afterAll(async () => {
  await workbench.close();
});

test('of a folder that is on no disk, the view says so, and what can be done', async () => {
  await workbench.command('Interlock: Focus on Tasks View');
  await welcomeText(workbench).getByText('is on no disk of this machine').waitFor();
  await welcomeButton(workbench, 'Open Folder').waitFor();
  await workbench.screenshot('virtual');
  await workbench.command('Interlock: New Plan');
  await workbench.notification('Open a folder first');
  const offered = await workbench.paletteRows('Interlock: ');
  expect(offered.filter((row) => /: (Run|Retry|Claim|Resume|Stop)/.test(row))).toEqual([]);
});
