import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Part } from '../window.ts';

export const serverCommands: Part = ({ server, log }) => ({
  'interlock.server.restart': async () => {
    await server.restart();
    if (server.isRunning)
      vscode.window.setStatusBarMessage(l10n.t('The server was restarted.'), NOTICE_MS);
  },
  'interlock.server.showOutput': () => log.show(),
});

const NOTICE_MS = 5000;
