import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { TaskView } from '../../protocol/tasks.ts';
import type { BoardTask } from '../board/board-task.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import { holderName, holderNow } from '../board/held-by.ts';
import { spanOf } from '../board/task-span.ts';
import type { Holder } from '../board/task-status.ts';
import { asksOf, isForPerson } from '../domain/asks.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import type { Problem } from '../plans/plan.ts';
import { fileOf, type PlanSource } from '../plans/plan-source.ts';
import type { PositionsOf } from '../plans/positions.ts';

/** Where the files of a folder are for the client, and where the lines of their texts begin. */
export interface Places {
  readonly uriOf: (file: string) => string;
  readonly positionsOf: PositionsOf;
}

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const;

/** The problems of one plan, by the files that they are in; each of its files is there. */
export function toDiagnostics(
  loaded: LoadedPlan,
  places: Places,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>(loaded.files.map((file) => [file, []]));
  for (const problem of loaded.plan.problems)
    byFile.get(fileOf(problem.range, loaded))?.push(toDiagnostic(problem, loaded, places));
  return byFile;
}

export function toDiagnostic(
  { code, severity, message, range, related }: Problem,
  source: PlanSource,
  { uriOf, positionsOf }: Places,
): Diagnostic {
  return {
    source: 'interlock',
    code,
    severity: SEVERITIES[severity],
    message,
    range: positionsOf(fileOf(range, source)).range(range),
    relatedInformation: related.map((place) => {
      const other = fileOf(place.range, source);
      const location = { uri: uriOf(other), range: positionsOf(other).range(place.range) };
      return { message: place.message, location };
    }),
  };
}

/** Where a client finds a task. */
type Spot = Pick<TaskView, 'planUri' | 'line' | 'character'>;

export function toTaskView(of: BoardTask, at: Places | Spot, folderUri: string): TaskView {
  const { plan, task, status, record, isPaused } = of;
  const { planUri, line, character } = 'planUri' in at ? at : spotOf(of, at);
  return {
    folderUri,
    planUri,
    plan: plan.path,
    id: task.id,
    title: inShort(displayText(task.title)),
    state: status.kind,
    detail: displayText(status.detail),
    line,
    character,
    ...(record && { run: record.run }),
    attempt: record?.state.tries.attempts ?? 0,
    ...(record && spanOf(record.state)),
    ...holders(of),
    dependsOn: task.dependsOn,
    isPaused,
    isColliding: status.isColliding === true,
    ...(status.isUpToReader === true && { waitsForYou: true }),
    doneBy: doneBy(task),
  };
}

function doneBy({ command, asks }: BoardTask['task']): TaskView['doneBy'] {
  if (command !== undefined) return 'command';
  return isForPerson(asksOf(asks).doer) ? 'people' : 'agent';
}

function spotOf({ plan, task }: BoardTask, { uriOf, positionsOf }: Places): Spot {
  const file = fileOf(task.idRange, plan);
  const { line, character } = positionsOf(file).at(task.idRange.start);
  return { planUri: uriOf(file), line, character };
}

function holders(of: BoardTask): Pick<TaskView, 'holder' | 'blocker'> {
  const holder = holderNow(of);
  const { blocker } = of.status;
  return {
    ...(holder && { holder: toHolder(holder) }),
    // Who reads this knows what they have; the words say it.
    ...(blocker && of.status.isUpToReader !== true && { blocker: toHolder(blocker) }),
  };
}

function toHolder(holder: Holder): NonNullable<TaskView['holder']> {
  const { until } = holder;
  const name = displayText(holderName(holder));
  return until === undefined ? { name } : { name, until };
}
