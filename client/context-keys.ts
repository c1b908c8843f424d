import * as vscode from 'vscode';
import { isAnythingActive } from './views/task-tree-model.ts';
import type { Part } from './window.ts';

/** Keeps what `when` clauses ask about: `interlock.hasTasks` and `interlock.isRunning`. */
export const keepContextKeys: Part = ({ tasks }) => {
  const sent = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (sent.get(key) === value) return;
    sent.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  tasks.onChange(() => {
    set('interlock.hasTasks', tasks.all.length > 0);
    set('interlock.isRunning', isAnythingActive(tasks.all));
  });
  return {};
};
