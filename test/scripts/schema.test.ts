import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { fromJSONSchema } from 'zod';
import { ROOT } from '../../scripts/toolchain.mjs';
import { jsonSchema, reference } from '../../scripts/schema-texts.mjs';
import { parseInterlockYaml } from '../../server/plans/interlock-yaml.ts';
import { keysAt } from '../../server/plans/schema/describe.ts';
import { planText } from '../support/plan-edits.ts';

const validator = fromJSONSchema(jsonSchema());

function isValid(text: string): boolean {
  const value: unknown = parseDocument(text, { version: '1.2', schema: 'core' }).toJS();
  return validator.safeParse(value).success;
}

function hasErrors(text: string): boolean {
  return parseInterlockYaml(text).problems.some(({ severity }) => severity === 'error');
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

test('what was written of the schema is what the schema says', () => {
  expect(JSON.parse(read('schemas/interlock.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(jsonSchema())),
  );
  expect(read('docs/PLANS.md')).toContain(reference());
});

test('it is a schema of a draft that editors know', () => {
  expect(jsonSchema()).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
});

/** A plan that says of each key what its example says. */
function planOfExamples(): string {
  const lines = keysAt([])
    .filter(({ name }) => name !== 'tasks')
    .map(({ name, example }) => `${name}: ${example}\n`);
  const own = keysAt(['tasks', 'a']).filter(({ name }) => name !== 'role');
  const keys = own.map(
    ({ name, example }) => `    ${name}: ${example.replaceAll('\n', '\n    ')}\n`,
  );
  const tasks = '  schema: {}\n  lint: {}\n  person: { role: human }\n';
  return `${lines.join('')}tasks:\n${tasks}  a:\n${keys.join('')}`;
}

test('all examples make a plan that is right, here and in other editors', () => {
  const text = planOfExamples();
  expect(parseInterlockYaml(text).problems.filter(({ code }) => code !== 'not-yet')).toStrictEqual(
    [],
  );
  expect(isValid(text)).toBe(true);
});

test.for([
  'version: 2',
  'name: [a]',
  'limits: { parallel: 0 }',
  'limits: { memory: 16 }',
  'limits: { db: many }',
  'hazards: { human: never }',
  'defaults: { lease: 5 }',
  'tasks: [a]',
  'tasks: { a: x }',
  'tasks: { "a b": {} }',
  'tasks: { a: { run: {} } }',
  'tasks: { a: { depends_on: b } }',
  'tasks: { a: { priority: hihg } }',
  'tasks: { a: { retry: { attempts: 1.5 } } }',
  'tasks: { a: { retry: { on: [0] } } }',
  'tasks: { a: { timeout: [5m] } }',
  'tasks: { a: { timeout: { soft: soon } } }',
  'tasks: { a: { shards: 0 } }',
  'tasks: { a: { in: tmxu } }',
  'tasks: { a: { env: { 1A: x } } }',
  'tasks: { a: { needs: ["a b"] } }',
])('other editors refuse what we do: %s', (text) => {
  expect([hasErrors(text), isValid(text)]).toStrictEqual([true, false]);
});

test('other editors take what we take', { timeout: 60_000 }, () => {
  let taken = 0;
  fc.assert(
    fc.property(planText, (text) => {
      if (hasErrors(text)) return;
      taken += 1;
      expect(isValid(text)).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(50);
});
