import {
  type ImportSource,
  type ImportsReply,
  LIST_IMPORTS,
  LIST_STARTERS,
  type NewPlanText,
  type StartersReply,
} from '../../protocol/starter-plan.ts';
import { loosePlan } from '../board/plan-set.ts';
import {
  FIRST_PLAN,
  planIn,
  planOfTasksJson,
  type StarterPlan,
  starterPlans,
} from '../board/starter-plans.ts';
import { displayText } from '../domain/display-text.ts';
import { Positions } from '../plans/positions.ts';
import type { StarterKind } from '../plans/starter/starter.ts';
import { TASKS_JSON } from '../plans/vscode-tasks/surroundings.ts';
import { freePlanName } from './convert-tasks.ts';
import type { Feature } from './feature.ts';
import type { Folder } from './folder.ts';
import type { Workspace } from './workspace.ts';

/** Plans that could be written into a folder. The client writes them: there an edit can be undone. */
export const newPlansFeature: Feature = {
  capabilities: () => ({}),
  register(connection, workspace) {
    connection.onRequest<StartersReply, void>(LIST_STARTERS, (params: unknown) =>
      starters(params, workspace),
    );
    connection.onRequest<ImportsReply, void>(LIST_IMPORTS, (params: unknown) =>
      imports(params, workspace),
    );
  },
};

const NOT_OPEN = { kind: 'refused', message: 'This folder is not open.' } as const;

const LABELS: Readonly<Record<StarterKind, string>> = {
  npm: 'Scripts of package.json',
  cargo: 'Cargo',
  go: 'Go',
  python: 'Python',
  make: 'Targets of the Makefile',
  small: 'A small plan to begin with',
};

function starters(params: unknown, workspace: Workspace): StartersReply {
  const folder = folderIn(params, workspace);
  if (folder === undefined) return NOT_OPEN;
  const existing = planIn(folder.path, folder.files);
  if (existing !== undefined) return { kind: 'exists', uri: folder.uriOf(existing) };
  const uri = folder.uriOf(FIRST_PLAN);
  const plans = starterPlans(folder.path, folder.files);
  return { kind: 'offered', starters: plans.map((plan) => newPlanText(plan, uri)) };
}

function newPlanText({ kind, ids, text, line }: StarterPlan, uri: string): NewPlanText {
  return {
    label: LABELS[kind],
    detail: displayText(ids.join(', ')),
    uri,
    text,
    line,
    character: 2,
  };
}

function imports(params: unknown, workspace: Workspace): ImportsReply {
  const folder = folderIn(params, workspace);
  if (folder === undefined) return NOT_OPEN;
  const text = planOfTasksJson(folder.path, folder.files);
  const name = freePlanName(folder);
  if (text !== undefined && name === undefined) {
    const message = `There is a plan for the tasks of ${TASKS_JSON} already. It is left as it is.`;
    return { kind: 'refused', message };
  }
  const ofEditor: readonly ImportSource[] =
    text === undefined || name === undefined
      ? []
      : [
          {
            kind: 'tasks-json',
            uri: folder.uriOf(TASKS_JSON),
            plan: takenOver(text, name, folder),
          },
        ];
  return { kind: 'found', sources: [...ofEditor, ...boardsIn(folder)] };
}

function takenOver(text: string, name: string, folder: Folder): NewPlanText {
  const { tasks } = loosePlan(name, text, folder.board.rules).plan;
  const place = new Positions(text).at(tasks[0]?.idRange.start ?? 0);
  const detail = displayText(tasks.map(({ id }) => id).join(', '));
  return { label: name, detail, uri: folder.uriOf(name), text, ...place };
}

function boardsIn(folder: Folder): readonly ImportSource[] {
  return folder.board.plans.all
    .filter(({ kind }) => kind === 'kanban')
    .map(({ path, plan }) => ({
      kind: 'board',
      uri: folder.uriOf(path),
      path,
      taskCount: plan.tasks.length,
    }));
}

/** The open folder that a message names; nothing for what names none. */
export function folderIn(params: unknown, workspace: Workspace): Folder | undefined {
  const { folderUri }: { readonly folderUri?: unknown } =
    typeof params === 'object' && params !== null ? params : {};
  return typeof folderUri === 'string' ? workspace.get(folderUri) : undefined;
}
