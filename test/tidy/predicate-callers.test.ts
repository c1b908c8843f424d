import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

const PREDICATE = 'server/scheduler/predicate/may-start.ts';
/** What the predicate is made of. */
const PARTS = [
  'server/scheduler/predicate/choose-place.ts',
  'server/scheduler/predicate/hazards.ts',
  PREDICATE,
  'server/scheduler/predicate/welcome.ts',
];
/** A run that ends as stuck says what the predicate found of its tasks. */
const QUOTES = ['server/scheduler/decisions/finish-runs.ts unsatisfiable'];
/** Words for other things too, outside the scheduler. */
const SHARED_WORDS = new Set(['attention', 'host', 'untrusted']);

test('only the predicate makes reasons for which a task may not start', () => {
  const kinds = reasonKinds();
  const made = projectFiles('server/**/*.ts').flatMap((file) =>
    kindsMadeIn(file)
      .filter((kind) => kinds.has(kind) && !isOther(file, kind))
      .map((kind) => `${file} ${kind}`),
  );
  const foreign = made.filter((each) => !PARTS.includes(each.split(' ')[0] ?? ''));
  expect([...new Set(foreign)]).toEqual(QUOTES);
  const makers = new Set(made.map((each) => each.split(' ')[0]));
  expect([...makers].filter((file) => PARTS.includes(file ?? ''))).toEqual(PARTS);
});

test('whoever needs to know whether a task may start asks the predicate', () => {
  const callers = projectFiles('server/**/*.ts').filter(
    (file) => file !== PREDICATE && /\bmayStart\(/.test(readText(file)),
  );
  expect(callers).toEqual(expect.arrayContaining(ASKERS));
});

/** The scheduler, claims, wake-ups, the tree, `why`. */
const ASKERS = [
  'server/board/task-status.ts',
  'server/scheduler/decisions/claim-ready.ts',
  'server/scheduler/decisions/pull-cycle.ts',
  'server/scheduler/requests/claim.ts',
  'server/scheduler/predicate/why.ts',
];

test('nobody asks a part of the predicate alone', () => {
  const parts = /\b(choosePlace|reasonsOfFiles|reasonsOfWorker|reasonsOfResources|outranks)\(/;
  const callers = projectFiles('server/**/*.ts').filter((file) => parts.test(readText(file)));
  const keepers = ['reservations', 'turn'].map((name) => `server/scheduler/predicate/${name}.ts`);
  expect(callers).toEqual([...PARTS, ...keepers].toSorted());
});

test('what makes a reason is found, and what names one is not', () => {
  const text =
    "const a = { kind: 'parallel', limit }; type B = { kind: 'host' }; a.kind === 'hazard';";
  expect(kindsMadeBy(text)).toEqual(['parallel']);
});

function isOther(file: string, kind: string): boolean {
  return SHARED_WORDS.has(kind) && !file.startsWith('server/scheduler/');
}

/** The kinds of the union `Reason`. */
function reasonKinds(): ReadonlySet<string> {
  const [, union = ''] = readText('server/scheduler/model/reason.ts').split('export type Reason =');
  const [own = ''] = union.split('export type ');
  const kinds = [...own.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(10);
  return new Set([...kinds, 'unsatisfiable']);
}

function kindsMadeIn(file: string): readonly string[] {
  return kindsMadeBy(readText(file));
}

/** The `kind` of every object that is written out. */
function kindsMadeBy(text: string): readonly string[] {
  const kinds: string[] = [];
  new Visitor({
    ObjectExpression({ properties }) {
      for (const property of properties)
        if (
          property.type === 'Property' &&
          property.key.type === 'Identifier' &&
          property.key.name === 'kind' &&
          property.value.type === 'Literal' &&
          typeof property.value.value === 'string'
        )
          kinds.push(property.value.value);
    },
  }).visit(parseSync('any.ts', text).program);
  return kinds;
}
