import { expect, test } from 'vitest';
import { nodeAt, type YamlPlace } from '../../../../server/language/yaml/node-at.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';
import { readCursor } from '../../../support/marked-text.ts';

/** What is at the `¦`: `role path «text»`, then what else is known of it. */
function check(name: string, marked: string, expected: string): void {
  for (const [ending, how] of [
    ['\n', ''],
    ['\r\n', ', with CRLF'],
  ] as const)
    test(`${name}${how}`, () => {
      const { text, offset } = readCursor(marked.replaceAll('\n', ending));
      const place = nodeAt(readTree(text), offset);
      const found = place === undefined ? 'nothing' : said(place, text);
      expect(found.replaceAll('\r', '')).toBe(expected);
    });
}

function said(place: YamlPlace, text: string): string {
  const { path, role, range, isInBrackets, isAtLineStart, needsDash } = place;
  const written = text.slice(range.start, range.end);
  const notes = [
    ...(place.text === written ? [] : [`means ${place.text}`]),
    ...(isInBrackets ? ['in brackets'] : []),
    ...(isAtLineStart ? ['at line start'] : []),
    ...(needsDash ? ['needs a dash'] : []),
  ];
  return [`${role} ${path.join('.') || '.'} «${written}»`, ...notes].join(', ');
}

// Keys.
check('a key of the plan', `ta¦sks:\n  a: { run: x }`, 'key . «tasks», at line start');
check('its beginning', `¦tasks:\n  a: { run: x }`, 'key . «tasks», at line start');
check('its end', `tasks¦:\n  a: { run: x }`, 'key . «tasks», at line start');
check('the id of a task', `tasks:\n  a¦pi:\n    run: x`, 'key tasks «api», at line start');
check(
  'a quoted id',
  `tasks:\n  "a\\x70i¦":\n    run: x`,
  'key tasks «"a\\x70i"», means api, at line start',
);
check('an id after "?"', `tasks:\n  ? ap¦i\n  : run: x`, 'key tasks «api»');
check('a key of a task', `tasks:\n  api:\n    r¦un: x`, 'key tasks.api «run», at line start');
check(
  'a half-typed key',
  `tasks:\n  api:\n    run: x\n    dep¦`,
  'key tasks.api «dep», at line start',
);
check(
  'a half-typed key in the middle',
  `tasks:\n  api:\n    dep¦\n    run: x`,
  'key tasks.api «dep», at line start',
);
check(
  'a half-typed key between two',
  `tasks:\n  api:\n    run: x\n    dep¦\n    cwd: y`,
  'key tasks.api «dep», at line start',
);
check('a half-typed id', `tasks:\n  api: { run: x }\n  ap¦`, 'key tasks «ap», at line start');
check('a half-typed key of the plan', `version: 1\nta¦\n`, 'key . «ta», at line start');
check('a half-typed key before others', `ta¦\nname: x`, 'key . «ta», at line start');
check('a half-typed key with a gap behind it', `a: 1\nfoo ¦`, 'nothing');
check('a key in braces', `tasks:\n  a: { r¦un: x }`, 'key tasks.a «run», in brackets');
check(
  'a half-typed key in braces',
  `tasks:\n  a: { run: x, de¦ }`,
  'key tasks.a «de», in brackets',
);
check(
  'a half-typed key in open braces',
  `tasks:\n  a: { run: x, de¦\n  b: {}`,
  'key tasks.a «de», in brackets',
);
check('a quoted key in braces', `a: {"b¦":1}`, 'key a «"b"», means b, in brackets');
check('a key of an item', `a:\n  - na¦me: x`, 'key a.0 «name»');
check('the second key of an item', `a:\n  - name: x\n    si¦: y`, 'key a.0 «si», at line start');

// Values.
check('a value', `tasks:\n  a:\n    priority: hi¦gh`, 'value tasks.a.priority «high»');
check('no value yet', `tasks:\n  a:\n    priority: ¦`, 'value tasks.a.priority «»');
check(
  'no value yet, and keys below',
  `tasks:\n  a:\n    priority: ¦\n    run: x`,
  'value tasks.a.priority «»',
);
check('no value yet, and no gap', `tasks:\n  a:\n    priority:¦`, 'value tasks.a.priority «»');
check('no value, two gaps', `a:  ¦ \nb: 1`, 'value a «»');
check('no value, and a comment', `a: ¦ # why`, 'value a «»');
check(
  'no value in braces',
  `tasks:\n  a: { priority: ¦ }`,
  'value tasks.a.priority «», in brackets',
);
check(
  'no value in braces before another',
  `tasks:\n  a: { priority: ¦, run: x }`,
  'value tasks.a.priority «», in brackets',
);
check(
  'no value in open braces',
  `tasks:\n  a: { priority: ¦`,
  'value tasks.a.priority «», in brackets',
);
check(
  'a value in braces',
  `tasks:\n  a: { priority: h¦, run: x }`,
  'value tasks.a.priority «h», in brackets',
);
check('a value in quotes', `a: 'it''s ¦x'`, `value a «'it''s x'», means it's x`);
check('a value in open quotes', `a: "x ¦y\nb: 1`, 'value a «"x y», means x y');
check('a value on the next line', `tasks:\n  a:\n    ru¦`, 'value tasks.a «ru», at line start');
check('no value on the next line', `tasks:\n  a:\n    ¦`, 'value tasks.a «», at line start');
check(
  'no value some lines below',
  `tasks:\n  a:\n\n\n    ¦\n  b: {}`,
  'value tasks.a «», at line start',
);
check('behind a key whose value is below', `tasks: ¦\n  a: {}`, 'nothing');
check('a value over two lines', `a: one\n  t¦wo\nb: 1`, 'value a «one\n  two»');
check(
  'a quoted value over two lines',
  `a: "one\n  t¦wo"\nb: 1`,
  'value a «"one\n  two"», means one\n  two',
);
check('a value with ": " in it', `a: b¦: c`, 'value a «b: c»');
check('an address', `a: http://x.y/¦z`, 'value a «http://x.y/z»');
check('behind a value', `a: b  ¦`, 'nothing');
check('behind a quoted value', `a: "b" ¦`, 'nothing');
check('a number', `a: 1¦2`, 'value a «12»');
check('a lonely word', `ta¦`, 'value . «ta», at line start');
check('an empty text', `¦`, 'value . «», at line start');
check('only empty lines', `\n\n¦\n`, 'value . «», at line start');

// Items.
check('an item', `a: [x, y¦y]`, 'item a.1 «yy», in brackets');
check('the first of a list that is empty', `a: [¦]`, 'item a.0 «», in brackets');
check('the next item', `a: [x, ¦]`, 'item a.1 «», in brackets');
check('the next item without a gap', `a: [x,¦]`, 'item a.1 «», in brackets');
check(
  'the next item of an open list',
  `tasks:\n  a:\n    writes: [x, ¦\n    run: x`,
  'item tasks.a.writes.1 «», in brackets',
);
check(
  'the first item of an open list',
  `tasks:\n  a:\n    writes: [¦\n    run: x`,
  'item tasks.a.writes.0 «», in brackets',
);
check(
  'a half-typed item of an open list',
  `tasks:\n  a:\n    writes: [x, y¦\n    run: x`,
  'item tasks.a.writes.1 «y», in brackets',
);
check(
  'an open list in braces',
  `tasks:\n  a: { writes: [x, ¦ }\n  b: {}`,
  'item tasks.a.writes.1 «», in brackets',
);
check(
  'a half-typed item in braces',
  `tasks:\n  a: { writes: [x, y¦ }\n  b: {}`,
  'item tasks.a.writes.1 «y», in brackets',
);
check('between two items', `a: [x, ¦, y]`, 'item a.1 «», in brackets');
check('before the first comma', `a: [¦, y]`, 'item a.0 «», in brackets');
check('behind an item without a comma', `a: [x ¦]`, 'nothing');
check('behind the bracket', `a: [x]¦`, 'nothing');
check('before the bracket', `a: ¦[x]`, 'nothing');
check('an item in quotes', `a: ['x¦']`, `item a.0 «'x'», means x, in brackets`);
check('an item in open quotes', `a: ['x¦\nb: 1`, `item a.0 «'x», means x, in brackets`);
check(
  'a list over lines',
  `a: [\n  x,\n  y¦,\n]\nb: 1`,
  'item a.1 «y», in brackets, at line start',
);
check(
  'an empty line of a list',
  `a: [\n  x,\n  ¦\n]\nb: 1`,
  'item a.1 «», in brackets, at line start',
);
check('an empty line of an open list', `a: [\n  x,\n  ¦\nb: 1`, 'nothing');
check('below an open list', `a: [\n  x,\n¦\nb: 1`, 'key . «», at line start');
check(
  'behind a comment in a list',
  `a: [\n  x, # ],[\n  ¦\n]`,
  'item a.1 «», in brackets, at line start',
);
check('an item below a dash', `a:\n  - x¦`, 'item a.0 «x»');
check('behind a dash', `a:\n  - x\n  - ¦`, 'item a.1 «»');
check('behind a dash with more below', `a:\n  - ¦\n  - x`, 'item a.0 «»');
check(
  'behind a dash in the column of its key',
  `tasks:\n  a:\n    writes:\n    - ¦`,
  'item tasks.a.writes.0 «»',
);
check('a dash alone', `a:\n  -¦`, 'item a.0 «»');
check('where a dash would be', `a:\n  - x\n  ¦`, 'item a.1 «», at line start, needs a dash');
check(
  'where a dash would be, between two',
  `a:\n  - x\n  ¦\n  - y`,
  'item a.1 «», at line start, needs a dash',
);
check('a list in a list', `a:\n  - - x\n    - y¦`, 'item a.0.1 «y»');
check('a mapping in brackets', `a: [{ b: x¦ }]`, 'value a.0.b «x», in brackets');
check('a pair in brackets', `a: [b: x¦]`, 'value a.0.b «x», in brackets');

// Empty lines.
check('a new key of a task', `tasks:\n  a:\n    run: x\n    ¦`, 'key tasks.a «», at line start');
check(
  'a new key in the middle',
  `tasks:\n  a:\n    run: x\n    ¦\n    cwd: y\n  b: {}`,
  'key tasks.a «», at line start',
);
check(
  'a new key at the beginning',
  `tasks:\n  a:\n    ¦\n    cwd: y\n  b: {}`,
  'key tasks.a «», at line start',
);
check('a new task', `tasks:\n  a:\n    run: x\n  ¦`, 'key tasks «», at line start');
check('a new task before others', `tasks:\n  ¦\n  a:\n    run: x`, 'key tasks «», at line start');
check('a new key of the plan', `tasks:\n  a:\n    run: x\n¦`, 'key . «», at line start');
check(
  'at the left of a line with more blanks',
  `tasks:\n  a:\n    run: x\n  ¦  `,
  'key tasks «», at line start',
);
check('further right than anything', `tasks:\n  a:\n    run: x\n        ¦`, 'nothing');
check('between the columns', `tasks:\n    a:\n        run: x\n      ¦`, 'nothing');
check('in the column of a key without a value', `a:\n¦`, 'key . «», at line start');
check('an empty line in braces', `a: {\n  b: 1,\n  ¦\n}`, 'key a «», in brackets, at line start');
check('in the indentation', `tasks:\n ¦ a: {}`, 'nothing');

// Texts and comments.
check('a comment', `# he¦re\na: 1`, 'nothing');
check('a comment behind a value', `a: 1 # he¦re`, 'nothing');
check('the end of a comment', `a: # here¦`, 'nothing');
check('"#" in a word', `a: b#¦c`, 'value a «b#c»');
check('"#" in quotes', `a: "b #¦c"`, 'value a «"b #c"», means b #c');
check('below "|"', `a: |\n  # te¦xt\nb: 1`, 'nothing');
check('an empty line below "|"', `a: |\n  text\n  ¦\nb: 1`, 'nothing');
check('the first line below "|"', `a: |\n  ¦\nb: 1`, 'nothing');
check('the first line below ">-" with a comment', `a: >- # why\n  ¦\nb: 1`, 'nothing');
check('what looks like a key below "|"', `a: |\n  run: ¦x\nb: 1`, 'nothing');
check('"|" itself', `a: |¦\n  x`, 'nothing');
check(
  'left of a text below "|"',
  `tasks:\n  a:\n    run: |\n      x\n    ¦`,
  'key tasks.a «», at line start',
);
check(
  'a key behind a text',
  `tasks:\n  a:\n    run: |\n      x\n\n    c¦wd: y`,
  'key tasks.a «cwd», at line start',
);

// Broken, or not as usual.
check('tabs', `tasks:\n\ta:\n\t\tpriority:\t¦`, 'value tasks.a.priority «»');
check(
  'a key that is indented too far',
  `tasks:\n  a:\n    run: x\n      cwd¦: y`,
  'key tasks.a.run «cwd», at line start',
);
check(
  'a key that is not indented enough',
  `tasks:\n    a:\n        run: x\n      cwd¦: y`,
  'key tasks.a «cwd», at line start',
);
check('behind a list that is not closed', `a: [x, {y: [\nb: ¦1`, 'value b «1»');
check('behind quotes that are not closed', `a: "x\nb: ¦1`, 'value b «1»');
check('a colon alone', `a:\n  : ¦`, 'value a. «»');
check('the beginning of a document', `--- \n%x\na: ¦1`, 'value a «1»');
check('a list where keys are', `a: 1\n- x¦\nb: 2`, 'item a.0 «x»');
