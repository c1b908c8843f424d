import type { Location } from 'vscode-languageserver';
import type { Cursor } from '../language/completion/spot.ts';
import { vocabularyOf } from '../language/vocabulary.ts';
import type { IdPlace, Spot } from '../language/task-mentions.ts';
import type { Position } from '../plans/positions.ts';
import type { Places } from './convert.ts';
import type { PlanDocument } from './workspace.ts';

/** A place that the client asks of, as the plan knows it. */
export function spotAt({ plan, file, places }: PlanDocument, position: Position): Spot {
  return { plan, file, offset: places.positionsOf(file).offset(position) };
}

/** The same among its keys; nothing in what is not written in the words of plans. */
export function cursorAt(document: PlanDocument, position: Position): Cursor | undefined {
  const { plan, file, tree } = document;
  const words = vocabularyOf(plan, file);
  return words && { tree: tree(), offset: spotAt(document, position).offset, words };
}

export function locationOf({ uriOf, positionsOf }: Places, { file, range }: IdPlace): Location {
  return { uri: uriOf(file), range: positionsOf(file).range(range) };
}
