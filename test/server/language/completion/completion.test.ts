import { expect, test } from 'vitest';
import { readHosts } from '../../../../server/domain/host.ts';
import { complete } from '../../../../server/language/completion/completion.ts';
import type { FolderEntry } from '../../../../server/language/completion/suggestion.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';
import { readCursor } from '../../../support/marked-text.ts';
import { plansOfFolder } from '../../../support/plans-of-folder.ts';

const FOLDERS: Readonly<Record<string, readonly FolderEntry[]>> = {
  '': [
    { name: 'README.md', isFolder: false },
    { name: 'src', isFolder: true },
  ],
  src: [
    { name: 'api', isFolder: true },
    { name: 'odd [x].ts', isFolder: false },
  ],
  'src/[x]': [{ name: 'page.ts', isFolder: false }],
};

const PATH = 'interlock.yaml';
const OTHERS = {
  'database/interlock.yaml':
    'tasks:\n  migrate: { title: Migrate, run: x }\n  last: { run: x, after: [shop/z] }\n',
};

function suggestionsAt(marked: string): ReturnType<typeof complete> {
  const { text, offset } = readCursor(marked);
  const folder = plansOfFolder({ [PATH]: text, ...OTHERS });
  return complete(
    { tree: readTree(text), offset },
    {
      plan: folder.plans[0]!,
      folder,
      agents: ['claude'],
      hosts: readHosts({ 'build-2': {}, 'gpu-1': {} }).hosts,
      entriesOf: (path) => FOLDERS[path] ?? [],
    },
  );
}

/** The first labels that are offered at the `¦`. */
function offers(name: string, marked: string, labels: readonly string[]): void {
  test(name, () => {
    const found = suggestionsAt(marked).map(({ label }) => label);
    expect(found.slice(0, labels.length)).toEqual(labels);
  });
}

function offersNothing(name: string, marked: string): void {
  test(name, () => {
    expect(suggestionsAt(marked)).toEqual([]);
  });
}

/** The text once a label was chosen; a `¦` in it where the cursor goes. */
function becomes(
  name: string,
  { at: marked, by }: { at: string; by: string },
  after: string,
): void {
  test(name, () => {
    const { text } = readCursor(marked);
    const chosen = suggestionsAt(marked).find(({ label }) => label === by);
    if (chosen === undefined) throw new Error(`"${by}" is not offered.`);
    const { range, snippet } = chosen;
    const written = snippet?.replace('$0', '¦') ?? chosen.text;
    expect(text.slice(0, range.start) + written + text.slice(range.end)).toBe(after);
  });
}

// Keys.
offers('the keys of a plan', '¦', ['version', 'name', 'limits', 'hazards', 'defaults', 'tasks']);
offers('keys that are there are not offered again', 'version: 1\nname: x\n¦', ['limits']);
test('`run` is the first of the keys of a task, and `version` comes with its value', () => {
  expect(suggestionsAt('tasks:\n  a:\n    ¦')[0]?.label).toBe('run');
  expect(suggestionsAt('¦').find(({ label }) => label === 'version')?.text).toBe('version: 1');
});
offers('the keys of a task', 'tasks:\n  a:\n    ¦', ['run', 'title', 'description', 'role']);
offers('the keys of a retry', 'tasks:\n  a:\n    retry: { ¦ }', ['attempts', 'backoff']);
offersNothing('no keys in a comment', 'tasks:\n  a:\n    # ¦');
offersNothing('no keys in a script', 'tasks:\n  a:\n    run: |\n      ¦');
offersNothing('nothing below a text', 'name:\n  ¦');
offers(
  'the limits that resources may take',
  'limits: { db: 1 }\ntasks:\n  a:\n    resources: { ¦ }',
  ['cpu', 'memory', 'db'],
);
becomes('a key of a text', { at: 'na¦', by: 'name' }, 'name: ');
becomes(
  'a key of a list',
  { at: 'tasks:\n  a:\n    wr¦', by: 'writes' },
  'tasks:\n  a:\n    writes: [¦]',
);
becomes(
  'a key of keys',
  { at: 'tasks:\n  a:\n    re¦', by: 'retry' },
  'tasks:\n  a:\n    retry: { ¦ }',
);
becomes('a key that has its colon', { at: 'na¦: x', by: 'name' }, 'name: x');

// Words and numbers.
offers('the words of a key', 'tasks:\n  a:\n    priority: ¦', [
  'critical',
  'high',
  'normal',
  'low',
]);
offers('the words of a key in braces', 'tasks:\n  a: { role: ¦ }', ['runner', 'agent', 'human']);
offers('durations', 'tasks:\n  a:\n    timeout: ¦', ['30s', '5m']);
offers('the default first', 'tasks:\n  a:\n    stuck_after: ¦', ['5m', '30s']);
offers('agents', 'tasks:\n  a:\n    agent: ¦', ['claude']);
becomes(
  'a word instead of what is typed',
  { at: 'tasks:\n  a:\n    priority: h¦i', by: 'high' },
  'tasks:\n  a:\n    priority: high',
);

offers(
  'what agents are capable of, and what other tasks need',
  'agents:\n  claude: { capabilities: [code] }\ntasks:\n  a: { needs: [¦] }\n  b: { needs: [web] }\n',
  ['code', 'web'],
);
offers(
  'this machine, the hosts of the user, and others that other tasks name',
  'tasks:\n  a: { on: b¦ }\n  b: { on: build-1 }\n  c:\n    on:\n      - build-2\n      - local\n',
  ['local', 'build-2', 'gpu-1', 'build-1'],
);

// Ids.
const TWO = 'tasks:\n  a: { run: x }\n  b: { run: x, depends_on: [a] }\n';
offers('tasks to wait for, also of other plans', `${TWO}  c:\n    after: [¦]`, [
  'a',
  'b',
  'database/migrate',
]);
offers('neither itself nor what waits for it', 'tasks:\n  a: { after: [¦] }\n  b: { after: [a] }', [
  'database/migrate',
]);
test('none that waits for it by way of another plan', () => {
  const plan = 'tasks:\n  z: { run: x, after: [¦] }\n  b: { run: x, after: [database/last] }\n';
  expect(suggestionsAt(plan).map(({ label }) => label)).toEqual(['database/migrate']);
});
offers('none that is there already', `${TWO}  c:\n    after: [a, ¦]`, ['b', 'database/migrate']);
becomes(
  'the first id of a list',
  { at: `${TWO}  c:\n    after: ¦`, by: 'a' },
  `${TWO}  c:\n    after: [a]`,
);
becomes(
  'the first id of a list of which a part is typed',
  { at: `${TWO}  build: {}\n  c:\n    after: bu¦`, by: 'build' },
  `${TWO}  build: {}\n  c:\n    after: [build]`,
);
becomes(
  'the first id of a list that is typed to its end stays as it is',
  { at: `${TWO}  build: {}\n  c:\n    after: build¦`, by: 'build' },
  `${TWO}  build: {}\n  c:\n    after: build`,
);
becomes(
  'an item that is typed to its end stays as it is',
  { at: `${TWO}  build: {}\n  c:\n    after:\n      - build¦`, by: 'build' },
  `${TWO}  build: {}\n  c:\n    after:\n      - build`,
);
becomes(
  'an item on a line of its own',
  { at: `${TWO}  c:\n    after:\n      ¦`, by: 'b' },
  `${TWO}  c:\n    after:\n      - b`,
);
becomes(
  'an item behind its dash',
  { at: `${TWO}  c:\n    after:\n      - ¦`, by: 'b' },
  `${TWO}  c:\n    after:\n      - b`,
);

// Paths.
offers('what lies in the folder', 'tasks:\n  a: { writes: [¦] }', ['src/', 'src/**', 'README.md']);
offers('what lies below', 'tasks:\n  a: { writes: [src/¦] }', ['src/api/', 'src/api/**']);
offers('folders only', 'tasks:\n  a: { cwd: ¦ }', ['src']);
offers(
  'what lies below a name with the characters of wildcards',
  'tasks:\n  a: { writes: ["src/[[]x]/¦"] }',
  ['src/[[]x]/page.ts'],
);
offers(
  'alternatives between braces, with what is around them',
  'tasks:\n  a: { writes: ["!src/{lib,a¦p}/*.ts"] }',
  ['!src/{lib,api}/*.ts', '!src/{lib,odd [[]x].ts}/*.ts'],
);
offers('what lies below an alternative', 'tasks:\n  a:\n    writes:\n      - "{docs,src/¦', [
  '{docs,src/api',
  '{docs,src/odd [[]x].ts',
]);
offersNothing('nothing for half a name before braces', 'tasks:\n  a: { writes: ["src/a{¦}"] }');
offersNothing('nothing behind a slash that leads out', 'tasks:\n  a: { writes: [/¦] }');
offersNothing('nothing behind a wildcard', 'tasks:\n  a: { writes: [src/*/¦] }');
becomes(
  'a path',
  { at: 'tasks:\n  a: { writes: [sr¦] }', by: 'src/**' },
  'tasks:\n  a: { writes: [src/**] }',
);
becomes(
  'a path that is taken away keeps its sign and its quotes',
  { at: 'tasks:\n  a: { writes: [src/**, "!src/¦"] }', by: '!src/api/' },
  'tasks:\n  a: { writes: [src/**, "!src/api/"] }',
);
becomes(
  'a name with the characters of wildcards',
  { at: 'tasks:\n  a: { writes: [src/¦] }', by: 'src/odd [[]x].ts' },
  'tasks:\n  a: { writes: ["src/odd [[]x].ts"] }',
);

test('what is typed in quotes is compared with its quotes', () => {
  const typed = suggestionsAt('tasks:\n  a: { writes: ["sr¦"] }').map((one) => one.typed);
  expect(typed).toEqual(['"src/', '"src/**', '"README.md']);
});
