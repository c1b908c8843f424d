import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CST, parse, Parser } from 'yaml';
import { format, layoutEdits } from '../../../../server/language/format/format.ts';
import type { Edit } from '../../../../server/language/fixes/fix.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';
import type { Span } from '../../../../server/language/yaml/tree.ts';
import { parseInterlockYaml } from '../../../../server/plans/interlock-yaml.ts';
import { Choices, writtenPlan } from '../../../support/untidy-plan.ts';

function after(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (done, { range, text: wanted }) => done.slice(0, range.start) + wanted + done.slice(range.end),
    text,
  );
}

function formatted(text: string): string {
  return after(text, format(readTree(text)));
}

/** What the layout alone does, without asking whether the text still says the same. */
function laidOut(text: string): string {
  return after(text, layoutEdits(readTree(text), { start: 0, end: text.length }));
}

function check(name: string, text: string, expected: string): void {
  test(name, () => {
    expect(formatted(text)).toBe(expected);
    expect(format(readTree(expected))).toEqual([]);
  });
}

/** One that is left as it is. */
function checkKept(name: string, text: string): void {
  test(name, () => {
    expect(format(readTree(text))).toEqual([]);
  });
}

check(
  'maps are indented by two, whatever they were',
  'tasks:\n    a:\n       run: x\n       env:\n        A: b\n    b:\n     run: y\n',
  'tasks:\n  a:\n    run: x\n    env:\n      A: b\n  b:\n    run: y\n',
);
check(
  'dashes stand two behind their key, and keys behind a dash in line',
  'a:\n- b\n-   c: d\n    e: f\n\n- - g\n  -    h\nb:\n    -\n     i: j\n',
  'a:\n  - b\n  - c: d\n    e: f\n\n  - - g\n    - h\nb:\n  -\n    i: j\n',
);
check('one blank behind a colon, none before it', 'a :   b\n"c"   :\td\n', 'a: b\n"c": d\n');
check(
  'brackets on one line',
  'a: [b,c ,  d]\nb: {e: 1,f:   [ ]}\nc: [ {x: y},{ } , z: 1,]\n',
  'a: [b, c, d]\nb: { e: 1, f: [] }\nc: [{ x: y }, {}, z: 1,]\n',
);
check(
  'brackets over several lines move as one',
  'a:\n      b: [\n          c,d,\n          {e: 1},\n\n\n          # f\n      ]\n',
  'a:\n  b: [\n      c,d,\n      { e: 1 },\n\n      # f\n  ]\n',
);
check(
  'what is aligned to the first character stays so',
  'a:   [b,\n      c]\nd:    "e\n       f"\n',
  'a: [b,\n    c]\nd: "e\n    f"\n',
);
check(
  'texts below "|" move with their key and stay as they are',
  'a:\n     run: |\n          one  \n            # two\n       \n\n          \tthree\n     b: >2-\n         x\n       y\n',
  'a:\n  run: |\n    one  \n      # two\n\n\n    \tthree\n  b: >2-\n      x\n    y\n',
);
check(
  'empty lines that a text keeps stay, and others do not',
  'a: |+\n   x\n\n\nb: |\n   y\n\n\n\nc: |+\n   z\n  \n\n',
  'a: |+\n  x\n\n\nb: |\n  y\n\nc: |+\n  z\n\n\n',
);
check(
  'a text with nothing in it',
  'a:\n    b: |\n    c: >-   # d\n\n\n    e: x\n',
  'a:\n  b: |\n  c: >-   # d\n\n  e: x\n',
);
check(
  'comments go with the next line, or with what they are indented like',
  '# a\nb:\n    # c\n    d:\n        e: f\n        # g\n    # h\n  # i\n# j\nk: l # m\n',
  '# a\nb:\n  # c\n  d:\n    e: f\n    # g\n  # h\n    # i\n# j\nk: l # m\n',
);
check(
  'a comment never becomes part of the text above it',
  'a:\n    b: |\n           c\n       # d\n    e: f\n',
  'a:\n  b: |\n    c\n  # d\n  e: f\n',
);
check('blanks at the end of lines', 'a:  \n  b: c\t \n# d  \n', 'a:\n  b: c\n# d\n');
check('empty lines', '\n \n\na: b\n\n \n\nc: d\n\n\n', 'a: b\n\nc: d\n');
check('the end of the last line', 'a:  b', 'a: b\n');
check(
  'line ends and a byte order mark',
  '\uFEFFa:\r\n    b:   c\r\n\r\n\r\n',
  '\uFEFFa:\r\n  b: c\r\n',
);
check('a document that says where it begins', '---\na:   b\n', '---\na: b\n');
check('values on lines of their own', 'a:\n b\nc:\n     "d\n  e"\n', 'a:\n  b\nc:\n  "d\n  e"\n');
check('nothing but empty lines', '\n\n  \n', '');

checkKept('no text', '');
checkKept('only comments', '# a\n  # b\n');
checkKept('a colon that is missing', 'a:   b\nc\nd:   e\n');
checkKept('a tab that indents', 'a:\n\tb:   c\n');
checkKept('a tab behind the blanks that indent', 'a:\n  \tb:   c\n');
checkKept('a tab in front of a quote that goes on over lines', 'a:\n    \t"b\n     c"\n');
checkKept(
  'so among much else',
  'a :  # b \n    \t  " c\n\n     d\n     e \\"# f"  \n        # g\nh :  \' i\n\n  j\'\n',
);
checkKept('a key with a question mark', '? a\n:   b\n');
checkKept('one in brackets', 'a:   { ? b : c }\n');
checkKept('brackets that nobody closes', 'a:   [b\nc: d\n');
checkKept('a quote that nobody closes', 'a:   "b\n');
checkKept('anchors', 'a:   &b c\n');
checkKept('tags', 'a:   !!str c\n');
checkKept('several documents', 'a:   b\n---\nc: d\n');
checkKept('a list', '-   a\n');
checkKept('a word', '  a\n');
checkKept('a carriage return alone', 'a:   b\rc: d\n');
checkKept('a map behind a key', 'a:   b: c\n');
checkKept('keys that are not in line', 'a:\n   b: c\n  d:  e\n');
checkKept('what nests too deep', `a:   ${'['.repeat(3000)}${']'.repeat(3000)}\n`);

function checkPart(name: string, marked: string, expected: string): void {
  test(name, () => {
    const start = marked.indexOf('«');
    const text = marked.replace(/[«»]/g, '');
    const end = marked.indexOf('»') - 1;
    expect(after(text, format(readTree(text), { start, end }))).toBe(expected);
  });
}

checkPart(
  'of a part, what is whole moves, and what is around it stays',
  'tasks:\n    a:\n          «run:   x\n          writes: [a,b]\n»    b:\n          run:   y\n',
  'tasks:\n    a:\n      run: x\n      writes: [a, b]\n    b:\n          run:   y\n',
);
checkPart(
  'of some keys of a map, the spacing',
  'a:\n     b:   c\n     «d:   e»  \n     f:   g\n',
  'a:\n     b:   c\n     d: e\n     f:   g\n',
);
checkPart('of one word, its line', 'a:   b\nc:  «d»  \n', 'a:   b\nc: d\n');
checkPart(
  'of a text below "|", nothing that would tear it apart',
  'a:\n     b: |\n          «c\n»          d\n',
  'a:\n     b: |\n          c\n          d\n',
);

checkPart('of the empty line below the last, nothing', 'a:   b  \n  \n«»', 'a:   b  \n  \n');

const seed = fc.integer();

test('a plan has one form, however it is laid out', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(seed, seed, (content, layout) => {
      const untidy = writtenPlan({ content: new Choices(content), layout: new Choices(layout) });
      expect(laidOut(untidy)).toBe(writtenPlan({ content: new Choices(content) }));
    }),
    { numRuns: 3000, endOnFailure: true },
  );
});

test(
  'a formatted plan says the same, with the same comments, and stays as it is',
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(seed, seed, (content, layout) => {
        const hands = { content: new Choices(content), layout: new Choices(layout) };
        const text = writtenPlan({ ...hands, areCommentsOdd: true });
        const done = laidOut(text);
        checkSame(text, done);
        expect(formatted(text)).toBe(done);
        expect(formatted(done)).toBe(done);
        checkEdits(text, format(readTree(text)));
      }),
      { numRuns: 1200, endOnFailure: true },
    );
  },
);

test('so does a part of a plan', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.tuple(seed, seed), fc.nat(), fc.nat(), ([content, layout], one, other) => {
      const text = writtenPlan({ content: new Choices(content), layout: new Choices(layout) });
      const [a, b] = [one % (text.length + 1), other % (text.length + 1)];
      const part = { start: Math.min(a, b), end: Math.max(a, b) };
      const edits = format(readTree(text), part);
      checkSame(text, after(text, edits));
      checkEdits(text, edits);
      checkInside(text, edits, part);
    }),
    { numRuns: 600, endOnFailure: true },
  );
});

const mark = fc.constantFrom(
  '\t',
  ' ',
  '\n',
  ':',
  '-',
  '[',
  '}',
  '"',
  "'",
  '#',
  '|',
  '&',
  '?',
  '\r',
  'x',
  '',
);

test('what is broken anywhere is left as it is, or says the same', { timeout: 60_000 }, () => {
  let formattedCount = 0;
  fc.assert(
    fc.property(
      seed,
      fc.array(fc.tuple(fc.nat(), mark), { minLength: 1, maxLength: 3 }),
      (content, slips) => {
        const whole = new Choices(content);
        let text = writtenPlan({ content: whole, layout: whole, areCommentsOdd: true });
        for (const [place, char] of slips) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + char + text.slice(at + 1);
        }
        const edits = format(readTree(text));
        if (edits.length === 0) return;
        formattedCount += 1;
        const done = after(text, edits);
        checkSame(text, done);
        checkEdits(text, edits);
        expect(formatted(done)).toBe(done);
      },
    ),
    { numRuns: 1000, endOnFailure: true },
  );
  expect(formattedCount).toBeGreaterThan(100);
});

function checkSame(before: string, text: string): void {
  expect(parse(text, { uniqueKeys: false })).toEqual(parse(before, { uniqueKeys: false }));
  expect(comments(text)).toEqual(comments(before));
  expect(saidOf(text)).toBe(saidOf(before));
}

/** In the order of the text, apart from each other, none that changes nothing or another line. */
function checkEdits(text: string, edits: readonly Edit[]): void {
  let last = -1;
  for (const { range, text: wanted } of edits) {
    expect(range.start).toBeGreaterThanOrEqual(Math.max(0, last));
    expect(text.slice(range.start, range.end)).not.toBe(wanted);
    // Either in one line, or lines as a whole.
    const gone = text.slice(range.start, range.end);
    expect(gone.includes('\n') ? gone.trim() + wanted : '').toBe('');
    last = range.end;
  }
}

function checkInside(text: string, edits: readonly Edit[], part: Span): void {
  const from = text.lastIndexOf('\n', part.start - 1) + 1;
  const lineEnd = text.indexOf('\n', part.end);
  const to = lineEnd < 0 ? text.length : lineEnd + 1;
  for (const { range } of edits) {
    expect(range.start).toBeGreaterThanOrEqual(part.start === 0 ? 0 : from);
    expect(range.end).toBeLessThanOrEqual(to);
  }
}

function comments(text: string): readonly string[] {
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === 'object' && value !== null) {
      if ('type' in value && value.type === 'comment' && 'source' in value)
        found.push(String(value.source).trimEnd());
      else Object.values(value).forEach(look);
    }
  };
  const tokens: CST.Token[] = [...new Parser().parse(text)];
  look(tokens);
  return found.toSorted();
}

/** The tasks and problems of a plan without their places. */
function saidOf(text: string): string {
  return JSON.stringify(parseInterlockYaml(text), (key, value: unknown) =>
    ['range', 'idRange', 'inherited', 'related'].includes(key) ? undefined : value,
  );
}
