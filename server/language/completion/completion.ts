import { describe, keysAt } from '../../plans/schema/describe.ts';
import { nodeAt } from '../yaml/node-at.ts';
import type { Cursor, Spot } from './spot.ts';
import { suggestKeys } from './keys.ts';
import type { Suggestion, Surroundings } from './suggestion.ts';
import { suggestValues } from './values.ts';

/** What may stand at the cursor, the likeliest first. */
export function complete(cursor: Cursor, around: Surroundings): readonly Suggestion[] {
  const { tree } = cursor;
  const place = nodeAt(tree, cursor.offset);
  if (place === undefined) return [];
  const steps = place.path.filter((step) => typeof step === 'string');
  const keys = [...(cursor.base ?? []), ...steps];
  const before = tree.text.slice(place.range.start, cursor.offset);
  const spot: Spot = { ...place, tree, keys, before };
  if (place.role === 'key') return suggestKeys(spot, around);
  // Below a key that holds keys, what is typed first on a line becomes one of them.
  const mayBecomeKey = place.role === 'value' && place.isAtLineStart && holdsKeys(keys);
  return mayBecomeKey ? suggestKeys(spot, around) : suggestValues(spot, around);
}

function holdsKeys(keys: readonly string[]): boolean {
  return keysAt(keys).length > 0 || keys.join('.') === 'tasks' || isMapOnly(keys);
}

function isMapOnly(keys: readonly string[]): boolean {
  const forms = describe(keys)?.forms ?? [];
  return forms.length === 1 && forms[0] === 'map';
}
