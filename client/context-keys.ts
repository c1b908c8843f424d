import * as vscode from 'vscode';
import { ACTIVE } from './views/task-tree-model.ts';
import type { Part } from './window.ts';

/** Keeps what `when` clauses ask about: all that begins with `interlock.` there. */
export const keepContextKeys: Part = ({ tasks, runs, workers }) => {
  const sent = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (sent.get(key) === value) return;
    sent.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const look = (): void => {
    set('interlock.hasTasks', tasks.size > 0);
    set('interlock.isRunning', tasks.count(...ACTIVE) > 0);
    set('interlock.hasPending', tasks.count('waiting', 'ready') > 0);
    set('interlock.hasRetryable', tasks.count('failed', 'cancelled', 'skipped', 'attention') > 0);
    set('interlock.isAsked', tasks.count('attention') > 0);
    set('interlock.needsUser', tasks.needing > 0);
    set('interlock.hasPausedTasks', tasks.paused > 0);
    const { live } = runs;
    set(
      'interlock.isPaused',
      live.some(({ status }) => status === 'paused'),
    );
    set(
      'interlock.canPause',
      live.some(({ status }) => status === 'active'),
    );
  };
  tasks.onChange(look);
  runs.onChange(look);
  workers.onChange(() => {
    set('interlock.hasWorkers', workers.all.length > 0);
    set(
      'interlock.hasHosts',
      workers.all.some(({ kind }) => kind === 'host'),
    );
    set('interlock.hasClaims', workers.ownTasks.size > 0);
  });
  return {};
};
