import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  EXPLAIN_TASK,
  type FilesAnswer,
  type FilesAsked,
  FIND_OWNERS,
  type TaskAnswer,
} from '../../protocol/agents.ts';
import { LIST_TASKS, RUN_TASKS, type RunReply, type TaskView } from '../../protocol/tasks.ts';
import { savePlans } from '../commands/task-commands.ts';
import { namesOf } from '../task-list.ts';
import type { Part, Window } from '../window.ts';
import { chooseTasks, ownersText, runsOf, statusText } from './language-model-tools-model.ts';

/** What the chat of the editor may ask of Interlock; what it changes, the user confirms. */
export const languageModelTools: Part = (window) => {
  window.context.subscriptions.push(
    register<{ states?: readonly string[] }>('interlock_get_status', {
      answer: async ({ states }) => statusText(await allTasks(window), states),
      prepare: () => ({ invocationMessage: l10n.t('Looking at the tasks') }),
    }),
    register<{ task: string }>('interlock_explain_task', {
      answer: async ({ task }) => await explain(window, task),
      prepare: ({ task }) => ({
        invocationMessage: l10n.t('Looking what is in the way of {0}', task),
      }),
    }),
    register<{ paths: readonly string[] }>('interlock_find_owners', {
      answer: async ({ paths }) => await findOwners(window, paths),
      prepare: ({ paths }) => ({
        invocationMessage: l10n.t('Looking who writes {0}', paths.join(', ')),
      }),
    }),
    register<{ tasks: readonly string[] }>('interlock_run_tasks', {
      answer: async ({ tasks }) => await run(window, tasks),
      prepare: ({ tasks }) => ({
        invocationMessage: l10n.t('Running {0}', tasks.join(', ')),
        confirmationMessages: {
          title: l10n.t('Run Interlock tasks'),
          message: l10n.t('Run {0}, and everything that they need?', tasks.join(', ')),
        },
      }),
    }),
  );
  return {};
};

interface Tool<Input> {
  /** For the model. */
  readonly answer: (input: Input) => Promise<string> | string;
  readonly prepare: (input: Input) => vscode.PreparedToolInvocation;
}

function register<Input>(name: string, { answer, prepare }: Tool<Input>): vscode.Disposable {
  return vscode.lm.registerTool<Input>(name, {
    invoke: async ({ input }) => {
      const text = await answer(input);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
    prepareInvocation: ({ input }) => prepare(input),
  });
}

/** A model may ask before the views have been told of anything. */
async function allTasks({ server }: Window): Promise<readonly TaskView[]> {
  return await server.ask<readonly TaskView[]>(LIST_TASKS, {});
}

async function explain(window: Window, name: string): Promise<string> {
  const { server } = window;
  const chosen = chooseTasks(await allTasks(window), [name]);
  if (chosen.kind === 'unknown') return chosen.message;
  const said: string[] = [];
  for (const view of chosen.views) {
    const { sentences } = await server.ask<TaskAnswer>(EXPLAIN_TASK, namesOf(view));
    said.push(...sentences);
  }
  return said.join('\n');
}

async function findOwners({ server }: Window, paths: readonly string[]): Promise<string> {
  const params: FilesAsked = { uris: paths.map((path) => uriOf(path).toString()) };
  const { files } = await server.ask<FilesAnswer>(FIND_OWNERS, params);
  return ownersText(paths, files);
}

/** Absolute, or from the first folder that is open. */
function uriOf(path: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  return isAbsolute || folder === undefined
    ? vscode.Uri.file(path)
    : vscode.Uri.joinPath(folder.uri, path);
}

async function run(window: Window, names: readonly string[]): Promise<string> {
  const { server } = window;
  if (!vscode.workspace.isTrusted) return l10n.t('Nothing runs until the user trusts this folder.');
  const chosen = chooseTasks(await allTasks(window), names);
  if (chosen.kind === 'unknown') return chosen.message;
  await savePlans();
  const said: string[] = [];
  for (const params of runsOf(chosen.views)) {
    const reply = await server.ask<RunReply>(RUN_TASKS, params);
    if (reply.kind === 'refused') said.push(reply.message);
    else
      said.push(l10n.t('The run of {0} has begun.', params.ids.join(', ')), ...notRunning(reply));
  }
  return said.join('\n');
}

function notRunning(reply: Extract<RunReply, { kind: 'accepted' }>): readonly string[] {
  return [
    ...reply.refusedPlans.map(({ message }) => message),
    ...reply.leftOut.map(({ id, why }) => l10n.t('{0} was left out: {1}', id, why)),
  ];
}
