import { expect, test } from 'vitest';
import * as vscode from 'vscode';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const extension = vscode.extensions.getExtension('interlock.interlock');

test('opening a folder with a plan activates the extension', async () => {
  await extension?.activate();
  expect(extension?.isActive).toBe(true);
});

test('every command of the manifest is registered', async () => {
  await extension?.activate();
  const manifest: { contributes: { commands: { command: string }[] } } = JSON.parse(
    readFileSync(path.join(extension?.extensionPath ?? '', 'package.json'), 'utf8'),
  );
  const declared = manifest.contributes.commands.map(({ command }) => command);
  const registered = new Set(await vscode.commands.getCommands(true));
  expect(declared.length).toBeGreaterThan(0);
  expect(declared.filter((command) => !registered.has(command))).toEqual([]);
});
