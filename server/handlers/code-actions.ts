import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Command,
} from 'vscode-languageserver';
import { declareFixes } from '../language/fixes/declare-fixes.ts';
import type { Fix } from '../language/fixes/fix.ts';
import { vocabularyOf } from '../language/vocabulary.ts';
import { fixesFor } from '../language/fixes/fixes.ts';
import type { TextRange } from '../plans/plan.ts';
import { toDiagnostic } from './convert.ts';
import { convertActions, registerShowPlan } from './convert-tasks.ts';
import type { Feature } from './feature.ts';
import type { PlanDocument, Workspace } from './workspace.ts';

export const QUICK_FIXES = {
  codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite],
};

export const codeActionFeature: Feature = {
  /** Where the client takes registrations, it is told later that this is for files of any kind. */
  capabilities: (client) =>
    client.textDocument?.codeAction?.dynamicRegistration === true
      ? {}
      : { codeActionProvider: QUICK_FIXES },
  register(connection, workspace) {
    registerShowPlan(connection, workspace);
    connection.onCodeAction((params): (CodeAction | Command)[] => {
      const { textDocument, context } = params;
      const others = workspace.fixes
        .flatMap((fixes) => fixes(textDocument.uri, context.diagnostics))
        .filter(({ kind }) => isWanted(kind ?? '', context.only));
      // A client that cannot be told of literal actions would run them as commands.
      const isLiteral = workspace.client.textDocument?.codeAction?.codeActionLiteralSupport;
      if (isLiteral === undefined) return others.flatMap(({ command }) => command ?? []);
      const own = [
        ...planActions(params, workspace),
        ...convertActions(textDocument.uri, workspace),
      ];
      return [...others, ...own.filter(({ kind }) => isWanted(kind ?? '', context.only))];
    });
  },
};

function planActions(
  { textDocument, range }: CodeActionParams,
  workspace: Workspace,
): readonly CodeAction[] {
  const document = workspace.yamlAt(textDocument.uri);
  if (document === undefined) return [];
  const { plan, plans: folder, file, places } = document;
  const positions = places.positionsOf(file);
  const part = { start: positions.offset(range.start), end: positions.offset(range.end) };
  const tree = document.tree();
  const rules = workspace.rulesOf(document);
  const fixes = fixesFor({ plan, folder, file, tree, range: part, rules });
  return [...observedFixes(document, part), ...fixes].map((fix) =>
    toAction(fix, document, workspace),
  );
}

/** For what the tasks of the plan have written and not declared. */
function observedFixes(
  { plan, folder, file, tree }: PlanDocument,
  { start, end }: TextRange,
): readonly Fix[] {
  const tasks = folder?.board.tasks().filter(({ plan: { path } }) => path === plan.path) ?? [];
  const seen = tasks.filter(({ observed }) => observed !== undefined);
  const words = vocabularyOf(plan, file);
  if (folder === undefined || seen.length === 0 || words === undefined) return [];
  const { board } = folder;
  const problems = board.observedProblems(seen).inPlans.get(file) ?? [];
  return problems
    .filter(
      ({ code, range }) => code === 'undeclared-write' && range.start <= end && start <= range.end,
    )
    .flatMap((problem) =>
      declareFixes(problem, { tree: tree(), words, folder: board.folderInTree }),
    );
}

export function toAction(
  { title, isPreferred, problem, edits }: Fix,
  { plan, file, places }: PlanDocument,
  workspace: Workspace,
): CodeAction {
  const positions = places.positionsOf(file);
  const changes = edits.map(({ range, text }) => ({
    range: positions.range(range),
    newText: text,
  }));
  return {
    title,
    kind: CodeActionKind.QuickFix,
    ...(problem && { diagnostics: [toDiagnostic(problem, plan, places)] }),
    ...(isPreferred && { isPreferred }),
    edit: workspace.editOf(new Map([[places.uriOf(file), changes]])),
  };
}

/** `only` names kinds with all that is below them. */
function isWanted(kind: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
}
