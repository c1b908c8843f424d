import * as z from 'zod/mini';
import type { Problem } from '../plan.ts';

/** What kind of thing is written behind a key; an editor completes by it. */
type ValueKind =
  | 'agent'
  | 'amount'
  | 'capabilities'
  | 'command'
  | 'count'
  | 'duration'
  | 'exit-codes'
  | 'folder'
  | 'globs'
  | 'hosts'
  | 'keys'
  | 'names'
  | 'number'
  | 'own-id'
  | 'size'
  | 'task'
  | 'task-ids'
  | 'text'
  | 'time-limits'
  | 'variables'
  | 'word';

/** A word that may stand behind a key, with a sentence on it. */
export interface WordFacts {
  readonly text: string;
  readonly summary: string;
}

/** All that is known of a key but its name and its form, which the schema has. */
export interface Facts {
  readonly kind: ValueKind;
  /** One line, without Markdown. */
  readonly summary: string;
  /** What there is to say beyond it, in Markdown; may be nothing. */
  readonly detail: string;
  /** A value as it is written in a plan; several lines are indented below the key. */
  readonly example: string;
  /** What counts where the key is left out. */
  readonly default?: string;
  /** Belongs to the language, but this version does not act on it, and on all below it, yet. */
  readonly isLater?: boolean;
  readonly values?: readonly WordFacts[];
}

const FACTS = z.registry<Facts>();

/** Says what a key means. A schema is of one key; two keys of one form have two schemas. */
export function key<Schema extends z.core.$ZodType>(schema: Schema, facts: Facts): Schema {
  FACTS.add(schema, facts);
  return schema;
}

export function factsOf(schema: z.core.$ZodType): Facts | undefined {
  return FACTS.get(schema);
}

/** How the value of a scalar is taken; the characters that it is written with, if nothing else is said. */
export type ScalarForm = 'text' | 'value';

/** What a schema in JSON should say that cannot be read off the schema itself. */
export type JsonFacts = Readonly<Record<string, unknown>>;

const FORMS = z.registry<{ readonly form: ScalarForm; readonly json: JsonFacts }>();

export function written<Schema extends z.core.$ZodType>(
  schema: Schema,
  form: ScalarForm,
  json: JsonFacts,
): Schema {
  FORMS.add(schema, { form, json });
  return schema;
}

/** What is to be said of something that is right and yet may not be what was meant. */
export type Warning = Pick<Problem, 'code' | 'message'>;

const WARNINGS = z.registry<{ readonly why: (text: string) => Warning | undefined }>();

/** What is to be said of a text that is right and yet may not be what was meant. */
export function warned<Schema extends z.core.$ZodType>(
  schema: Schema,
  why: (text: string) => Warning | undefined,
): Schema {
  WARNINGS.add(schema, { why });
  return schema;
}

export function warningOf(schema: z.core.$ZodType, text: string): Warning | undefined {
  return WARNINGS.get(schema)?.why(text);
}

export function formOf(schema: z.core.$ZodType): ScalarForm {
  return FORMS.get(schema)?.form ?? 'text';
}

export function jsonOf(schema: z.core.$ZodType): JsonFacts | undefined {
  return FORMS.get(schema)?.json;
}
