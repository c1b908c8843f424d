import type { KeyFacts } from '../../plans/schema/describe.ts';
import { aboutKey } from '../about-key.ts';
import { scalarText, type YamlMap, type YamlTree } from '../yaml/tree.ts';
import { describeIn } from '../vocabulary.ts';
import type { Spot } from './spot.ts';
import type { Suggestion, Surroundings } from './suggestion.ts';

const NEW_TASK = {
  label: 'a task with a command',
  snippet: '${1:id}:\n  run: ${2:command}\n  writes: [${3:path/**}]$0',
};
const NEW_TASK_FOR_ANYONE = {
  label: 'a task that somebody claims',
  snippet: '${1:id}:\n  title: ${2:What is to be done}\n  writes: [${3:path/**}]$0',
};

/** The keys that are not there yet, and names where names of the user's own stand. */
export function suggestKeys(spot: Spot, around: Surroundings): readonly Suggestion[] {
  const taken = takenIn(spot);
  const all = spot.words.keysAt(spot.keys);
  // A card of a board has keys of its own, which come first there.
  const isCard = all.some(({ name }) => name === 'status');
  const keys = all
    .filter(({ name }) => !taken.has(name))
    .toSorted(
      (a, b) => Number(a.isLater) - Number(b.isLater) || (isCard ? 0 : rankOf(a) - rankOf(b)),
    )
    .map((facts) => keySuggestion(facts, spot));
  return [...keys, ...suggestNames(spot, { around, taken })];
}

/** What nearly every task of a plan has comes first. */
function rankOf({ name }: KeyFacts): number {
  return name === 'run' ? 0 : 1;
}

function keySuggestion(facts: KeyFacts, spot: Spot): Suggestion {
  const { name, summary, isLater } = facts;
  const follows = hasColon(spot) ? '' : behindKey(facts, spot);
  return {
    label: name,
    kind: 'key',
    detail: isLater ? 'not acted on yet' : '',
    about: aboutKey(facts) || summary,
    text: `${name}${follows.replace('$0', '')}`,
    ...(follows.includes('$0') && { snippet: `${name}${follows}` }),
    typed: name,
    range: spot.range,
  };
}

/** What is surely written next. */
function behindKey({ name, forms, kind }: KeyFacts, { isInBrackets, keys }: Spot): string {
  // It has one value.
  if (name === 'version' && keys.length === 0) return ': 1';
  const [first] = forms;
  if (forms.includes('scalar')) return ': ';
  if (first === 'list') return ': [$0]';
  return kind === 'names' && !isInBrackets ? ':\n  $0' : ': { $0 }';
}

function suggestNames(
  spot: Spot,
  { around, taken }: { readonly around: Surroundings; readonly taken: ReadonlySet<string> },
): readonly Suggestion[] {
  const { keys, range, isInBrackets, words } = spot;
  if (keys.length === 1 && keys[0] === 'tasks') return isInBrackets ? [] : newTasks(spot);
  if (keys.at(-1) !== 'resources' || describeIn(words, keys)?.kind !== 'amount') return [];
  const ofOurs = new Set(words.keysAt(keys).map(({ name }) => name));
  return Object.keys(around.plan.plan.limits)
    .filter((name) => !ofOurs.has(name))
    .filter((name) => !taken.has(name))
    .map((name) => ({
      label: name,
      kind: 'name',
      detail: 'limit',
      about: '',
      text: hasColon(spot) ? name : `${name}: `,
      typed: name,
      range,
    }));
}

function newTasks(spot: Spot): readonly Suggestion[] {
  if (hasColon(spot)) return [];
  return [NEW_TASK, NEW_TASK_FOR_ANYONE].map(({ label, snippet }) => ({
    label,
    kind: 'new',
    detail: '',
    about: '',
    text: snippet.replaceAll(/\$\{\d:([^}]*)\}/g, '$1').replace('$0', ''),
    snippet,
    // It is offered whatever has been typed of an id.
    typed: spot.text,
    range: spot.range,
  }));
}

/** The keys that the mapping has, without the one that is being typed. */
function takenIn({ around, range, tree, role }: Spot): ReadonlySet<string> {
  if (role !== 'key' || around?.kind !== 'map') return new Set();
  const others = around.pairs.filter(({ key }) => key.start !== range.start);
  return new Set(others.map(({ key }) => scalarText(tree.text, key)));
}

function hasColon({ around, range, role }: Spot): boolean {
  if (role !== 'key' || around?.kind !== 'map') return false;
  const pair = around.pairs.find(({ key }) => key.start === range.start && key.end === range.end);
  return pair?.colon !== undefined;
}

/** The names below a key at the top, for instance those of the agents. */
export function namesUnder(tree: YamlTree, name: string): readonly string[] {
  const map = mapUnder(tree, name);
  return map?.pairs.map(({ key }) => scalarText(tree.text, key)) ?? [];
}

/** What those below a key at the top have under a key of theirs: one word each, or a list of words. */
export function wordsUnder(tree: YamlTree, section: string, name: string): readonly string[] {
  return (mapUnder(tree, section)?.pairs ?? []).flatMap(({ value: one }) => {
    if (one?.kind !== 'map') return [];
    const { value } = one.pairs.find(({ key }) => scalarText(tree.text, key) === name) ?? {};
    const items = value?.kind === 'list' ? value.items.map((item) => item.value) : [value];
    return items.flatMap((item) => (item?.kind === 'scalar' ? scalarText(tree.text, item) : []));
  });
}

function mapUnder({ root, text }: YamlTree, name: string): YamlMap | undefined {
  if (root?.kind !== 'map') return undefined;
  const pair = root.pairs.find(({ key }) => scalarText(text, key) === name);
  return pair?.value?.kind === 'map' ? pair.value : undefined;
}
