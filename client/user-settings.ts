import * as vscode from 'vscode';
import type { ClientSettings } from '../protocol/initialization.ts';
import type { NoticeSetting } from './notices-model.ts';

/** What of the settings the server has to know, as it is now. */
export function userSettings(): ClientSettings {
  const settings = vscode.workspace.getConfiguration('interlock');
  const userName = settings.get<string>('userName', '').trim();
  const hosts = settings.get<unknown>('hosts', {});
  return { hosts, ...(userName !== '' && { userName }) };
}

/** Which messages come by themselves. */
export function noticeSetting(): NoticeSetting {
  return vscode.workspace.getConfiguration('interlock').get<NoticeSetting>('notifications', 'all');
}
