// What is made of the schema of plans. Bundled by schema.mjs, because plain Node runs no TypeScript.
import * as z from 'zod/mini';
import { describe, keysAt, takesNames } from '../server/plans/schema/describe.ts';
import { factsOf, jsonOf } from '../server/plans/schema/facts.ts';
import { PLAN } from '../server/plans/schema/plan.ts';

/** @typedef {import('../server/plans/schema/describe.ts').KeyFacts} KeyFacts */
/** @typedef {Record<string, unknown>} Json */

/**
 * JSON Schema, draft 7, which is what editors know. Whatever we read without an error is valid; a key
 * that nobody knows is none, as it is for us, so it says nothing of additional properties.
 */
export function jsonSchema() {
  const { $schema: _, ...rest } = z.toJSONSchema(PLAN, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: json }) => describeJson(zodSchema, json),
  });
  return {
    $schema: /** @type {const} */ ('http://json-schema.org/draft-07/schema#'),
    title: 'Interlock plan',
    description: 'Tasks of several workers over one code base, with what each reads and writes.',
    ...rest,
  };
}

/**
 * @param {z.core.$ZodType} schema
 * @param {Json} json
 */
function describeJson(schema, json) {
  const written = jsonOf(schema);
  if (written !== undefined) {
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, written);
  }
  // Nothing behind a key that holds a list is an empty one.
  if (json.type === 'array') json.type = ['array', 'null'];
  const facts = factsOf(schema);
  if (facts === undefined) return;
  const { summary, detail, example, isLater, default: byDefault, values = [] } = facts;
  const later = isLater === true ? 'This version does not act on it yet.' : '';
  const sentences = [summary, detail, later].filter((part) => part !== '');
  json.description = sentences.join(' ').replaceAll('`', '');
  json.markdownDescription = sentences.join('\n\n');
  if (Array.isArray(json.enum))
    json.enumDescriptions = json.enum.map(
      (text) => values.find((word) => word.text === text)?.summary ?? '',
    );
  const value = plainValue(byDefault);
  if (value !== undefined) json.default = value;
  const shown = plainValue(example);
  if (shown !== undefined) json.examples = [shown];
}

/**
 * A word or a number as it is written; of anything else only YAML knows the value.
 *
 * @param {string | undefined} text
 */
function plainValue(text) {
  if (text === undefined || !/^[\w.-]+$/.test(text)) return undefined;
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** @type {readonly { title: string, path: readonly string[] }[]} */
const TABLES = [
  { title: 'A plan', path: [] },
  { title: 'A task', path: ['tasks', 'id'] },
  { title: '`retry`', path: ['tasks', 'id', 'retry'] },
  { title: '`timeout`', path: ['tasks', 'id', 'timeout'] },
  { title: '`resources`', path: ['tasks', 'id', 'resources'] },
  { title: '`cache`', path: ['tasks', 'id', 'cache'] },
  { title: '`limits`', path: ['limits'] },
  { title: '`hazards`', path: ['hazards'] },
  { title: 'An agent of `agents`', path: ['agents', 'name'] },
];

/** All keys in Markdown, a table for each mapping. */
export function reference() {
  return TABLES.map(({ title, path }) => {
    const names = takesNames(path) ? `\n${namesBelow(path)}\n` : '';
    const rows = keysAt(path).map((facts) => row(facts));
    const words = keysAt(path).flatMap((facts) => wordsOf(facts));
    const list = words.length === 0 ? '' : `\n${words.join('\n')}\n`;
    return `### ${title}\n\n| key | meaning | left out | example |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n${names}${list}`;
  }).join('\n');
}

/** @param {readonly string[]} path */
function namesBelow(path) {
  const facts = describe(path);
  return `Any other key is a name of your own. ${facts?.detail ?? ''}`.trim();
}

/** @param {KeyFacts} facts */
function row({ name, summary, detail, example, isLater, default: byDefault }) {
  const later = isLater ? '*Not acted on yet.*' : '';
  const meaning = [summary, detail, later].filter((part) => part !== '').join(' ');
  const left = byDefault === undefined ? '' : asWritten(byDefault);
  const shown = example.replace(/^\|?\n\s*/, '').replaceAll(/\n\s*/g, ' ');
  return `| \`${name}\` | ${cell(meaning)} | ${cell(left)} | ${cell(`\`${shown}\``)} |`;
}

/** @param {KeyFacts} facts */
function wordsOf({ name, values }) {
  return values.map(({ text, summary }) => `- \`${name}: ${text}\`: ${summary}`);
}

/** @param {string} text a value, or words */
function asWritten(text) {
  return text.includes(' ') && !/^[[{]/.test(text) ? text : `\`${text}\``;
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', String.raw`\|`);
}
