import * as vscode from 'vscode';
import { isAnythingActive } from './views/task-tree-model.ts';
import type { Part } from './window.ts';

/**
 * Keeps what `when` clauses ask about: `interlock.hasTasks`, `interlock.isRunning`, `interlock.hasWorkers`,
 * and `interlock.hasClaims` where the person of this window has a task.
 */
export const keepContextKeys: Part = ({ tasks, workers }) => {
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
  workers.onChange(() => {
    const own = workers.all.filter(({ isYou }) => isYou).flatMap(({ holds }) => holds);
    set('interlock.hasWorkers', workers.all.length > 0);
    set(
      'interlock.hasClaims',
      own.some(({ what }) => what === 'task'),
    );
  });
  return {};
};
