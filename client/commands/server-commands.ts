import * as l10n from '@vscode/l10n';
import { showBriefly } from '../show-message.ts';
import type { Part } from '../window.ts';

export const serverCommands: Part = ({ server, log }) => ({
  'interlock.server.restart': async () => {
    await server.restart();
    if (server.isRunning) showBriefly(l10n.t('The server was restarted.'));
  },
  'interlock.server.showOutput': () => log.show(),
});
