import { isMap, isScalar, isSeq, type Pair } from 'yaml';
import * as z from 'zod/mini';
import { inShort } from '../domain/display-text.ts';
import { refuseList } from '../domain/paths/path-set.ts';
import { didYouMean } from './closest.ts';
import type { Mention, ProblemCode, TextRange } from './plan.ts';
import { factsOf, formOf, warningOf } from './schema/facts.ts';
import { alternatives, propertiesOf, propertyOf } from './schema/forms.ts';
import { keyText, type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

/** A value and what it is the value of. */
interface Place {
  readonly node: unknown;
  /** The key, or the key of the list that it is in: what a sentence calls it. */
  readonly key: string;
  readonly keyRange: TextRange;
}

/** The value as a schema takes it. */
interface Input {
  readonly value: unknown;
}

/** A problem names a word, it does not repeat a text. */
const WORD_SHOWN = 64;
/** Compiling a check takes longer than a plan has use for. */
const INTERPRETED = { jitless: true };

/**
 * What stands behind a key, in a form that its schema has. Whatever is wrong is a problem at the
 * narrowest place that holds it, and is left out of what is read.
 */
export function readValue<Schema extends z.core.$ZodType>(
  pair: Pair,
  schema: Schema,
  problems: ProblemList,
): z.output<Schema> | undefined {
  const place = placeOf(pair);
  const input = inputOf(place, schema, problems);
  if (input === undefined) return undefined;
  const result = z.safeParse(schema, input.value, INTERPRETED);
  if (result.success) return result.data;
  report(result.error.issues, place, problems);
  return undefined;
}

/** The entries of a list that are right, each with its place. */
export function readMentions(
  pair: Pair,
  schema: z.core.$ZodType,
  problems: ProblemList,
): readonly Mention[] {
  const place = placeOf(pair);
  const [list] = alternatives(schema);
  if (!(list instanceof z.ZodMiniArray)) return [];
  if (!isSeq(place.node)) {
    inputOf(place, list, problems);
    return [];
  }
  const { items } = place.node;
  const refusal = factsOf(list)?.kind === 'globs' ? refuseList(textsOf(items)) : undefined;
  if (refusal !== undefined) {
    problems.error('too-large', place.keyRange, refusal);
    return [];
  }
  return items.flatMap((node) => {
    const input = inputOf({ ...place, node }, list.def.element, problems);
    return typeof input?.value === 'string' ? { text: input.value, range: rangeOf(node) } : [];
  });
}

function textsOf(items: readonly unknown[]): readonly string[] {
  return items.map((item) => (isScalar(item) ? String(item.value) : ''));
}

/** What a mapping holds whose keys are names of the user's own; the wrong ones are left out. */
export function readNamed<Name extends z.core.$ZodRecordKey, Value extends z.core.$ZodType>(
  pairs: readonly Pair[],
  { def: { keyType, valueType } }: z.ZodMiniRecord<Name, Value>,
  problems: ProblemList,
): readonly { readonly name: Mention; readonly value: z.output<Value> }[] {
  return pairs.flatMap((pair) => {
    const { key: text, keyRange: range } = placeOf(pair);
    if (!isName(pair, keyType, problems)) return [];
    const value = readValue(pair, valueType, problems);
    return value === undefined ? [] : [{ name: { text, range }, value }];
  });
}

/** Whether the key is right for what it names. */
export function isName(pair: Pair, schema: z.core.$ZodType, problems: ProblemList): boolean {
  return inputOf({ ...placeOf(pair), node: pair.key }, schema, problems) !== undefined;
}

/** The pairs of a mapping; says what the schema says of anything else. */
export function pairsIn(
  pair: Pair,
  schema: z.core.$ZodType,
  problems: ProblemList,
): readonly Pair[] {
  if (isMap(pair.value)) return pair.value.items;
  const place = placeOf(pair);
  report(z.safeParse(schema, undefined, INTERPRETED).error?.issues ?? [], place, problems);
  return [];
}

/** Whose keys they are, and how a problem names it. */
interface Holder {
  readonly schema: z.core.$ZodType;
  readonly of: string;
}

/**
 * What the schema has for a key. Keys that are none are reported, and so are those that this version
 * does not act on, which are `isLater`.
 */
export function readKey(
  pair: Pair,
  { schema, of }: Holder,
  problems: ProblemList,
):
  | { readonly key: string; readonly property: z.core.$ZodType; readonly isLater: boolean }
  | undefined {
  const key = keyText(pair);
  const property = propertyOf(schema, key);
  if (property === undefined) {
    const hint = didYouMean(
      key,
      propertiesOf(schema).map(([name]) => name),
    );
    const message = `"${inShort(key, WORD_SHOWN)}" is not a key of ${of}.${hint}`;
    problems.warning('unknown-key', rangeOf(pair.key), message);
    return undefined;
  }
  const isLater = factsOf(property)?.isLater ?? false;
  if (isLater) {
    const message = `This version does not act on "${key}" yet.`;
    problems.warning('not-yet', rangeOf(pair.key), message);
  }
  return { key, property, isLater };
}

function placeOf(pair: Pair): Place {
  return { node: pair.value, key: keyText(pair), keyRange: rangeOf(pair.key) };
}

/** Nothing where it is wrong, which has been said then. */
function inputOf(place: Place, schema: z.core.$ZodType, problems: ProblemList): Input | undefined {
  const forms = alternatives(schema);
  const form = forms.find((one) => fits(place.node, one)) ?? forms[0] ?? schema;
  const value = rawValue(place, form, problems);
  const result = z.safeParse(form, value, INTERPRETED);
  if (!result.success) {
    report(result.error.issues.slice(0, 1), place, problems);
    return undefined;
  }
  const warning = typeof value === 'string' ? warningOf(form, value) : undefined;
  if (warning !== undefined) problems.warning(warning.code, rangeOf(place.node), warning.message);
  return { value };
}

/** The value in one form; of what is in it, that which is right. */
function rawValue(place: Place, form: z.core.$ZodType, problems: ProblemList): unknown {
  const { node } = place;
  if (isMap(node) && form instanceof z.ZodMiniObject)
    return inputOfKeys(
      node.items,
      { schema: form, of: `"${inShort(place.key, WORD_SHOWN)}"` },
      problems,
    );
  if (isMap(node) && form instanceof z.ZodMiniRecord) {
    readNamed(node.items, form, problems);
    return {};
  }
  if (form instanceof z.ZodMiniArray && isScalar(node) && node.value === null) return [];
  if (form instanceof z.ZodMiniArray && isSeq(node))
    return node.items.flatMap((item) => {
      const input = inputOf({ ...place, node: item }, form.def.element, problems);
      return input === undefined ? [] : [input.value];
    });
  return scalarInput(node, form);
}

function inputOfKeys(
  pairs: readonly Pair[],
  holder: Holder,
  problems: ProblemList,
): Readonly<Record<string, unknown>> {
  const entries = pairs.flatMap((pair): [string, unknown][] => {
    const found = readKey(pair, holder, problems);
    const input = found && inputOf(placeOf(pair), found.property, problems);
    return found === undefined || input === undefined ? [] : [[found.key, input.value]];
  });
  return Object.fromEntries(entries);
}

/** Of several forms the one that the value is written in. */
function fits(node: unknown, schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodMiniArray) return isSeq(node);
  if (schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord) return isMap(node);
  return isScalar(node);
}

/** What is no scalar is nothing that a schema of scalars would take. */
function scalarInput(node: unknown, schema: z.core.$ZodType): unknown {
  if (!isScalar(node) || node.value === null) return undefined;
  return formOf(schema) === 'value' ? node.value : scalarText(node);
}

function report(
  issues: readonly z.core.$ZodIssue[],
  { node, key, keyRange }: Place,
  problems: ProblemList,
): void {
  for (const issue of issues) {
    const message = issue.message.replaceAll('{key}', () => inShort(key, WORD_SHOWN));
    const sort: unknown = issue.code === 'custom' ? issue.params?.['sort'] : undefined;
    const isAtKey = sort === 'key' || sort === 'length';
    problems.error(codeOf(sort), isAtKey ? keyRange : rangeOf(node), message);
  }
}

function codeOf(sort: unknown): ProblemCode {
  if (sort === 'path') return 'invalid-path';
  if (sort === 'id') return 'invalid-id';
  return sort === 'length' ? 'too-large' : 'wrong-type';
}
