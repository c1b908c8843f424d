import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { expect, test } from 'vitest';
import { BANS, CONNECTORS, ENTRY_POINTS, GRAPH_RULES, LAYERS } from '../../import-rules.mjs';
import { findViolations, readImports, readSources } from '../../scripts/check-imports.mjs';

const SOURCES = readSources();
const IMPORTS = readImports(SOURCES);
const MANIFEST: Parameters<typeof findViolations>[1] = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const PACKAGES = [...Object.keys(MANIFEST.dependencies ?? {}), 'vscode'];
const RULES = [...LAYERS, ...BANS].map(({ name }) => name).concat(Object.keys(GRAPH_RULES));
/** What the tree as it is does wrong fails one test and no other. */
const BEFORE = new Set(sentences(IMPORTS));
const planted = new Set<string>();

interface Plant {
  /** By path. A file that is there already gets the text added; a new one is imported by a test. */
  readonly files: Readonly<Record<string, string>>;
  /** `rule: file imports what`, of every violation that there may be. */
  readonly refused: string;
}

function check(name: string, { files, refused }: Plant): void {
  const rule = refused.split(':')[0];
  if (rule !== undefined) planted.add(rule);
  test(name, () => expect(violations({ files, isImported: true })).toBe(refused));
}

function checkAllowed(name: string, files: Plant['files']): void {
  test(name, () => expect(violations({ files, isImported: true })).toBe(''));
}

function violations(plant: Pick<Plant, 'files'> & { readonly isImported: boolean }): string {
  const files = new Map(Object.entries(plant.files));
  for (const [file, text] of files) files.set(file, `${SOURCES.get(file) ?? ''}\n${text}`);
  const fresh = [...files.keys()].filter(
    (file) => !SOURCES.has(file) && !ENTRY_POINTS.some((path) => path.test(file)),
  );
  if (plant.isImported)
    files.set('test/planted.test.ts', fresh.map((file) => `import '../${file}';`).join('\n'));
  const found = sentences(new Map([...IMPORTS, ...readImports(files)]));
  return found.filter((sentence) => !BEFORE.has(sentence)).join('\n');
}

function sentences(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return findViolations(imports, MANIFEST).map(
    ({ rule, file, imported }) => `${rule}: ${file} imports ${imported}`,
  );
}

/** A new file of each layer imports one thing that the layer may not, and no other rule forbids. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'protocol-is-a-leaf': 'server/domain/ids.ts',
  'domain-is-pure': 'node:fs',
  'scheduler-decides-only': 'server/engine/ports.ts',
  'plans-are-pure': 'server/scheduler/decide.ts',
  'language-answers-editors': 'server/board/board.ts',
  'doctor-judges': 'node:fs',
  'machines-implement-ports': 'server/engine/engine.ts',
  'engine-acts-through-ports': 'better-sqlite3',
  'model-keeps-facts': 'server/scheduler/decision.ts',
  'predicate-decides-nothing': 'server/scheduler/decisions/claim-ready.ts',
  'decisions-answer-nobody': 'server/scheduler/requests/claim.ts',
  'store-implements-ports': 'execa',
  'runners-implement-ports': 'server/store/sqlite-store.ts',
  'ssh-is-a-way': 'server/engine/ports.ts',
  'system-implements-ports': 'better-sqlite3',
  'coordinator-carries-messages': 'server/engine/engine.ts',
  'keeper-takes-part': 'node:net',
  'hooks-load-little': 'yaml',
  'board-joins-plans-and-engine': 'node:child_process',
  'handlers-translate': 'server/engine/engine.ts',
  'command-line-translates': 'server/engine/engine.ts',
  'agents-are-served-by-commands': 'server/engine/engine.ts',
  'server-is-given-its-world': 'server/engine/engine.ts',
  'server-is-launched': 'server/server.ts',
  'runtime-guard-needs-nothing': 'server/world.ts',
  'client-speaks-protocol': 'server/domain/ids.ts',
  'pictures-are-drawn-anywhere': 'server/domain/ids.ts',
  'pictures-show-what-is': 'server/engine/engine.ts',
  'webview-shows-pictures': 'client/task-list.ts',
};

for (const { name, path } of LAYERS) {
  const forbidden = FORBIDDEN[name];
  if (forbidden === undefined) continue;
  const file = path.endsWith('/') ? `${path}planted.ts` : path;
  check(`${name}: a file of ${path} that imports ${forbidden} is refused`, {
    files: { [file]: importOf(file, forbidden) },
    refused: `${name}: ${file} imports ${forbidden}`,
  });
}

check('a layer may not import the package of another layer', {
  files: { 'server/domain/planted.ts': "import { parse } from 'yaml';" },
  refused: 'domain-is-pure: server/domain/planted.ts imports yaml',
});

check('a layer that may import one file of a folder may not import its neighbours', {
  files: { 'server/store/planted.ts': "import '../engine/engine.ts';" },
  refused: 'store-implements-ports: server/store/planted.ts imports server/engine/engine.ts',
});

check('what a view shows is worked out without VS Code', {
  files: { 'client/views/planted-model.ts': "import * as vscode from 'vscode';" },
  refused: 'view-models-are-pure: client/views/planted-model.ts imports vscode',
});

check('what a view shows is worked out without the language client', {
  files: { 'client/planted-model.ts': "import 'vscode-languageclient/node';" },
  refused: 'view-models-are-pure: client/planted-model.ts imports vscode-languageclient/node',
});

for (const entry of ['server/main.ts', 'server/cli/main.ts', 'client/extension.ts'])
  check(`nobody imports ${entry}, which starts a process`, {
    files: { 'test/support/planted.ts': `import '../../${entry}';` },
    refused: `entry-points-are-not-imported: test/support/planted.ts imports ${entry}`,
  });

for (const adapters of ['server/store/', 'server/runners/', 'server/system/'])
  check(`only world.ts builds what lies in ${adapters}`, {
    files: {
      'server/main.ts': `import '../${adapters}planted.ts';`,
      [`${adapters}planted.ts`]: '',
    },
    refused: `adapters-are-built-in-one-place: server/main.ts imports ${adapters}planted.ts`,
  });

checkAllowed('world.ts and tests may import an adapter', {
  'server/world.ts': "import './store/planted.ts';",
  'server/store/planted.ts': '',
});

check('the product does not use tests', {
  files: {
    'server/world.ts': "import '../test/support/planted.ts';",
    'test/support/planted.ts': '',
  },
  refused: 'product-does-not-use-tests: server/world.ts imports test/support/planted.ts',
});

check('the product does not use scripts', {
  files: { 'server/world.ts': "import '../scripts/planted.mjs';", 'scripts/planted.mjs': '' },
  refused: 'product-does-not-use-tests: server/world.ts imports scripts/planted.mjs',
});

check('a test does not import a test', {
  files: {
    'test/support/planted.ts': "import '../one.test.ts';",
    'test/one.test.ts': '',
  },
  refused: 'tests-do-not-share-tests: test/support/planted.ts imports test/one.test.ts',
});

check('two files that import each other are a cycle', {
  files: {
    'server/domain/one.ts': "import './two.ts';",
    'server/domain/two.ts': "import './one.ts';",
  },
  refused: 'no-cycles: server/domain/two.ts imports server/domain/one.ts',
});

check('types that lead back over a third file are a cycle', {
  files: {
    'server/domain/one.ts': "import type { Two } from './two.ts';",
    'server/domain/two.ts': "import { type Three } from './three.ts';",
    'server/domain/three.ts': "export type { One } from './one.ts';",
  },
  refused: 'no-cycles: server/domain/three.ts imports server/domain/one.ts',
});

check('a file that imports itself is a cycle', {
  files: { 'server/domain/one.ts': "import './one.ts';" },
  refused: 'no-cycles: server/domain/one.ts imports server/domain/one.ts',
});

test('a file that nobody imports is an orphan', () => {
  planted.add('no-orphans');
  const files = { 'server/domain/planted.ts': 'export const unused = 1;' };
  expect(violations({ files, isImported: false })).toBe(
    'no-orphans: server/domain/planted.ts imports (nobody)',
  );
});

checkAllowed('a test, a script and a declaration file are imported by nobody and are no orphans', {
  'test/server/planted.test.ts': '',
  'scripts/planted.mjs': '',
  'client/planted.d.ts': '',
});

for (const [what, written, imported] of [
  ['a file that is not there', './nowhere.ts', 'test/support/nowhere.ts'],
  ['a file without its extension', './browser', 'test/support/browser'],
  ['a folder', '.', 'test/support'],
  ['a file outside of the project', '../../../other/project.ts', '../other/project.ts'],
  ['a script that is not there', '../../scripts/nowhere.mjs', 'scripts/nowhere.mjs'],
  ['a package that package.json does not name', 'left-pad', 'left-pad'],
  ['a package with a scope that package.json does not name', '@left/pad', '@left/pad'],
  ['a Node module without "node:"', 'fs', 'fs'],
  ['a Node module that does not exist', 'node:nothing', 'node:nothing'],
] as const)
  check(`an import of ${what} is refused`, {
    files: { 'test/support/planted.ts': `import '${written}';` },
    refused: `imports-exist: test/support/planted.ts imports ${imported}`,
  });

checkAllowed('an import leads to files of packages and to Node modules in any spelling', {
  'test/support/planted.ts': `
    import 'vscode-languageserver/node.js';
    import '@vscode/test-electron';
    import 'node:fs/promises';
    import 'node:sqlite';
    import '../../scripts/toolchain.mjs';`,
});

check('what ships does not import a development package', {
  files: { 'server/main.ts': "import 'fast-check';" },
  refused: 'product-uses-runtime-packages: server/main.ts imports fast-check',
});

checkAllowed('a test imports a development package', {
  'test/support/planted.ts': "import 'fast-check';",
});

check('a file of the product outside of all layers is refused', {
  files: { 'server/planted/planted.ts': '' },
  refused: 'product-is-layered: server/planted/planted.ts imports (from no layer)',
});

check('a name that only begins like a layer is outside of it', {
  files: { 'server/server.tsx': '' },
  refused: 'product-is-layered: server/server.tsx imports (from no layer)',
});

for (const written of [
  "import '../scheduler/decide.ts';",
  "import { decide } from '../scheduler/decide.ts';",
  "import * as all from '../scheduler/decide.ts';",
  "import type { Decision } from '../scheduler/decide.ts';",
  "import { type Decision } from '../scheduler/decide.ts';",
  "export { decide } from '../scheduler/decide.ts';",
  "export {} from '../scheduler/decide.ts';",
  "export * from '../scheduler/decide.ts';",
  "export * as all from '../scheduler/decide.ts';",
  "export type { Decision } from '../scheduler/decide.ts';",
  "export const later = import('../scheduler/decide.ts');",
  'export const later = import(`../scheduler/decide.ts`);',
  "export type All = typeof import('../scheduler/decide.ts');",
  "export type Decision = import('../scheduler/decide.ts').Decision;",
  "import decide = require('../scheduler/decide.ts');",
  "export const decide = require('../scheduler/decide.ts');",
  "import '../../server/scheduler/./decide.ts';",
])
  check(`this is an import: ${written}`, {
    files: { 'server/domain/planted.ts': written },
    refused: 'domain-is-pure: server/domain/planted.ts imports server/scheduler/decide.ts',
  });

check('an import that is worked out at run time is refused, as nobody can say where it leads', {
  files: { 'test/support/planted.ts': 'export const load = (name) => import(`./${name}.ts`);' },
  refused: 'imports-exist: test/support/planted.ts imports `./${name}.ts`',
});

checkAllowed('comments and strings are no imports', {
  'server/domain/planted.ts': `
    // import '../scheduler/decide.ts';
    export const text = "import '../scheduler/decide.ts';";`,
});

test('a file that cannot be parsed is an error with its name', () => {
  const files = new Map([['server/domain/planted.ts', 'export const = 1;']]);
  expect(() => readImports(files)).toThrow('server/domain/planted.ts cannot be parsed: ');
});

test('the tree as it is has no violation', () => {
  expect([...BEFORE]).toEqual([]);
});

test('the sources are those of the project, the tools it is built with included', () => {
  const files = [...SOURCES.keys()];
  for (const file of ['server/main.ts', 'scripts/check-imports.mjs', 'import-rules.mjs'])
    expect(files).toContain(file);
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
});

test('every rule has a plant', () => {
  expect([...planted].toSorted()).toEqual(RULES.toSorted());
});

test('no two rules have the same name', () => {
  expect(RULES.length).toBe(new Set(RULES).size);
});

test('every rule says why in a sentence', () => {
  const reasons = [...LAYERS, ...BANS].map(({ because }) => because);
  for (const because of [...reasons, ...Object.values(GRAPH_RULES)])
    expect(because).toMatch(/^[A-Za-z].*\.$/);
});

test('every layer is a place of the tree', () => {
  expect(LAYERS.filter(({ path }) => !isPlace(path))).toEqual([]);
});

test('what a layer allows is a place of the tree, a package that ships, or a Node module', () => {
  const allowed = LAYERS.flatMap((layer) => layer.allowed);
  const unknown = allowed.filter(
    (place) => !isPlace(place) && !PACKAGES.includes(place) && !isBuiltin(place),
  );
  expect(unknown).toEqual([]);
});

test('every ban is about files that there are', () => {
  const files = [...SOURCES.keys()];
  const matches = (pattern: RegExp): boolean =>
    [...files, ...PACKAGES].some((name) => pattern.test(name));
  expect(BANS.filter(({ from, to }) => !matches(from) || !matches(to))).toEqual([]);
});

test('every entry point and every file that connects the layers is a file of the tree', () => {
  const files = [...SOURCES.keys()];
  const unused = [...ENTRY_POINTS, ...CONNECTORS].filter(
    (path) => !files.some((file) => path.test(file)),
  );
  expect(unused).toEqual([]);
});

function importOf(file: string, imported: string): string {
  const up = '../'.repeat(file.split('/').length - 1);
  return `import '${SOURCES.has(imported) ? up : ''}${imported}';`;
}

function isPlace(place: string): boolean {
  return [...SOURCES.keys()].some((file) =>
    place.endsWith('/') ? file.startsWith(place) : file === place,
  );
}
