#!/usr/bin/env node
// Stands in for the `code` program that @vscode/test-electron starts, on machines without a desktop
// VS Code: the same flags, the same extension host, the workbench in a headless browser.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Workbench } from '../../support/workbench.ts';

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { extensionDevelopmentPath: { type: 'string' }, extensionTestsPath: { type: 'string' } },
});
const finished = Promise.withResolvers<number>();
const workbench = await Workbench.launch({
  fixture: positionals[0] ?? '.',
  payload: (authority) => [
    [
      'extensionDevelopmentPath',
      `vscode-remote://${authority}${String(values.extensionDevelopmentPath)}`,
    ],
    ['extensionTestsPath', `vscode-remote://${authority}${String(values.extensionTestsPath)}`],
  ],
  exposed: {
    codeAutomationExit: (code) => finished.resolve(Number(code)),
    codeAutomationLog: (type, words) => {
      if (process.env['INTERLOCK_HOST_LOG'] !== undefined)
        console.error(`[host ${String(type)}]`, words);
    },
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => finished.resolve(130));
workbench.page.on('crash', () => finished.resolve(1));
const code = await finished.promise;
await workbench.close();
process.exit(code);
