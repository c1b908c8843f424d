import { type Cursor, placeAt, type Spot } from './spot.ts';
import { suggestKeys } from './keys.ts';
import type { Suggestion, Surroundings } from './suggestion.ts';
import { suggestValues } from './values.ts';
import { describeIn, OF_PLANS, type Vocabulary } from '../vocabulary.ts';

/** What may stand at the cursor, the likeliest first. */
export function complete(cursor: Cursor, around: Surroundings): readonly Suggestion[] {
  const { tree, words = OF_PLANS } = cursor;
  const place = placeAt(cursor);
  if (place === undefined) return [];
  const steps = place.path.filter((step) => typeof step === 'string');
  const keys = [...words.base, ...steps];
  const before = tree.text.slice(place.range.start, cursor.offset);
  const spot: Spot = { ...place, tree, words, keys, before };
  if (place.role === 'key') return suggestKeys(spot, around);
  // Below a key that holds keys, what is typed first on a line becomes one of them.
  const mayBecomeKey = place.role === 'value' && place.isAtLineStart && holdsKeys(words, keys);
  return mayBecomeKey ? suggestKeys(spot, around) : suggestValues(spot, around);
}

function holdsKeys(words: Vocabulary, keys: readonly string[]): boolean {
  return words.keysAt(keys).length > 0 || keys.join('.') === 'tasks' || isMapOnly(words, keys);
}

function isMapOnly(words: Vocabulary, keys: readonly string[]): boolean {
  const forms = describeIn(words, keys)?.forms ?? [];
  return forms.length === 1 && forms[0] === 'map';
}
