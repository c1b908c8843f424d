import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { TaskView } from '../../protocol/tasks.ts';
import type { BoardTask } from '../board/board.ts';
import { displayText } from '../domain/display-text.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import { Positions } from '../plans/positions.ts';

export function toDiagnostics({ text, plan }: LoadedPlan, uri: string): Diagnostic[] {
  const positions = new Positions(text);
  return plan.problems.map(({ code, severity, message, range, related }) => ({
    source: 'interlock',
    code,
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    message,
    range: positions.range(range),
    relatedInformation: related.map((place) => ({
      message: place.message,
      location: { uri, range: positions.range(place.range) },
    })),
  }));
}

/** The tasks of one plan; finding their lines is the costly part, so it is done once for all. */
export function toTaskViews(
  tasks: readonly BoardTask[],
  uris: { readonly folderUri: string; readonly planUri: string },
): readonly TaskView[] {
  const [first] = tasks;
  if (first === undefined) return [];
  const positions = new Positions(first.plan.text);
  return tasks.map(({ plan, task, status }) => {
    const { line, character } = positions.at(task.idRange.start);
    return {
      ...uris,
      plan: plan.path,
      id: task.id,
      title: displayText(task.title),
      state: status.kind,
      detail: displayText(status.detail),
      line,
      character,
    };
  });
}
