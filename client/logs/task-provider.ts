import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { LIST_TASKS, type TaskKey, type TaskView } from '../../protocol/tasks.ts';
import type { ServerProcess } from '../server-process.ts';
import type { LogReaders } from './log-readers.ts';
import {
  namedTask,
  type OfferedTask,
  offeredTasks,
  type TaskNames,
} from './task-provider-model.ts';
import { TaskRunTerminal } from './task-run-terminal.ts';

export const TASK_TYPE = 'interlock';

type Scope = vscode.WorkspaceFolder | vscode.TaskScope;

/** The tasks of plans as tasks of the editor: for `Tasks: Run Task`, `dependsOn` and `preLaunchTask`. */
export class PlanTasks implements vscode.TaskProvider {
  readonly #server: ServerProcess;
  readonly #readers: LogReaders;

  constructor(server: ServerProcess, readers: LogReaders) {
    this.#server = server;
    this.#readers = readers;
  }

  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return [];
    // Without a server there is nothing to offer; the Tasks view says why, and what to do.
    const views = await this.#views().catch(() => []);
    return offeredTasks(views).flatMap((offered) => {
      const folder = folderOf(offered.view);
      return folder === undefined ? [] : [this.#offer(offered, folder)];
    });
  }

  /** One that a tasks.json names; it need not exist, and is looked for when it is run. */
  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const names = readNames(task.definition);
    if (names === undefined) return undefined;
    const scope = task.scope ?? vscode.TaskScope.Workspace;
    const find = async (): Promise<TaskKey | string> => this.#find(names, scope);
    return this.#taskOf({ definition: task.definition, scope, name: task.name }, find);
  }

  #offer({ view, label, group, task, plan }: OfferedTask, scope: Scope): vscode.Task {
    const definition = { type: TASK_TYPE, task, ...(plan !== undefined && { plan }) };
    const offered = this.#taskOf({ definition, scope, name: label }, async () => view);
    offered.detail = view.title;
    if (group === 'build') offered.group = vscode.TaskGroup.Build;
    if (group === 'test') offered.group = vscode.TaskGroup.Test;
    return offered;
  }

  #taskOf(
    { definition, scope, name }: { definition: vscode.TaskDefinition; scope: Scope; name: string },
    find: () => Promise<TaskKey | string>,
  ): vscode.Task {
    const [server, readers] = [this.#server, this.#readers];
    const execution = new vscode.CustomExecution(async () =>
      Promise.resolve(new TaskRunTerminal({ server, readers, find })),
    );
    // With no matchers, and not none said: nobody is asked which ones to use.
    return new vscode.Task(definition, scope, name, 'Interlock', execution, []);
  }

  async #find(names: TaskNames, scope: Scope): Promise<TaskKey | string> {
    const views = await this.#views();
    const folders = typeof scope === 'object' ? [scope] : (vscode.workspace.workspaceFolders ?? []);
    const found = folders.flatMap(({ uri }) => namedTask(views, uri.toString(), names) ?? []);
    const [first] = found;
    if (first !== undefined && found.length === 1) return first;
    const { task, plan } = names;
    return plan === undefined
      ? l10n.t('No plan has a task "{0}", or several have: say which one with "plan".', task)
      : l10n.t('There is no task "{0}" in {1}.', task, plan);
  }

  async #views(): Promise<readonly TaskView[]> {
    return await this.#server.ask<readonly TaskView[]>(LIST_TASKS, {});
  }
}

function folderOf({ folderUri }: TaskView): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.toString() === folderUri);
}

function readNames({ task, plan }: vscode.TaskDefinition): TaskNames | undefined {
  if (typeof task !== 'string') return undefined;
  return typeof plan === 'string' ? { task, plan } : { task };
}
