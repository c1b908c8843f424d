import * as z from 'zod/mini';
import { type Facts, factsOf, type WordFacts } from './facts.ts';
import { alternatives, propertiesOf, propertyOf } from './forms.ts';
import { PLAN } from './plan.ts';

/** How a value may be written; a key with several forms takes any of them. */
type ValueForm = 'scalar' | 'list' | 'map';

/** What an editor tells of a key. */
export interface KeyFacts extends Omit<Facts, 'default' | 'isLater' | 'values'> {
  readonly name: string;
  /** As it is written, or in words; absent where nothing stands for a key that is left out. */
  readonly default: string | undefined;
  /** This version does not act on it yet. */
  readonly isLater: boolean;
  /** All the words that may stand there, or the ones that mean something; mostly none. */
  readonly values: readonly WordFacts[];
  readonly forms: readonly ValueForm[];
}

/**
 * What a key means. The path is made of keys, ids and names from the top of the plan:
 * `['tasks', 'build', 'retry', 'on']`. Nothing for an id or name, and for what is no key.
 */
export function describe(path: readonly string[]): KeyFacts | undefined {
  const name = path.at(-1);
  return name === undefined
    ? undefined
    : keysAt(path.slice(0, -1)).find((facts) => facts.name === name);
}

/** The keys that may stand below a path, in the order of the reference. */
export function keysAt(path: readonly string[]): readonly KeyFacts[] {
  const holder = holderAt(path);
  return holder === undefined ? [] : keysOf(holder);
}

/** Whether what stands below a path are names of the user's own, besides the keys that there are. */
export function takesNames(path: readonly string[]): boolean {
  const { schema } = holderAt(path) ?? {};
  if (schema instanceof z.ZodMiniRecord) return true;
  return schema instanceof z.ZodMiniObject && schema.def.catchall !== undefined;
}

/** Something that has keys. */
interface Holder {
  readonly schema: z.core.$ZodType;
  /** It, or something above it, is for a later version. */
  readonly isLater: boolean;
}

function holderAt(path: readonly string[]): Holder | undefined {
  let holder: Holder | undefined = { schema: PLAN, isLater: false };
  for (const step of path) holder = holder && holderBelow(holder, step);
  return holder;
}

function holderBelow({ schema, isLater }: Holder, step: string): Holder | undefined {
  const below = schema instanceof z.ZodMiniRecord ? schema.def.valueType : propertyOf(schema, step);
  const map = below && alternatives(below).find((one) => formOf(one) === 'map');
  return map && { schema: map, isLater: isLater || (factsOf(below)?.isLater ?? false) };
}

function keysOf(holder: Holder): readonly KeyFacts[] {
  return propertiesOf(holder.schema).flatMap(([name, property]) => {
    const facts = factsOf(property);
    if (facts === undefined) return [];
    const { kind, summary, detail, example, values = [] } = facts;
    const isLater = holder.isLater || (facts.isLater ?? false);
    const forms = [...new Set(alternatives(property).map(formOf))];
    return { name, kind, summary, detail, example, default: facts.default, isLater, values, forms };
  });
}

function formOf(schema: z.core.$ZodType): ValueForm {
  if (schema instanceof z.ZodMiniArray) return 'list';
  const isMap = schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord;
  return isMap ? 'map' : 'scalar';
}
