import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import {
  editFrontmatter,
  type FrontmatterChanges,
  type FrontmatterValue,
} from '../../../../server/plans/kanban/edit-frontmatter.ts';
import { findFrontmatter } from '../../../../server/plans/kanban/frontmatter.ts';
import { BOARD_KEYS } from '../../../../server/plans/kanban/task-file.ts';

function edited(text: string, changes: FrontmatterChanges): string {
  const result = editFrontmatter(text, changes);
  if (result.kind === 'refused') throw new Error(`${result.message}\n${text}`);
  return result.text;
}

const word = fc
  .stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,12}$/)
  .filter((text) => !/^(null|true|false|yes|no|on|off|y|n|nan|inf)$/i.test(text));
const gap = fc.constantFrom(' ', '  ', '\t', '   ');
const comment = fc.oneof(
  fc.constant(''),
  word.map((text) => ` # ${text}`),
  word.map((text) => `   #${text}: x`),
);
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** One entry in lines that end with \n, on top of what its key is. */
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(gap, word, comment).map(([space, text, end]) => `${space}${text}${end}`),
  },
  fc.tuple(gap, word, comment).map(([space, text, end]) => `${space}'${text}'${end}`),
  fc.tuple(gap, word, comment).map(([space, text, end]) => `${space}"${text}"${end}`),
  fc.tuple(gap, time, comment).map(([space, text, end]) => `${space}${text}${end}`),
  comment,
  fc.tuple(word, word, comment).map(([a, b, end]) => ` [${a},  ${b}]${end}`),
  fc.tuple(word, word).map(([a, b]) => ` [${a},\n  ${b}]`),
  fc.tuple(word, word, comment).map(([a, b, end]) => `${end}\n    - ${a}${end}\n    - ${b}`),
  fc.tuple(word, word).map(([a, b]) => `\n- ${a}\n- ${b}`),
  fc
    .tuple(fc.constantFrom('|', '>', '|-', '>-'), word, word)
    .map(([mark, a, b]) => ` ${mark}\n  ${a}\n\n    ${b}`),
  fc.tuple(word, word).map(([a, b]) => ` ${a}\n  ${b}`),
  fc.tuple(word, word, comment).map(([a, b, end]) => `\n  ${a}: ${b}${end}`),
);
const KEYS = [...BOARD_KEYS, 'x-own', 'writes', 'run'];
/** An indented one below a block would be part of it. */
const between = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  word.map((text) => `# ${text}\n`),
  fc.constant('\n'),
  word.map((text) => `#${text}\n\n`),
);

interface Written {
  readonly text: string;
  readonly keys: readonly string[];
}

const file: fc.Arbitrary<Written> = fc
  .record({
    keys: fc.shuffledSubarray(KEYS, { minLength: 1 }),
    values: fc.array(value, { minLength: KEYS.length, maxLength: KEYS.length }),
    betweens: fc.array(between, { minLength: KEYS.length, maxLength: KEYS.length }),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.constantFrom('', '\uFEFF'),
    body: fc.constantFrom(
      '',
      '\n',
      '\n\nSome *prose*\n---\nmore: yes\n',
      'no last line end',
      '\n---\nid: 2',
    ),
  })
  .map(({ keys, values, betweens, eol, bom, body }) => {
    const lines = keys.map((key, at) => `${betweens[at] ?? ''}${key}:${values[at] ?? ''}\n`);
    const end = body === '' ? '---' : `---\n${body}`;
    return { keys, text: `${bom}${`---\n${lines.join('')}${end}`.replaceAll('\n', eol)}` };
  });
const newValue: fc.Arbitrary<FrontmatterValue> = fc.oneof(
  word,
  fc.string(),
  time.map((text) => ({ time: text })),
  fc.constant(undefined),
);
const changes = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), newValue), {
    minLength: 1,
    maxLength: 4,
    selector: ([key]) => key,
  })
  .map((entries) => new Map(entries));

function valuesOf(text: string): Map<string, unknown> {
  const { end = 0 } = findFrontmatter(text) ?? {};
  const document = parseDocument(text.slice(0, end), {
    version: '1.2',
    schema: 'core',
    merge: false,
  });
  expect(document.errors).toStrictEqual([]);
  return new Map(Object.entries(document.toJS() ?? {}));
}

/** The lines of each key with what stands between it and the next one, and the rest of the file. */
function linesByKey(text: string): ReadonlyMap<string, string> {
  const { start = 0, end = 0 } = findFrontmatter(text) ?? {};
  const found = new Map([
    ['', text.slice(0, start)],
    ['---', text.slice(end)],
  ]);
  let key = '';
  for (const line of text.slice(start, end).split(/(?<=\n)/)) {
    key =
      /^([a-z][a-z_-]*):/.exec(line)?.[1] ??
      (/^(?:[ \t]*#|\s*$)/.test(line) ? `${key}…`.replace(/…+$/, '…') : key.replace(/…$/, ''));
    found.set(key, `${found.get(key) ?? ''}${line}`);
  }
  return found;
}

function lineEndsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\r?\n/g));
}

test('the keys are what they were but for the changes, and only the lines of changed keys differ', () => {
  fc.assert(
    fc.property(file, changes, ({ text }, wanted) => {
      const result = edited(text, wanted);
      const expected = valuesOf(text);
      for (const [key, to] of wanted) {
        if (to === undefined) expected.delete(key);
        else expected.set(key, typeof to === 'string' ? to : to.time);
      }
      expect(Object.fromEntries(valuesOf(result))).toStrictEqual(Object.fromEntries(expected));
      const [before, after] = [linesByKey(text), linesByKey(result)];
      const others = ['', '---', ...KEYS].filter((key) => !wanted.has(key));
      expect(others.map((key) => after.get(key))).toStrictEqual(
        others.map((key) => before.get(key)),
      );
      expect(lineEndsIn(result)).toStrictEqual(lineEndsIn(text));
    }),
    { numRuns: 800 },
  );
}, 60_000);

function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*#.*$/gm)].map(String);
}

test('no comment is lost but those of lines that go', () => {
  fc.assert(
    fc.property(
      file,
      fc.constantFrom('claimed_by', 'started', 'completed'),
      word,
      ({ text, keys }, key, to) => {
        fc.pre(!keys.includes(key));
        const result = edited(text, new Map([[key, to]]));
        expect(commentsIn(result)).toStrictEqual(commentsIn(text));
        // What was added and goes again has changed nothing.
        expect(edited(result, new Map([[key, undefined]]))).toBe(text);
      },
    ),
    { numRuns: 400 },
  );
}, 60_000);

test('a word that is changed and changed back gives the bytes that were there', () => {
  const simple = fc.tuple(word, word, fc.constantFrom('', "'", '"'), comment);
  fc.assert(
    fc.property(file, simple, ({ text, keys }, [old, other, quote, end]) => {
      fc.pre(!keys.includes('status'));
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const start = findFrontmatter(text)?.start ?? 0;
      const original = `${text.slice(0, start)}status: ${quote}${old}${quote}${end}${eol}${text.slice(start)}`;
      const there = edited(original, new Map([['status', other]]));
      expect(there).toBe(original.replace(`status: ${quote}${old}`, `status: ${quote}${other}`));
      expect(edited(there, new Map([['status', old]]))).toBe(original);
    }),
    { numRuns: 400 },
  );
}, 60_000);
