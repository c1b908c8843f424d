import * as z from 'zod/mini';
import { type Facts, factsOf, type WordFacts } from './facts.ts';
import { alternatives, propertiesOf, propertyOf } from './forms.ts';
import { PLAN } from './plan.ts';

/** How a value may be written; a key with several forms takes any of them. */
export type ValueForm = 'scalar' | 'list' | 'map';

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
  const holder = schemaAt(path.slice(0, -1));
  return name === undefined || holder === undefined
    ? undefined
    : keysOf(holder).find((facts) => facts.name === name);
}

/** The keys that may stand below a path, in the order of the reference. */
export function keysAt(path: readonly string[]): readonly KeyFacts[] {
  const holder = schemaAt(path);
  return holder === undefined ? [] : keysOf(holder);
}

/** Whether what stands below a path are names of the user's own, besides the keys that there are. */
export function takesNames(path: readonly string[]): boolean {
  const holder = schemaAt(path);
  if (holder instanceof z.ZodMiniRecord) return true;
  return holder instanceof z.ZodMiniObject && holder.def.catchall !== undefined;
}

function schemaAt(path: readonly string[]): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = PLAN;
  for (const step of path) schema = schema && mapBelow(schema, step);
  return schema;
}

/** What holds keys behind one step. */
function mapBelow(schema: z.core.$ZodType, step: string): z.core.$ZodType | undefined {
  const below = schema instanceof z.ZodMiniRecord ? schema.def.valueType : propertyOf(schema, step);
  if (below === undefined) return undefined;
  return alternatives(below).find(
    (one) => one instanceof z.ZodMiniObject || one instanceof z.ZodMiniRecord,
  );
}

function keysOf(schema: z.core.$ZodType): readonly KeyFacts[] {
  return propertiesOf(schema).flatMap(([name, property]) => {
    const facts = factsOf(property);
    if (facts === undefined) return [];
    const { kind, summary, detail, example, isLater = false, values = [] } = facts;
    const forms = [...new Set(alternatives(property).map(formOf))];
    return { name, kind, summary, detail, example, default: facts.default, isLater, values, forms };
  });
}

function formOf(schema: z.core.$ZodType): ValueForm {
  if (schema instanceof z.ZodMiniArray) return 'list';
  const isMap = schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord;
  return isMap ? 'map' : 'scalar';
}
