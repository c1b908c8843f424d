import * as vscode from 'vscode';
import { sayFailure } from './say-failure.ts';

/** A command's work. Its arguments are what the menu it was chosen from passes, if anything. */
export type CommandHandler = (...args: readonly unknown[]) => Promise<void> | void;

/** The palette and every menu end here; a failure is shown once and never lost. */
export function registerCommands(
  handlers: Readonly<Record<string, CommandHandler>>,
): readonly vscode.Disposable[] {
  return Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      try {
        await handler(...args);
      } catch (error) {
        sayFailure(error);
      }
    }),
  );
}
