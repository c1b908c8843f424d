import * as vscode from 'vscode';
import type { OpenTerminal } from '../protocol/terminals.ts';
import { keyOfTerminal, terminalKey, terminalLaunch } from './terminal-model.ts';

/** Opens the terminal of a task. An earlier one of it has nothing more to say. */
export function openTerminal(
  context: vscode.ExtensionContext,
  task: OpenTerminal,
): vscode.Terminal {
  for (const terminal of terminalsOf(terminalKey(task))) terminal.dispose();
  const launch = terminalLaunch(task, {
    program: process.execPath,
    script: context.asAbsolutePath('dist/cli.js'),
    stateDir: process.env['INTERLOCK_STATE_DIR'],
  });
  return vscode.window.createTerminal({
    ...launch,
    cwd: vscode.Uri.file(task.board),
    iconPath: new vscode.ThemeIcon('play-circle'),
    color: new vscode.ThemeColor('terminal.ansiCyan'),
  });
}

/** Those of a task, also when the window was reloaded since they were opened. */
export function terminalsOf(key: string): readonly vscode.Terminal[] {
  return vscode.window.terminals.filter((one) => keyOfTerminal(one.creationOptions) === key);
}
