// Enforces import-rules.mjs. Type imports count too: a type that leads back is a cycle like any other.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { BANS, CONNECTORS, ENTRY_POINTS, GRAPH_RULES, LAYERS } from '../import-rules.mjs';
import { ROOT } from './toolchain.mjs';

const FOLDERS = ['protocol', 'picture', 'client', 'server', 'test'];
const SOURCE = /\.[cm]?[jt]sx?$/;
const PRODUCT = /^(protocol|picture|client|server)\//;
/** VS Code gives extensions this module. */
const PROVIDED = new Set(['vscode']);

/**
 * A forbidden import: which rule, in which file, of what.
 *
 * @typedef {{ rule: string, because: string, file: string, imported: string }} Violation
 * @typedef {{ dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest
 */

/** @typedef {ReadonlyMap<string, readonly string[]>} Imports what each file imports */

/**
 * @param {Imports} imports
 * @param {Manifest} manifest
 * @returns {readonly Violation[]}
 */
export function findViolations(imports, manifest) {
  const edges = [...imports].flatMap(([file, all]) => all.map((imported) => ({ file, imported })));
  return [
    ...edges.flatMap((edge) => layerViolations(edge)),
    ...edges.flatMap((edge) => banViolations(edge)),
    ...edges.flatMap((edge) => packageViolations(edge, { imports, manifest })),
    ...[...imports.keys()].flatMap((file) => strangerViolations(file)),
    ...cycleViolations(imports),
    ...orphanViolations(imports),
  ];
}

/**
 * @param {ReadonlyMap<string, string>} files path relative to the root, with `/`, to text
 * @returns {Imports}
 */
export function readImports(files) {
  return new Map([...files].map(([file, text]) => [file, importsOf(file, text)]));
}

/** @returns {ReadonlyMap<string, string>} every source file of the project */
export function readSources() {
  const entries = [
    ...FOLDERS.flatMap((folder) => entriesOf(folder, { recursive: true })),
    // Not what lies deeper: scripts/vscode-server/ is somebody else's.
    ...['scripts', '.'].flatMap((folder) => entriesOf(folder, { recursive: false })),
  ];
  const files = entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [
      path.relative(ROOT, file).split(path.sep).join('/'),
      readFileSync(file, 'utf8'),
    ]),
  );
}

/**
 * @param {string} folder
 * @param {{ recursive: boolean }} options
 */
function entriesOf(folder, { recursive }) {
  return readdirSync(path.join(ROOT, folder), { recursive, withFileTypes: true });
}

/**
 * What a file imports: ours as a path from the root, others as they are written. An import that is
 * worked out at run time comes as its code, which is the name of nothing and so is refused.
 *
 * @param {string} file
 * @param {string} text
 * @returns {readonly string[]}
 */
function importsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  /** @type {Set<string>} */
  const names = new Set();
  const add = (/** @type {Requested | null | undefined} */ requested) => {
    if (requested) names.add(nameOf(requested, text));
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    TSExternalModuleReference: ({ expression }) => add(expression),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first);
    },
  }).visit(program);
  return [...names].map((name) =>
    name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name,
  );
}

/** @typedef {{ type: string, start: number, end: number, value?: unknown }} Requested */

/**
 * @param {Requested} requested
 * @param {string} text
 */
function nameOf({ type, start, end, value }, text) {
  if (type === 'Literal') return String(value);
  const code = text.slice(start, end);
  return /^`([^`$\\]+)`$/.exec(code)?.[1] ?? code;
}

/** @typedef {{ file: string, imported: string }} Edge */

/** @param {Edge} edge */
function layerViolations({ file, imported }) {
  const layer = layerOf(file);
  if (
    layer === undefined ||
    isIn(layer.path, imported) ||
    layer.allowed.some((place) => isIn(place, imported))
  )
    return [];
  return [{ rule: layer.name, because: layer.because, file, imported }];
}

/** @param {string} file */
function layerOf(file) {
  return LAYERS.findLast(({ path: place }) => isIn(place, file));
}

/**
 * @param {string} place a folder with its slash, a file, or a package
 * @param {string} imported
 */
function isIn(place, imported) {
  return imported === place || imported.startsWith(place.endsWith('/') ? place : `${place}/`);
}

/** @param {Edge} edge */
function banViolations({ file, imported }) {
  return BANS.filter(({ from, to }) => from.test(file) && to.test(imported)).map(
    ({ name, because }) => ({ rule: name, because, file, imported }),
  );
}

/**
 * @param {Edge} edge
 * @param {{ imports: Imports, manifest: Manifest }} known
 */
function packageViolations({ file, imported }, { imports, manifest }) {
  if (imports.has(imported) || (imported.startsWith('node:') && isBuiltin(imported))) return [];
  const name = imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/');
  if (PROVIDED.has(name) || manifest.dependencies?.[name] !== undefined) return [];
  if (manifest.devDependencies?.[name] === undefined)
    return [violation('imports-exist', file, imported)];
  return PRODUCT.test(file) ? [violation('product-uses-runtime-packages', file, imported)] : [];
}

/** @param {string} file */
function strangerViolations(file) {
  if (
    !PRODUCT.test(file) ||
    CONNECTORS.some((pattern) => pattern.test(file)) ||
    layerOf(file) !== undefined
  )
    return [];
  return [violation('product-is-layered', file, '(from no layer)')];
}

/** @param {Imports} imports */
function cycleViolations(imports) {
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /** @type {Violation[]} */
  const found = [];
  const visit = (/** @type {string} */ file) => {
    state.set(file, 'open');
    for (const imported of imports.get(file) ?? []) {
      if (state.get(imported) === 'open') found.push(violation('no-cycles', file, imported));
      else if (imports.has(imported) && !state.has(imported)) visit(imported);
    }
    state.set(file, 'done');
  };
  for (const file of imports.keys()) if (!state.has(file)) visit(file);
  return found;
}

/** @param {Imports} imports */
function orphanViolations(imports) {
  const imported = new Set([...imports.values()].flat());
  return [...imports.keys()]
    .filter((file) => !ENTRY_POINTS.some((pattern) => pattern.test(file)) && !imported.has(file))
    .map((file) => violation('no-orphans', file, '(nobody)'));
}

/**
 * @param {keyof typeof GRAPH_RULES} rule
 * @param {string} file
 * @param {string} imported
 * @returns {Violation}
 */
function violation(rule, file, imported) {
  return { rule, because: GRAPH_RULES[rule], file, imported };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = readSources();
  const found = findViolations(
    readImports(files),
    JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
  );
  for (const { rule, because, file, imported } of found)
    console.error(`${file} imports ${imported}: ${rule}. ${because}`);
  // A checker that reads nothing finds nothing: an empty tree is a failure, not a success.
  if (files.size === 0) console.error('No source file was found.');
  process.exit(found.length > 0 || files.size === 0 ? 1 : 0);
}
