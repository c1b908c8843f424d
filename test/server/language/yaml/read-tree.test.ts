import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMap, isPair, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import { nodeAt } from '../../../../server/language/yaml/node-at.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';
import {
  scalarText,
  type Span,
  type YamlItem,
  type YamlNode,
  type YamlPair,
  type YamlTree,
} from '../../../../server/language/yaml/tree.ts';

/** Each text with its place, in the order of the text; the places of texts below "|" by their beginning. */
function ours({ text, root }: YamlTree): readonly string[] {
  const found: string[] = [];
  const add = (node: YamlNode | undefined): void => {
    if (node === undefined) found.push('nothing');
    else if (node.kind === 'map') node.pairs.forEach(addPair);
    else if (node.kind === 'list') node.items.forEach(({ value }) => add(value));
    else if (node.style === 'block') found.push(`${node.start} block`);
    else found.push(`${node.start}-${node.end} ${oneLine(scalarText(text, node))}`);
  };
  const addPair = ({ key, value }: YamlPair): void => {
    add(key);
    add(value);
  };
  add(root);
  return found;
}

/** The same as the parser finds that plans are read with. */
function theirs(text: string): readonly string[] {
  const found: string[] = [];
  const add = (node: unknown): void => {
    if (isPair(node)) {
      add(node.key);
      add(node.value);
    } else if (isMap(node) || isSeq(node)) node.items.forEach(add);
    else if (isScalar(node) && node.range) {
      const { range, type, value, source } = node;
      if (range[0] === range[1] && node.value === null) found.push('nothing');
      else if (type?.startsWith('BLOCK') === true) found.push(`${range[0]} block`);
      else {
        const meant = typeof value === 'string' ? value : String(source);
        found.push(`${range[0]}-${range[1]} ${oneLine(meant)}`);
      }
    } else found.push('nothing');
  };
  add(parseDocument(text, { version: '1.2', schema: 'core' }).contents);
  return found;
}

/** How the lines of one text are joined is not what a tree is for. */
function oneLine(text: string): string {
  return text.replaceAll(/\\?\s+/g, '');
}

function check(name: string, text: string): void {
  test(name, () => {
    expect(parseDocument(text, { version: '1.2', schema: 'core' }).errors).toEqual([]);
    expect(ours(readTree(text))).toEqual(theirs(text));
  });
}

check('no text', '');
check('a comment', '# x\n');
check('a plan in braces', '{tasks: {a: {run: x, writes: [b, "c"]}, "d":{run: y}}}');
check('JSON', '{\n  "a": [1, true, null],\n  "b": {\n    "c": "d"\n  }\n}\n');
check('explicit keys', 'tasks:\n  ? a\n  : run: x\n  ? "b"\n  :\n    run: y\n  ? c\n');
check('lists of mappings', 'a:\n  - b: c\n    d: e\n  -\n    f: g\n  - - h\n    - i\n');
check('a list in the column of its key', 'a:\n- b\n- c\nd: e\n');
check('texts over lines', 'a: b\n  c\n\n  d # e\nf: "g\n  h\\\n  i"\nj: [k\n  l, m]\n');
check(
  'texts below "|" and ">"',
  'a: |\n  b\n\n  c: d\n  # e\n\nf: >-\n    g\nh: |2\n    i\n   j\nk: |+\n\n',
);
check(
  'comments everywhere',
  '# a\nb: # c\n  # d\n  e: f # g\n  # h\ni: [j, # k\n  l # m\n  # n\n]\n',
);
check('CRLF', 'a:\r\n  b: c\r\n  d: |\r\n    e\r\n  f: [g,\r\n    h]\r\n');
check('quotes', `a: 'b ''c'' # d'\n"e: f": "g \\"h\\" # i"\n'j': k\n`);
check('a document with its marks', '%YAML 1.2\n---\na: b\n');
check('words with marks in them', 'a: b:c#d\ne: http://f/g?h=i\n-j: k-\n');
check('a wide gap', 'a   :   b\n');

for (const file of ['examples/interlock.yaml', 'test/fixtures/plan/interlock.yaml'])
  check(file, readFileSync(file, 'utf8'));

const word = fc.oneof(
  fc.constantFrom(
    'a',
    'src/**',
    '!src/x',
    'b c',
    'yes: no',
    '# x',
    '',
    ' x ',
    'x\ny\n',
    "it's",
    '"',
    '- a',
    '[',
    '{}',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme-ascii' }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.integer(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(word, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;
const form = fc.record({
  indent: fc.integer({ min: 1, max: 4 }),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 30, 80),
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const, 'block' as const),
  defaultStringType: fc.constantFrom(
    'PLAIN' as const,
    'QUOTE_DOUBLE' as const,
    'QUOTE_SINGLE' as const,
    'BLOCK_LITERAL' as const,
  ),
});

test('what YAML writes is read as its own parser reads it', () => {
  fc.assert(
    fc.property(value, form, (written, { indent, ...options }) => {
      const text = stringify(written, { indent, ...options, schema: 'core' });
      fc.pre(parseDocument(text, { schema: 'core' }).errors.length === 0);
      expect(ours(readTree(text))).toEqual(theirs(text));
    }),
    { numRuns: 2000 },
  );
});

const CHARS = [
  'a',
  'b',
  ':',
  ': ',
  ' ',
  '  ',
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '#',
  ' # ',
  '|',
  '? ',
  '\t',
  '\r\n',
  '\\',
  '---\n',
  '\0',
  '\u202E',
  '&',
  '*',
  '!',
];

test('of any text each part lies in the part around it, and each place has an answer', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...CHARS), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const tree = readTree(text);
      const starts = tree.comments.map(({ start }) => start);
      expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
      if (tree.root !== undefined) checkInside(tree.root, { start: 0, end: text.length });
      for (let offset = 0; offset <= text.length; offset += 1) {
        const place = nodeAt(tree, offset);
        if (place === undefined) continue;
        expect(place.range.start).toBeLessThanOrEqual(offset);
        expect(place.range.end).toBeGreaterThanOrEqual(offset);
      }
    }),
    { numRuns: 5000 },
  );
});

function checkInside(node: YamlNode, around: Span): void {
  checkOrder(node, around);
  let before = node.start;
  for (const part of partsOf(node)) {
    checkOrder(part, { start: before, end: node.end });
    before = part.end;
    if ('key' in part) checkOrder(part.key, part);
    if (part.value !== undefined) checkInside(part.value, part);
  }
}

function checkOrder({ start, end }: Span, around: Span): void {
  expect(start).toBeGreaterThanOrEqual(around.start);
  expect(end).toBeGreaterThanOrEqual(start);
  expect(end).toBeLessThanOrEqual(around.end);
}

function partsOf(node: YamlNode): readonly (YamlPair | YamlItem)[] {
  if (node.kind === 'scalar') return [];
  return node.kind === 'map' ? node.pairs : node.items;
}

const BOMBS: Readonly<Record<string, string>> = {
  'brackets on one line': '['.repeat(1e5),
  'brackets on many lines': ' [{\n'.repeat(1e5),
  dashes: '- '.repeat(1e5),
  'question marks': '? '.repeat(1e5),
  'keys on one line': 'a: '.repeat(1e5),
  'quotes that are not closed': ' a: "\n'.repeat(1e5),
  'quotes in quotes': ` a: ["'\n`.repeat(1e5),
  'words without colons': ' a\n'.repeat(1e5),
  'stairs of keys': Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  'stairs of words': Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a`).join('\n'),
  'stairs of lists': Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a: [`).join(
    '\n',
  ),
  comments: '#\n'.repeat(1e5),
  'a long text': `a: |\n${'  x\n'.repeat(1e5)}`,
};

for (const [name, text] of Object.entries(BOMBS))
  test(`a bomb of ${name} is read, and soon`, () => {
    const tree = readTree(text);
    expect(tree.lines.length).toBeGreaterThan(0);
    nodeAt(tree, text.length);
  }, 2000);

test('a carriage return alone in brackets ends', () => {
  expect(readTree('a: [b \r, \r c: \r d, "e"\r, {\r}]\n').root?.kind).toBe('map');
});
