import type { AnalyzedPlan, TextRange } from '../plans/plan.ts';
import type { KeyFacts } from '../plans/schema/describe.ts';
import type { WordFacts } from '../plans/schema/facts.ts';
import { type Cursor, placeAt } from './completion/spot.ts';
import { describeIn, OF_PLANS } from './vocabulary.ts';

/** Something of a plan that an editor can say more about than is written there. */
export type Subject =
  | { readonly kind: 'key'; readonly facts: KeyFacts; readonly range: TextRange }
  | { readonly kind: 'word'; readonly facts: WordFacts; readonly range: TextRange }
  /** Of another plan where `plan` is there. */
  | {
      readonly kind: 'task';
      readonly plan: string | undefined;
      readonly id: string;
      readonly range: TextRange;
    }
  | { readonly kind: 'host-name'; readonly name: string; readonly range: TextRange }
  | { readonly kind: 'pattern'; readonly text: string; readonly range: TextRange };

export function whatIsAt(
  cursor: Cursor,
  { references }: Pick<AnalyzedPlan, 'references'>,
): Subject | undefined {
  const { words = OF_PLANS } = cursor;
  const place = placeAt(cursor);
  if (place === undefined || place.text === '') return undefined;
  const { range, text, role } = place;
  const steps = place.path.filter((step) => typeof step === 'string');
  const keys = [...words.base, ...steps];
  if (role === 'key') {
    if (keys.length === 1 && keys[0] === 'tasks')
      return { kind: 'task', plan: undefined, id: text, range };
    const facts = describeIn(words, [...keys, text]);
    return facts && { kind: 'key', facts, range };
  }
  const facts = describeIn(words, keys);
  if (facts === undefined) return undefined;
  if (facts.kind === 'globs' && role === 'item') return { kind: 'pattern', text, range };
  if (facts.kind === 'task-ids' || facts.kind === 'task' || facts.kind === 'own-id') {
    const elsewhere = references.get(text);
    return { kind: 'task', plan: elsewhere?.plan, id: elsewhere?.task ?? words.idOf(text), range };
  }
  const word = facts.values.find((one) => one.text === text);
  if (word === undefined && facts.kind === 'hosts') return { kind: 'host-name', name: text, range };
  return word && { kind: 'word', facts: word, range };
}
