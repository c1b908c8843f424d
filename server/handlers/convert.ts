import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { TaskView } from '../../protocol/tasks.ts';
import type { BoardTask } from '../board/board.ts';
import { fileOf, type LoadedPlan } from '../board/plan-set.ts';
import { displayText } from '../domain/display-text.ts';
import type { PositionsOf } from '../plans/positions.ts';

/** Where the files of a folder are for the client, and where the lines of their texts begin. */
export interface Places {
  readonly uriOf: (file: string) => string;
  readonly positionsOf: PositionsOf;
}

/** The problems of one plan, by the files that they are in; each of its files is there. */
export function toDiagnostics(
  loaded: LoadedPlan,
  { uriOf, positionsOf }: Places,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>(loaded.files.map((file) => [file, []]));
  for (const { code, severity, message, range, related } of loaded.plan.problems) {
    const file = fileOf(range, loaded);
    byFile.get(file)?.push({
      source: 'interlock',
      code,
      severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      message,
      range: positionsOf(file).range(range),
      relatedInformation: related.map((place) => {
        const other = fileOf(place.range, loaded);
        const location = { uri: uriOf(other), range: positionsOf(other).range(place.range) };
        return { message: place.message, location };
      }),
    });
  }
  return byFile;
}

export function toTaskView(
  { plan, task, status }: BoardTask,
  { uriOf, positionsOf }: Places,
  folderUri: string,
): TaskView {
  const file = fileOf(task.idRange, plan);
  const { line, character } = positionsOf(file).at(task.idRange.start);
  return {
    folderUri,
    planUri: uriOf(file),
    plan: plan.path,
    id: task.id,
    title: displayText(task.title),
    state: status.kind,
    detail: displayText(status.detail),
    line,
    character,
  };
}
