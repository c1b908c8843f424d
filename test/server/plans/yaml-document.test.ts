import { expect, test } from 'vitest';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { checkProblems as check } from '../../support/check-problems.ts';

const REFUSED_ANCHOR =
  'error syntax: Anchors and aliases are not allowed in a plan; a text that starts with "*" or "&" needs quotes.';
const REFUSED_TAG =
  'error syntax: Tags are not allowed in a plan; a text that starts with "!" needs quotes.';
const TOO_DEEP = 'error too-large: A plan nests at most 50 levels deep.';

check(
  'a text that is not closed is marked',
  'name: «"a»',
  'error syntax: This is not YAML: nothing closes this quote.',
);
for (const [where, text] of [
  ['above other tasks', 'tasks:\n  a:\n    run: «"x y»\n    writes: [z]\n  b: { run: x }\n'],
  ['with CRLF and blanks behind it', "tasks:\r\n  a:\r\n    run: «'x»  \r\n  b: { run: x }\r\n"],
  ['that ends with one that is escaped', 'name: «"a\\"»\n'],
  ['that ends with two for one', "name: «'a''»\n"],
  ['alone', 'tasks:\n  a:\n    title: «"»\n  b: { run: x }\n'],
  ['in brackets', "tasks:\n  a: { run: «'x, writes: [y] }»\n  b: { run: y }\n"],
  [
    'that ends with one that is escaped, where the plan is read as a whole',
    'tasks:\n  a:\n    run: «"x\\"»\n    writes: [y]\n  "b": { run: "x" }\n',
  ],
  [
    'that ends with two for one, where the plan is read as a whole',
    "tasks:\n  a:\n    run: «'x''»\n    writes: [y]\n  'b': { run: 'it''s' }\n",
  ],
  ['behind some that are closed', 'name: "x"\ntasks:\n  a: { run: "y" }\n  "b":\n    run: «"z»\n'],
] as const)
  check(
    `an open quote is marked on its own line: ${where}`,
    text,
    'error syntax: This is not YAML: nothing closes this quote.',
  );
for (const [where, text] of [
  ['behind a comment', 'tasks:\n  a:\n    run: x # fast«\r»    writes: [y]\n'],
  ['in a text', 'tasks:\n  a:\n    run: |\n      x«\r»    writes: [y]\n'],
  ['above CRLF', 'tasks:\r\n  a: { run: x } # fast«\r»\r\n'],
  ['again and again', '# a«\r»# b\r# c\r'],
] as const)
  check(
    `a line that ends with CR alone is an error, since editors show two lines: ${where}`,
    text,
    'error syntax: Lines end with LF or CRLF, and this one ends with CR alone.',
  );
check('a command with ": " is told to use quotes', 'name: ««e»cho: x»', [
  'error wrong-type: "name" is a text.',
  'error syntax: This is not YAML: a value that contains ": " needs quotes, or "|" and a line of its own.',
]);
const WRITES = 'tasks:\n  a:\n    run: x\n    writes:';
check('a path that starts with "*" is told to use quotes', `${WRITES} [«*.ts»]\n`, REFUSED_ANCHOR);
check('a path that starts with "!" is told to use quotes', `${WRITES} [y, !z«»]\n`, REFUSED_TAG);
check('a path with braces is told to use quotes', `${WRITES} [«src/«{»a,b}»]\n`, [
  'error wrong-type: "writes" is a text.',
  'error syntax: This is not YAML: a "," is missing here, or quotes around a text with "{", "[" or a quote in it.',
]);
check('anchors are refused', 'name: &a «x»', REFUSED_ANCHOR);
check('anchors without a value are refused', 'name: &a«»', REFUSED_ANCHOR);
check('anchors on keys are refused', '&a «name»: x', REFUSED_ANCHOR);
check('aliases are refused', 'name: «*a»', REFUSED_ANCHOR);
check('merge keys are refused with their alias', 'name: &a «x»\n<<: «*a»', [
  REFUSED_ANCHOR,
  REFUSED_ANCHOR,
]);
check(
  'a merge key without an alias is an unknown key',
  '«<<»: { name: x }',
  'warning unknown-key: "<<" is not a key of a plan.',
);
check('tags are refused', 'name: !x «y»', REFUSED_TAG);
check('"!" is a tag', 'name: ! «5»', REFUSED_TAG);
check('tags of YAML itself are refused', 'name: !!str «5»', REFUSED_TAG);
check('tags of collections are refused', 'tasks: !!map «{ a: { run: x } }»', REFUSED_TAG);
check(
  '50 levels are read',
  `«x»: ${'['.repeat(49)}1${']'.repeat(49)}`,
  'warning unknown-key: "x" is not a key of a plan.',
);
check('51 levels are refused', `x: ${'['.repeat(50)}«1»${']'.repeat(50)}`, TOO_DEEP);
const FULL_PLAN = 'tasks: { a: { run: x } } #';
check('100 000 brackets are refused', `«${'['.repeat(100_000)}»`, TOO_DEEP);
check('100 000 braces are refused', `«${'{'.repeat(100_000)}»`, TOO_DEEP);
check('90 000 dashes are refused', `«${'- '.repeat(90_000)}»`, TOO_DEEP);
check('a plan of 1 MiB is read', FULL_PLAN.padEnd(1024 * 1024, 'x'), []);
check(
  'a larger plan is refused on its first line',
  `«#»\r\n${'x'.repeat(1024 * 1024)}`,
  'error too-large: A plan has at most 1 MiB. Split it into several files.',
);
check(
  'a NUL is refused',
  'name: «a\0b»',
  'error wrong-type: "name" cannot contain a NUL character.',
);
check(
  'a NUL that is spelled out is refused',
  'name: «"a\\0b"»',
  'error wrong-type: "name" cannot contain a NUL character.',
);
check('a list is no plan', '«- a»', 'error wrong-type: A plan starts with keys: "tasks:" …');
check(
  'ranges count the characters of CRLF',
  'version: 1\r\n«nmae»: x\r\n',
  'warning unknown-key: "nmae" is not a key of a plan. Did you mean "name"?',
);

test('a text that explodes when its aliases are followed is refused at once', () => {
  const levels = Array.from(
    { length: 30 },
    (_, index) => `x${index + 1}: &x${index + 1} [*x${index}, *x${index}]`,
  );
  const { problems, tasks } = parseInterlockYaml(`x0: &x0 lol\n${levels.join('\n')}`);
  expect(new Set(problems.map(({ message }) => `error syntax: ${message}`))).toStrictEqual(
    new Set([REFUSED_ANCHOR]),
  );
  expect(tasks).toStrictEqual([]);
});
