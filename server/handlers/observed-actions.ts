import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  type Diagnostic,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver';
import type { BoardTask } from '../board/board-task.ts';
import { sentenceOf } from '../board/board.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import { declareFixes } from '../language/fixes/declare-fixes.ts';
import { vocabularyOf } from '../language/vocabulary.ts';
import { toAction } from './code-actions.ts';
import type { Folder } from './folder.ts';
import { type ObservedData, readObservedData } from './observed-diagnostics.ts';
import type { Workspace } from './workspace.ts';

/** What a person says of files that changed while a task ran. */
export const DISMISS_COMMANDS = ['interlock.writes.mine', 'interlock.writes.ignore'] as const;

/** The quick fixes for files that changed while a task ran, in its plan and in the files themselves. */
export function registerObservedActions(connection: Connection, workspace: Workspace): void {
  workspace.fixes.push((uri, diagnostics) =>
    diagnostics
      .filter(({ source, code }) => source === 'interlock' && code === 'undeclared-write')
      .flatMap((diagnostic) => actionsFor(uri, diagnostic, workspace)),
  );
  for (const command of DISMISS_COMMANDS)
    workspace.commands.set(command, ([argument]) => {
      const data = readObservedData(argument);
      if (data === undefined) return;
      void dismiss(data, { workspace, isForAll: command === 'interlock.writes.ignore' })
        .catch((error: unknown) => sentenceOf(error))
        .then((refusal) => refusal !== undefined && tell(connection, refusal));
    });
}

function tell(connection: Connection, message: string): void {
  void connection.sendNotification(ShowMessageNotification.type, {
    type: MessageType.Warning,
    message,
  });
}

function actionsFor(uri: string, diagnostic: Diagnostic, workspace: Workspace): CodeAction[] {
  const data = readObservedData(diagnostic.data);
  const found = data === undefined ? undefined : openPaths(data, workspace);
  if (data === undefined || found === undefined || found.paths.length === 0) return [];
  const { paths } = found;
  const [mine, ignore] =
    paths.length === 1
      ? ['It was me', 'Ignore this path']
      : [`It was me (${paths.length} files)`, `Ignore these ${paths.length} paths`];
  const about = { kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] };
  // At the plan itself its own quick fixes offer that.
  const isInPlan = found.folder.board.plans.planOf(pathIn(found.folder, uri)) !== undefined;
  return [
    ...(isInPlan ? [] : declaring(data, found, workspace)).map((action) => ({
      ...action,
      ...about,
    })),
    {
      ...about,
      title: mine,
      command: { title: mine, command: DISMISS_COMMANDS[0], arguments: [data] },
    },
    {
      ...about,
      title: ignore,
      command: { title: ignore, command: DISMISS_COMMANDS[1], arguments: [data] },
    },
  ];
}

function pathIn({ uri: folderUri }: Folder, uri: string): string {
  return uri.startsWith(`${folderUri}/`) ? uri.slice(folderUri.length + 1) : '';
}

function declaring(
  { plan, task }: ObservedData,
  { folder, paths }: OpenPaths,
  workspace: Workspace,
): CodeAction[] {
  const document = workspace.yamlAt(folder.uriOf(plan));
  const words = document && vocabularyOf(document.plan, document.file);
  if (document === undefined || words === undefined) return [];
  const place = { tree: document.tree(), words, folder: folder.board.folderInTree };
  return declareFixes({ task, paths }, place).map((fix) => toAction(fix, document, workspace));
}

async function dismiss(
  data: ObservedData,
  { workspace, isForAll }: { readonly workspace: Workspace; readonly isForAll: boolean },
): Promise<string | undefined> {
  const found = openPaths(data, workspace);
  if (found === undefined || found.paths.length === 0) return undefined;
  const { board } = found.folder;
  const run = board.table.recordOf(data.plan, data.task)?.run;
  if (run === undefined) return undefined;
  const { tree } = board;
  const named = isForAll
    ? [{ run, task: found.task, paths: found.paths }]
    : namedFor(found, { run, task: found.task, unclear: found.unclear });
  for (const { paths, ...of } of named) {
    const refusal = await board.control({ kind: 'dismiss-writes', tree, paths, of, isForAll });
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

type Unclear = NonNullable<BoardTask['observed']>['unclear'];

interface Named {
  readonly run: RunId;
  readonly task: TaskId;
}

/** A change that one of several tasks may have made is explained for all of them. */
function namedFor(
  { paths }: Pick<OpenPaths, 'paths'>,
  { unclear, ...asked }: Named & Pick<OpenPaths, 'unclear'>,
): readonly (Named & { readonly paths: readonly string[] })[] {
  const found = new Map<string, Named & { readonly paths: string[] }>();
  for (const path of paths)
    for (const { run, task } of [asked, ...(unclear.get(path) ?? [])]) {
      const key = `${run} ${task}`;
      const known = found.get(key) ?? { run, task, paths: [] };
      found.set(key, known);
      if (!known.paths.includes(path)) known.paths.push(path);
    }
  return [...found.values()];
}

interface OpenPaths {
  readonly folder: Folder;
  readonly task: TaskId;
  /** From the top of the working tree. */
  readonly paths: readonly string[];
  /** Paths that any of these tasks may have written. */
  readonly unclear: Unclear;
}

/** The files that are still to be explained, or the one of them that the problem is about. */
function openPaths(
  { folderUri, plan, task, path }: ObservedData,
  workspace: Workspace,
): OpenPaths | undefined {
  const folder = workspace.get(folderUri);
  const row = folder?.board.table.get(plan, task);
  if (folder === undefined || row === undefined) return undefined;
  const problems = [...folder.board.observedProblems([row]).inPlans.values()].flat();
  const open = problems
    .filter(({ code }) => code === 'undeclared-write')
    .flatMap(({ paths }) => paths);
  const paths = [...new Set(open)].filter((one) => path === undefined || one === path);
  return { folder, task: row.task.id, paths, unclear: row.observed?.unclear ?? new Map() };
}
