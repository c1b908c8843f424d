import type * as vscode from 'vscode';
import type { BoardTrouble } from './board-trouble.ts';
import type { CommandHandler } from './commands/registry.ts';
import type { PlanList } from './plan-list.ts';
import type { ServerProcess } from './server-process.ts';
import type { TaskList } from './task-list.ts';

/** What every part of the extension may use in one window of the editor. */
export interface Window {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly server: ServerProcess;
  readonly tasks: TaskList;
  readonly plans: PlanList;
  readonly trouble: BoardTrouble;
}

/**
 * One thing that people see or do: it says what it adds to the window, and knows no other part. What
 * has to be let go of when the window closes goes into `context.subscriptions`.
 */
export type Part = (window: Window) => Readonly<Record<string, CommandHandler>>;
