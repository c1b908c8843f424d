import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keysAt } from '../../server/plans/schema/describe.ts';
import { PlanColours } from '../support/plan-colours.ts';

// VS Code's own grammars lie on the disk with VS Code, which is why this is an integration test.
const colours = await PlanColours.load();

/** `marked`: each stretch of one kind with the text it covers, line by line. */
function check(name: string, text: string, marked: readonly string[]): void {
  test(name, () => expect(colours.marksOf(text)).toEqual(marked));
}

for (const { name: key } of keysAt([]))
  check(`${key} is a key of a plan`, `${key}: x`, [`key ${key}`, 'text x']);

/** What is behind these keys is more than text. */
const VALUES = new Map([
  ['run', 'shell'],
  ['depends_on', 'id'],
  ['after', 'id'],
]);

for (const { name: key } of keysAt(['tasks', 'any']))
  check(`${key} is a key of a task`, `tasks:\n  a:\n    ${key}: x`, [
    'key tasks',
    'id a',
    `key ${key}`,
    `${VALUES.get(key) ?? 'text'} x`,
  ]);

check('a key that no plan has is a key of YAML', 'tsks: x', ['yaml-key tsks', 'text x']);

check('a key that no task has is a key of YAML', 'tasks:\n  a:\n    rum: x', [
  'key tasks',
  'id a',
  'yaml-key rum',
  'text x',
]);

check('what begins or ends like a key is none', 'my-name: x\nnames: x\nname.x: x\nname:x', [
  'yaml-key my-name',
  'text x',
  'yaml-key names',
  'text x',
  'yaml-key name.x',
  'text x',
  'text name:x',
]);

check('a plan that begins with a comment is coloured like any other', '# ours\n\nname: x', [
  'comment # ours',
  'key name',
  'text x',
]);

check('a plan that begins with an empty line is coloured like any other', '\nname: x', [
  'key name',
  'text x',
]);

check('a plan that begins with the mark of a document is coloured', '---\nname: x', [
  'key name',
  'text x',
]);

check('keys directly below tasks are ids', 'tasks:\n  a:\n  b-2.c_d:\n  "e f":', [
  'key tasks',
  'id a',
  'id b-2.c_d',
  'id "e f"',
]);

check('a task may have the name of a key', 'tasks:\n  run:\n    run: x\n  writes:', [
  'key tasks',
  'id run',
  'key run',
  'shell x',
  'id writes',
]);

check('indentation may be of any width', 'tasks:\n a:\n  run: x\n b:\n      run: x', [
  'key tasks',
  'id a',
  'key run',
  'shell x',
  'id b',
  'key run',
  'shell x',
]);

check('comments and empty lines do not end the tasks', 'tasks:\n# one\n\n  a:\n# two\n    run: x', [
  'key tasks',
  'comment # one',
  'id a',
  'comment # two',
  'key run',
  'shell x',
]);

check('a key of the plan ends the tasks', 'tasks:\n  a:\nlimits:\n  run: 1', [
  'key tasks',
  'id a',
  'key limits',
  'yaml-key run',
  'text 1',
]);

check('keys below other keys of the plan are no ids', 'agents:\n  tasks:\n    run: x', [
  'key agents',
  'yaml-key tasks',
  'yaml-key run',
  'text x',
]);

check('names of environment variables are no keys', 'tasks:\n  a:\n    env:\n      run: x', [
  'key tasks',
  'id a',
  'key env',
  'yaml-key run',
  'text x',
]);

check('a key-like word inside a value is text', 'tasks:\n  a:\n    title: run, then reads', [
  'key tasks',
  'id a',
  'key title',
  'text run, then reads',
]);

check('a key-like word inside a quoted value is text', `name: "run: x"\nname: 'tasks: x'`, [
  'key name',
  'quoted "run: x"',
  'key name',
  "quoted 'tasks: x'",
]);

check(
  'a quoted value goes on over lines',
  'tasks:\n  a:\n    title: "b\n      run: c"\n    run: d',
  ['key tasks', 'id a', 'key title', 'quoted "b', 'quoted run: c"', 'key run', 'shell d'],
);

check(
  'a block of text is text, whatever it looks like',
  'tasks:\n  a:\n    description: >\n      run: x\n\n      b:\n    run: y',
  ['key tasks', 'id a', 'key description', 'text run: x', 'text b:', 'key run', 'shell y'],
);

const BLOCK = 'tasks:\n  a:\n    run: |';
const BLOCK_MARKS = ['key tasks', 'id a', 'key run'];

check('run: | is shell', `${BLOCK}\n      make all`, [...BLOCK_MARKS, 'shell make all']);

for (const header of ['|', '|-', '|+', '>', '>-', '|2', '|2-', '|-2', '|  # why'])
  check(`run: ${header} begins a shell script`, `tasks:\n  a:\n    run: ${header}\n        make`, [
    ...BLOCK_MARKS,
    ...(header.includes('#') ? ['comment # why'] : []),
    'shell make',
  ]);

check('a script ends where the indentation ends', `${BLOCK}\n      make\n    reads: x\n  b:`, [
  ...BLOCK_MARKS,
  'shell make',
  'key reads',
  'text x',
  'id b',
]);

check('a script ends where the next task begins', `${BLOCK}\n      make\n  b:\n    run: x`, [
  ...BLOCK_MARKS,
  'shell make',
  'id b',
  'key run',
  'shell x',
]);

check('a script ends where the next key of the plan begins', `${BLOCK}\n      make\nname: x`, [
  ...BLOCK_MARKS,
  'shell make',
  'key name',
  'text x',
]);

check('a script goes on after empty lines', `${BLOCK}\n\n      make\n\n  \n      test\n`, [
  ...BLOCK_MARKS,
  'shell make',
  'shell test',
]);

check('an empty script is followed by the next key', `${BLOCK}\n    reads: x`, [
  ...BLOCK_MARKS,
  'key reads',
  'text x',
]);

check('a key-like word inside a script is shell', `${BLOCK}\n      run: x\n      tasks: y`, [
  ...BLOCK_MARKS,
  'shell run: x',
  'shell tasks: y',
]);

check('a comment inside a script is shell', `${BLOCK}\n      # why\n      make # it`, [
  ...BLOCK_MARKS,
  'shell # why',
  'shell make # it',
]);

check('a comment with less indentation than the script is YAML', `${BLOCK}\n      make\n  # why`, [
  ...BLOCK_MARKS,
  'shell make',
  'comment # why',
]);

for (const open of ['echo "open', "echo 'open", 'if true; then', 'cat <<END', 'f() {', 'x=$(('])
  check(`a script that leaves "${open}" open ends all the same`, `${BLOCK}\n      ${open}\n  b:`, [
    ...BLOCK_MARKS,
    `shell ${open}`,
    'id b',
  ]);

check(
  'lines that end with CR LF make no difference',
  `${BLOCK}\n      make\n\n    reads: x\n`.replaceAll('\n', '\r\n'),
  [...BLOCK_MARKS, 'shell make', 'key reads', 'text x'],
);

test('a script is tokenised by the grammar for shell scripts', () => {
  expect(colours.scopesOf(`${BLOCK}\n      if make; then`, 'if')).toContain(
    'keyword.control.if.shell',
  );
});

check('run on one line is shell, its comment too', 'tasks:\n  a:\n    run: make all # why', [
  'key tasks',
  'id a',
  'key run',
  'shell make all # why',
]);

check('run as a list stays YAML', 'tasks:\n  a:\n    run: [make, "a ll"]', [
  'key tasks',
  'id a',
  'key run',
  'text make',
  'quoted "a ll"',
]);

check('run: | below another key is text', 'tasks:\n  a:\n    env:\n      run: |\n        make', [
  'key tasks',
  'id a',
  'key env',
  'yaml-key run',
  'text make',
]);

check('prompt: | is Markdown', 'tasks:\n  a:\n    prompt: |\n      # Go\n\n      run: x\n  b:', [
  'key tasks',
  'id a',
  'key prompt',
  'markdown # Go',
  'markdown run: x',
  'id b',
]);

test('a prompt is tokenised by the grammar for Markdown, without its indentation', () => {
  const prompt = 'tasks:\n  a:\n    prompt: |\n      # Go';
  expect(colours.scopesOf(prompt, 'Go')).toContain('entity.name.section.markdown');
});

const PATHS_MARKS = ['key tasks', 'id a', 'key writes'];

check('! takes paths away', `tasks:\n  a:\n    writes: ["!a/**", '!b', "c"]`, [
  ...PATHS_MARKS,
  'quoted "',
  'takes-away !',
  'quoted a/**"',
  "quoted '",
  'takes-away !',
  "quoted b'",
  'quoted "c"',
]);

check('! takes paths away in a list of lines', 'tasks:\n  a:\n    writes:\n      - "!a"', [
  ...PATHS_MARKS,
  'quoted "',
  'takes-away !',
  'quoted a"',
]);

check(
  'the lines of a list may stand right below their key',
  'tasks:\n  a:\n    writes:\n    - "!a"',
  [...PATHS_MARKS, 'quoted "', 'takes-away !', 'quoted a"'],
);

check('! inside of a path takes nothing away', `tasks:\n  a:\n    writes: ["a!b", "a'!'b", "!"]`, [
  ...PATHS_MARKS,
  'quoted "a!b"',
  `quoted "a'!'b"`,
  'quoted "!"',
]);

check('! of another key takes nothing away', 'tasks:\n  a:\n    title: "!a"', [
  'key tasks',
  'id a',
  'key title',
  'quoted "!a"',
]);

check('a comment goes to the end of its line', '# one: two\nname: x # "three\nname: x#y', [
  'comment # one: two',
  'key name',
  'text x',
  'comment # "three',
  'key name',
  'text x#y',
]);

check('a # in quotes is no comment', 'name: "a # b"', ['key name', 'quoted "a # b"']);

check('a flow map has keys of YAML', 'limits: { parallel: 2, run: 3 }', [
  'key limits',
  'yaml-key parallel',
  'text 2',
  'yaml-key run',
  'text 3',
]);

check(
  'a list may end at the indentation of its key',
  'tasks:\n  a:\n    after: [\n      b,\n    ]\n    run: x',
  ['key tasks', 'id a', 'key after', 'id b', 'key run', 'shell x'],
);

check(
  'a flow map may end at the indentation of its task',
  'tasks:\n  a: {\n    run: x\n  }\n  b:',
  ['key tasks', 'id a', 'key run', 'shell x', 'id b'],
);

test('the example is marked without a fault', () => {
  const example = readFileSync(new URL('../../examples/interlock.yaml', import.meta.url), 'utf8');
  const marks = colours.marksOf(example);
  expect(new Set(marks.filter((mark) => mark.startsWith('id ')))).toEqual(
    new Set(['recipe', 'bread', 'cake', 'shopping', 'prices', 'oven'].map((id) => `id ${id}`)),
  );
  expect(marks.filter((mark) => /^(?:invalid|yaml-key) /.test(mark))).toEqual([
    'yaml-key parallel',
  ]);
});
