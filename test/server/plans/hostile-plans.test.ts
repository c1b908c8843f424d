import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzePlan } from '../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import {
  checkProblems as check,
  checkTaskProblems as checkTask,
} from '../../support/check-problems.ts';

const ANCHOR =
  'error syntax: Anchors and aliases are not allowed in a plan; a text that starts with "*" or "&" needs quotes.';
const LEAVES = 'error invalid-path: A path cannot leave the workspace folder with "..".';
const ABSOLUTE =
  'error invalid-path: Paths are relative to the workspace folder: no leading "/", "~" or drive letter.';
const BACKSLASH = 'error invalid-path: Write "/" between folders, on every system.';
const ID =
  'error invalid-id: An id starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".';
const ONE_DOCUMENT =
  'error syntax: A plan is one document: leave out the "---" or "..." and what follows it.';
const TABS = 'error syntax: This is not YAML: lines are indented with spaces, not with tabs.';

test('YAML bombs: a task that explodes when its aliases are followed is refused', () => {
  const levels = Array.from(
    { length: 30 },
    (_, index) => `      E${index + 1}: &x${index + 1} [*x${index}, *x${index}]\n`,
  );
  const text = `tasks:\n  a:\n    env:\n      E0: &x0 lol\n${levels.join('')}`;
  const { tasks, problems } = parseInterlockYaml(text);
  expect(tasks).toStrictEqual([]);
  expect(new Set(problems.map(({ message }) => `error syntax: ${message}`))).toStrictEqual(
    new Set([ANCHOR]),
  );
});

/** Globs that are cheap to write and dear to compare, and the plans took from 10 s to more than 100 s. */
const DEAR: Readonly<Record<string, (task: number) => readonly string[]>> = {
  'rows of "?" that are taken away': (n) => {
    const hard = `*a${'?'.repeat(10 + (n % 7))}`;
    return [`${hard}*`, `!${hard}?*`, `**/${hard}`, `!**/${hard}*`];
  },
  'letters with "*" between them': (n) => [
    `**/*${Array.from({ length: 240 }, (_, k) => 'abcdefghijklm'[(k * 7 + n * 3) % 13]).join('*')}*${n % 2}`,
  ],
  'many alternatives': (n) => [
    `{${Array.from({ length: 50 }, (_, k) => `**/*a${k}*b${n}*`).join(',')}}`,
  ],
  'long lists that meet at their ends': (n) => [
    ...Array.from({ length: 200 }, (_, k) => (n % 2 === 0 ? `k${k}${n}` : `${k}/${n}`)),
    'z',
  ],
  'many "**"': (n) => [`${'**/*a*/'.repeat(60)}x${n}`],
};

for (const [name, writesOf] of Object.entries(DEAR))
  test(`dear globs: ${name} are compared as far as that is soon done`, { timeout: 10_000 }, () => {
    const tasks = Array.from(
      { length: 150 },
      (_, n) => `  t${n}: { run: x, writes: ${JSON.stringify(writesOf(n))} }\n`,
    );
    const parsed = parseInterlockYaml(`tasks:\n${tasks.join('')}`);
    const started = process.cpuUsage();
    const { problems } = analyzePlan(parsed, { foldCase: false });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(4000);
    expect(problems.some(({ code }) => code === 'hazard' || code === 'more-problems')).toBe(true);
  });

const TOO_MANY =
  'A list has at most 1000 path patterns, and each alternative of "{…}" counts as one. Name folders or use wildcards instead.';

function listMessages(globs: readonly string[]): readonly string[] {
  const { problems } = parseInterlockYaml(
    `tasks: { a: { run: x, writes: ${JSON.stringify(globs)} } }`,
  );
  return problems.map(({ message }) => message);
}

test('dear globs: a list has at most 1000', () => {
  const named = Array.from({ length: 1001 }, (_, n) => `f${n}.ts`);
  expect(listMessages(named.slice(1))).toStrictEqual([]);
  expect(listMessages(named)).toStrictEqual([TOO_MANY]);
  const folders = named.slice(501).map((name) => `{a,b,c}/${name}`);
  expect(listMessages(folders)).toStrictEqual([TOO_MANY]);
});

check('cyclic anchors: a list that holds itself is refused', 'name: &a «[«*a»]»', [ANCHOR, ANCHOR]);
check('cyclic anchors: a mapping that holds itself is refused', 'tasks: &a «{ «*a» : x }»', [
  ANCHOR,
  ANCHOR,
]);

test('a file of 10 MB is refused without being read', () => {
  const { tasks, problems } = parseInterlockYaml(`tasks:\n${'  a: { run: x }\n'.repeat(650_000)}`);
  expect(tasks).toStrictEqual([]);
  expect(problems).toStrictEqual([
    {
      code: 'too-large',
      severity: 'error',
      message: 'A plan has at most 1 MiB. Split it into several files.',
      range: { start: 0, end: 6 },
      related: [],
    },
  ]);
});

test('letters of several bytes count as bytes', () => {
  const texts = [512 * 1024 - 1, 512 * 1024].map((count) => `#${'ä'.repeat(count)}`);
  const codes = texts.map((text) => parseInterlockYaml(text).problems.map(({ code }) => code));
  expect(codes).toStrictEqual([[], ['too-large']]);
});

for (const [what, text] of Object.entries({
  brackets: '['.repeat(100_000),
  braces: '{ a: '.repeat(100_000),
  'brackets in a task': `tasks:\n  a:\n    run: ${'['.repeat(100_000)}`,
  'closed brackets': `x: ${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  dashes: `tasks:\n  a:\n    after: \n      ${'- '.repeat(100_000)}`,
  'question marks': '? '.repeat(100_000),
}))
  test(`100 000 ${what} are refused`, () => {
    const { problems } = parseInterlockYaml(text);
    expect(problems.map(({ code }) => code)).toContain('too-large');
  });

for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
  check(
    `"${name}" is no key of a plan`,
    `«${name}»: { polluted: yes }`,
    `warning unknown-key: "${name}" is not a key of a plan.`,
  );
  checkTask(
    `"${name}" is no key of a task`,
    `«${name}»: { polluted: yes }`,
    `warning unknown-key: "${name}" is not a key of a task.`,
  );
  checkTask(
    `"${name}" is no key of a retry`,
    `retry: { «${name}»: { polluted: yes } }`,
    `warning unknown-key: "${name}" is not a key of "retry".`,
  );
}

checkTask(
  'a NUL is in no text, path, id or argument',
  'title: «"\\0"», cwd: «"a\\0"», reads: [«"a\\0b"»], needs: [«"\\0"»], env: { A: «"\\0"» }',
  [
    'error wrong-type: "title" cannot contain a NUL character.',
    'error wrong-type: "cwd" cannot contain a NUL character.',
    'error wrong-type: "reads" cannot contain a NUL character.',
    'error wrong-type: "needs" cannot contain a NUL character.',
    'error wrong-type: "A" cannot contain a NUL character.',
  ],
);
check('an id that writes from right to left is refused', 'tasks:\n  «a\u202Eb»: { run: x }', ID);
check('an id with an escape sequence is refused', 'tasks:\n  «"\\e[31m"»: { run: x }', ID);
check('an id of half a character is refused', 'tasks:\n  «"\\uD83D"»: { run: x }', ID);
check('an id of 65 letters is refused', `tasks:\n  «${'a'.repeat(65)}»: { run: x }`, ID);
test('an id or key of 1 MB is refused, and cut where it is shown', () => {
  const long = 'a'.repeat(500_000);
  const { problems } = parseInterlockYaml(`${long}: x\ntasks:\n  ${long}: { run: x }\n`);
  expect(problems.map(({ code }) => code)).toContain('invalid-id');
  expect(problems.map(({ message }) => message)).toContain(
    `"${'a'.repeat(64)}…" is not a key of a plan.`,
  );
  expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(200);
});
check(
  'an escape sequence in a key is shown as text',
  '«"na\\e[31mme"»: x',
  'warning unknown-key: "na\\u{1b}[31mme" is not a key of a plan.',
);
check(
  'a mark in a dependency that turns the direction of text is shown as text',
  'tasks:\n  a: { run: x, after: [«"\\u202Eb"»] }',
  'error unknown-task: There is no task "\\u{202e}b" in this plan.',
);
check(
  'control characters in a limit are shown as text',
  'tasks:\n  a: { run: x, resources: { «"d\\u2066b"»: 1 } }',
  'error unknown-limit: There is no limit "d\\u{2066}b" in this plan.',
);

test('half a character in a title is kept, and harms nobody', () => {
  const { tasks, problems } = parseInterlockYaml('tasks:\n  a: { run: x, title: "a\uD800b" }');
  expect([problems, tasks[0]?.title]).toStrictEqual([[], 'a\uD800b']);
});

check(
  'a key is there once, and both places are told',
  'tasks:\n  a: { run: x, «run»: y }\n  «a»: { run: z }',
  ['error duplicate-key: "run" is here twice.', 'error duplicate-id: Duplicate task id "a".'],
);

test('a key that is there twice points at the first', () => {
  const text = 'tasks:\n  a: { run: x }\n  a: { run: y }\n';
  const [problem] = parseInterlockYaml(text).problems;
  expect(problem?.related).toStrictEqual([
    { message: 'It is here first.', range: { start: 9, end: 10 } },
  ]);
});

check(
  'ids that wait for themselves, for each other and for nobody are all said',
  'tasks:\n  a: { run: x, after: [«a»] }\n  b: { run: x, after: [«c»] }\n  c: { run: x, after: [«b»] }\n  d: { run: x, after: [«e»] }\n  f: { run: x }',
  [
    'error cycle: Dependency cycle: a → a. A task cannot wait for itself.',
    'error cycle: Dependency cycle: b → c → b. None of these tasks can start.',
    'error cycle: Dependency cycle: b → c → b. None of these tasks can start.',
    'error unknown-task: There is no task "e" in this plan.',
  ],
);

const PATHS: readonly (readonly [string, string])[] = [
  ['../x', LEAVES],
  ['a/../../x', LEAVES],
  ['a/..', LEAVES],
  ['/etc/passwd', ABSOLUTE],
  ['~', ABSOLUTE],
  ['~root/x', ABSOLUTE],
  ['C:/x', ABSOLUTE],
  ['c:x', ABSOLUTE],
  ['//server/share', ABSOLUTE],
  [String.raw`\\?\C:\x`, BACKSLASH],
  [String.raw`..\x`, BACKSLASH],
  [String.raw`a\b`, BACKSLASH],
  ['a//b', 'error invalid-path: A path has two slashes in a row.'],
  ['ab:stream', 'warning not-portable: On Windows no name has a ":" in it.'],
  ['ab::$DATA', 'warning not-portable: On Windows no name has a ":" in it.'],
  ['src/x.', 'warning not-portable: On Windows no name ends with a dot or a space, and "x." does.'],
  [
    'src /x',
    'warning not-portable: On Windows no name ends with a dot or a space, and "src " does.',
  ],
  ['...', 'warning not-portable: On Windows no name ends with a dot or a space, and "..." does.'],
  ['src/CON', 'warning not-portable: On Windows "CON" is a device, not a file.'],
  ['nul.txt', 'warning not-portable: On Windows "nul.txt" is a device, not a file.'],
  ['Aux/x', 'warning not-portable: On Windows "Aux" is a device, not a file.'],
  ['com1', 'warning not-portable: On Windows "com1" is a device, not a file.'],
];

for (const [path, problem] of PATHS)
  check(
    `a path of the form ${path} is said wherever it stands`,
    `tasks:\n  a: { run: x, cwd: «'${path}'», reads: [«'${path}'»], writes: [«'${path}'», x], «artifacts»: [«'${path}'»] }`,
    [
      problem,
      problem,
      problem,
      'warning not-yet: This version does not act on "artifacts" yet.',
      problem,
    ],
  );

checkTask(
  'names that only look like devices are names',
  'reads: [console, auxiliary/x, com10, nulls.ts, .nul]',
  [],
);
checkTask('a pattern that takes away leads nowhere, either', 'writes: [x, «"!../y"»]', LEAVES);

for (const [what, glob] of Object.entries({
  'braces in braces': '{a,b}'.repeat(20),
  'nested braces': `${'{a,'.repeat(100)}b${'}'.repeat(100)}`,
  'many alternatives': `{${Array.from({ length: 65 }, (_, index) => index).join(',')}}`,
}))
  test(`a glob explodes by ${what}, and is refused`, () => {
    const { problems } = parseInterlockYaml(`tasks:\n  a: { run: x, writes: ["${glob}"] }`);
    expect(problems.map(({ code }) => code)).toStrictEqual(['invalid-path']);
  });

for (const [what, more] of [
  ['thousands of tasks whose globs all meet', ''],
  ['hundreds of tasks whose globs meet and take each other away', `, "!${'*/'.repeat(60)}**/*7"`],
] as const)
  test(`${what} are compared until it takes too long`, () => {
    const glob = `**/${'*a*b*?/**/'.repeat(20)}`;
    const count = more === '' ? 1500 : 300;
    const tasks = Array.from(
      { length: count },
      (_, index) => `  t${index}: { run: x, writes: ["${glob}*${index}*"${more}] }\n`,
    );
    const { problems } = analyzePlan(parseInterlockYaml(`tasks:\n${tasks.join('')}`), {
      foldCase: false,
    });
    expect(problems.filter(({ code }) => code === 'hazard').length).toBeGreaterThan(100);
  });

test('tasks that each take hundreds of globs away are told of', () => {
  const tasks = Array.from({ length: 60 }, (_, index) => {
    const takenAway = Array.from({ length: 200 }, (__, other) => `"!${other}/**/*${index}*"`);
    return `  t${index}: { run: x, writes: ["**", ${takenAway.join(', ')}] }\n`;
  });
  const text = `tasks:\n${tasks.join('')}`;
  const { problems } = analyzePlan(parseInterlockYaml(text), { foldCase: false });
  expect(problems.filter(({ code }) => code === 'hazard').length).toBeGreaterThan(100);
});

test('as many globs as a list may have are compared with as many others', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  const [some, others] = [(n: number) => `a/${n}/**`, (n: number) => `a/*/${n}`].map((glob) =>
    numbers.map(glob).join(', '),
  );
  const text = `tasks:\n  a: { run: x, writes: [${some}] }\n  b: { run: x, writes: [${others}] }\n`;
  const { problems } = analyzePlan(parseInterlockYaml(text), { foldCase: false });
  expect(problems.map(({ message }) => message)).toContain(
    'Task "b" also writes "a/0/0", and nothing says which of the two goes first.',
  );
});

test('globs that a regular expression would choke on are compared', () => {
  const glob = `${'**/'.repeat(200)}${'*a'.repeat(100)}`;
  const text = `tasks:\n  a: { run: x, writes: ["${glob}"] }\n  b: { run: x, writes: ["${'a'.repeat(900)}b"] }`;
  const { problems } = analyzePlan(parseInterlockYaml(text), { foldCase: true });
  expect(problems.filter(({ severity }) => severity === 'error')).toStrictEqual([]);
});

for (const text of [
  '',
  '---\n',
  '# one\n\n   # two\r\n#three',
  ' \n\t\n',
  '\uFEFF',
  '---\n# x\n...\n',
])
  test(`${JSON.stringify(text)} is an empty plan`, () => {
    const { tasks, problems } = parseInterlockYaml(text);
    expect([tasks, problems]).toStrictEqual([[], []]);
  });
check('a second document is left out', 'name: a\n«---»\nname: b\n', ONE_DOCUMENT);
check('"..." ends a plan', 'tasks: { a: {} }\n...\n', []);
check('what follows "..." is left out', 'name: a\n...\n«name: b»', ONE_DOCUMENT);
check(
  '"---" above a plan is a part of it',
  '# shop\n--- # here\nname: a\ntasks:\n  a: { run: x }\n',
  [],
);
check('a directive above a plan is read past', '%FOO bar\n---\ntasks: { a: {} }\n', []);
check(
  'CRLF is a line break, in blocks of text, too',
  'tasks:\r\n  a:\r\n    run: |\r\n      x\r\n\r\n    «naem»: y\r\n',
  'warning unknown-key: "naem" is not a key of a task.',
);
check('a byte order mark counts as one character', '\uFEFF«nmae»: x\ntasks:\n  a: { run: x }\n', [
  'warning unknown-key: "nmae" is not a key of a plan. Did you mean "name"?',
]);
check('a tab is a space behind a value', 'name: a\t# x\ntasks:\n  a: { run: x }\t\n', []);

test('a tab indents nothing, and the plan says so', () => {
  const { problems } = parseInterlockYaml('tasks:\n\ta:\n\t\trun: x\n');
  expect(
    problems.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
  ).toContain(TABS);
});

test('no text makes reading fail, or point outside of itself', { timeout: 60_000 }, () => {
  const piece = fc.constantFrom(
    'tasks:',
    '\n',
    '  a:',
    '    run: x',
    ' ',
    '\t',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '- ',
    '&a',
    '*a',
    '!!str',
    '|',
    '>',
    '? ',
    ': ',
    '#',
    '%',
    '---',
    '...',
    '\0',
    '\uFEFF',
    '\u202E',
    '\uD800',
    '\r\n',
    '\r',
    '<<:',
    '__proto__:',
    '~',
    'defaults:',
    'limits:',
    '`',
    '@',
    '\u2028',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (any) => {
      const { problems, tasks } = analyzePlan(parseInterlockYaml(any), { foldCase: false });
      const ranges = [...problems.map(({ range }) => range), ...tasks.map(({ range }) => range)];
      for (const { start, end } of ranges) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(any.length);
      }
    }),
    { numRuns: 2000 },
  );
});
