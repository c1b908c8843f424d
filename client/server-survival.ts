import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOARD_RESUMED, type BoardResumed } from '../protocol/initialization.ts';
import {
  Crashes,
  crashText,
  givenUpText,
  noServerText,
  resumedText,
} from './server-survival-model.ts';
import type { Part, Window } from './window.ts';
import { showWarning } from './show-message.ts';

/** For as long the status bar says what was found after the start. */
const SHOWN_MS = 10_000;

/**
 * Starts a language server that has died again, and says so once. One that dies again and again is
 * left alone until the user wants it.
 */
export const serverSurvival: Part = (window) => {
  const { server } = window;
  const crashes = new Crashes();
  let isCrashToSay = false;
  server.onDied(() => {
    const next = crashes.add(performance.now());
    if (next === 'give-up') {
      isCrashToSay = false;
      void giveUp(window, crashes);
      return;
    }
    isCrashToSay ||= next === 'say';
    void server.start();
  });
  server.onRefused((error) => void sayRefused(error));
  server.on<BoardResumed>(BOARD_RESUMED, (resumed) => {
    window.log.info(`The language server has started. ${resumedText(resumed) ?? 'Nothing ran.'}`);
    if (isCrashToSay) void showMessage(crashText(resumed), SHOW_OUTPUT);
    else sayResumed(resumed);
    isCrashToSay = false;
  });
  return {};
};

interface Action {
  readonly title: () => string;
  readonly command: string;
}

const SHOW_OUTPUT: Action = {
  title: () => l10n.t('Show Output'),
  command: 'interlock.server.showOutput',
};
const SHOW_TASKS: Action = { title: () => l10n.t('Show Tasks'), command: 'interlock.tasks.focus' };
const RESTART: Action = {
  title: () => l10n.t('Restart Server'),
  command: 'interlock.server.restart',
};

async function giveUp({ trouble }: Window, crashes: Crashes): Promise<void> {
  crashes.forget();
  trouble.reportNoServer(noServerText());
  await showMessage(givenUpText(), RESTART, SHOW_OUTPUT);
}

async function sayRefused(error: Error): Promise<void> {
  const text = l10n.t('The language server of Interlock could not start: {0}', error.message);
  await showMessage(text, RESTART, SHOW_OUTPUT);
}

function sayResumed(resumed: BoardResumed): void {
  const text = resumedText(resumed);
  if (text === undefined) return;
  if (resumed.lostCount > 0) void showMessage(`${text}.`, SHOW_TASKS);
  else vscode.window.setStatusBarMessage(`$(debug-continue) ${text}`, SHOWN_MS);
}

async function showMessage(text: string, ...actions: readonly Action[]): Promise<void> {
  const chosen = await showWarning(text, ...actions.map(({ title }) => title()));
  const action = actions.find(({ title }) => title() === chosen);
  if (action !== undefined) await vscode.commands.executeCommand(action.command);
}
