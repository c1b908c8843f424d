import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import {
  editFrontmatter,
  type FrontmatterChanges,
  type FrontmatterValue,
} from '../../../../server/plans/kanban/edit-frontmatter.ts';
import { findFrontmatter } from '../../../../server/plans/kanban/frontmatter.ts';

type Changes = Readonly<Record<string, FrontmatterValue>>;

function edited(text: string, changes: FrontmatterChanges): string {
  const result = editFrontmatter(text, changes);
  if (result.kind === 'refused') throw new Error(`${result.message}\n${text}`);
  return result.text;
}

function around(lines: string): string {
  return `---\n${lines}\n---\n\nProse: yes\n`;
}

/** Frontmatters before and after. */
function check(
  name: string,
  before: string,
  { change, after }: { change: Changes; after: string },
): void {
  test(name, () => {
    expect(edited(around(before), new Map(Object.entries(change)))).toBe(around(after));
  });
}

check('a value changes, and its comment stays', 'id: 1\nstatus:  todo   # was backlog\nx: 1', {
  change: { status: 'done' },
  after: 'id: 1\nstatus:  done   # was backlog\nx: 1',
});
check(
  'a value keeps its quotes',
  `status: 'todo'\nclaimed_by: "a"\nstarted: "2026-01-01T00:00:00Z"`,
  {
    change: { status: "it's", claimed_by: 'b', started: { time: '2027-01-01T00:00:00Z' } },
    after: `status: 'it''s'\nclaimed_by: "b"\nstarted: "2027-01-01T00:00:00Z"`,
  },
);
check('what would be read as something else gets quotes', 'status: a\nclaimed_by: b', {
  change: { status: 'on', claimed_by: '12' },
  after: 'status: "on"\nclaimed_by: "12"',
});
check(
  'a new key stands where kanban-md writes it',
  'id: 1\nupdated: 2026-01-01T00:00:00Z # now\ntags: [a]\nmine: 1',
  {
    change: { started: { time: '2026-01-02T00:00:00Z' }, claimed_by: 'bob' },
    after:
      'id: 1\nupdated: 2026-01-01T00:00:00Z # now\nstarted: 2026-01-02T00:00:00Z\ntags: [a]\nclaimed_by: bob\nmine: 1',
  },
);
check('a key of somebody else comes last', 'id: 1\nmine: 1', {
  change: { 'x-y': 'z' },
  after: 'id: 1\nmine: 1\nx-y: z',
});
check(
  'a key goes with its lines, and comments around it stay',
  'id: 1\n# above\ntags: # which\n    - a\n    - b\n# below\nmine: 1',
  {
    change: { tags: undefined },
    after: 'id: 1\n# above\n# below\nmine: 1',
  },
);
check('an empty value is filled', 'id: 1\nclaimed_by:   # nobody\nmine: 1', {
  change: { claimed_by: 'bob' },
  after: 'id: 1\nclaimed_by: bob   # nobody\nmine: 1',
});
check('a block gives way to a word', 'a: 1\nstatus: |\n  to\n  do\nmine: 1', {
  change: { status: 'done' },
  after: 'a: 1\nstatus: done\nmine: 1',
});
check('a list on lines of its own gives way to a word', 'status: # c\n  - todo\nmine: 1', {
  change: { status: 'done' },
  after: 'status: done # c\nmine: 1',
});
check('what is not there need not go', 'id: 1', {
  change: { claimed_by: undefined },
  after: 'id: 1',
});

test('a frontmatter that cannot be changed safely is left alone', () => {
  const all = [
    '---\n{ id: 1, status: a }\n---\n',
    '---\nstatus: a\nstatus: b\n---\n',
    'status: a\n',
    '---\nid: &a 1\nx: *a\n? b\n: c\n',
  ];
  for (const text of all)
    expect(editFrontmatter(text, new Map([['status', 'b']]))).toMatchObject({ kind: 'refused' });
});

test('a key does not go where the empty line below it would then belong to the block above', () => {
  const text = '---\nx: |+\n  a\nclaimed_by: b\n\nid: 1\n---\n';
  expect(editFrontmatter(text, new Map([['claimed_by', undefined]])).kind).toBe('refused');
  expect(edited(text, new Map([['claimed_by', 'c']]))).toBe(text.replace('b\n', 'c\n'));
});

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
const KEYS = [
  'id',
  'title',
  'status',
  'priority',
  'created',
  'updated',
  'started',
  'completed',
  'assignee',
  'tags',
  'due',
  'estimate',
  'parent',
  'depends_on',
  'blocked',
  'block_reason',
  'claimed_by',
  'claimed_at',
  'class',
  'x-own',
  'writes',
  'run',
];
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
