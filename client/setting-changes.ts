import * as vscode from 'vscode';
import { SETTINGS_CHANGED } from '../protocol/initialization.ts';
import { userSettings } from './user-settings.ts';
import type { Part } from './window.ts';

/** Settings that the server has to know. */
const TOLD = ['interlock.userName', 'interlock.hosts'];

/** A changed setting takes effect at once. */
export const settingChanges: Part = ({ context, server }) => {
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (TOLD.some((setting) => change.affectsConfiguration(setting)))
        server.tell(SETTINGS_CHANGED, userSettings());
    }),
  );
  return {};
};
