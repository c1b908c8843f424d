import { expect, test } from 'vitest';
import {
  editFrontmatter,
  type FrontmatterChanges,
  type FrontmatterValue,
} from '../../../../server/plans/kanban/edit-frontmatter.ts';

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
