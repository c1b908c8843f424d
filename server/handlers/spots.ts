import type { Location } from 'vscode-languageserver';
import type { IdPlace, Spot } from '../language/task-mentions.ts';
import type { Position } from '../plans/positions.ts';
import type { Places } from './convert.ts';
import type { PlanDocument } from './workspace.ts';

/** A place that the client asks of, as the plan knows it. */
export function spotAt({ plan, file, places }: PlanDocument, position: Position): Spot {
  return { plan, file, offset: places.positionsOf(file).offset(position) };
}

export function locationOf({ uriOf, positionsOf }: Places, { file, range }: IdPlace): Location {
  return { uri: uriOf(file), range: positionsOf(file).range(range) };
}
