// Collects the texts of client/ and picture/ that people read, for those who translate them: each first argument
// of l10n.t(). With --check it writes nothing, and says what is out of date, and which texts go around
// l10n and could not be translated.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { readSources } from './check-imports.mjs';
import { fail, ROOT } from './toolchain.mjs';

const BUNDLE = 'l10n/bundle.l10n.json';
/** What these are given, people read. */
const SHOWING = new Set([
  'showErrorMessage',
  'showInformationMessage',
  'showWarningMessage',
  'setStatusBarMessage',
  'MarkdownString',
]);
const SHOWN_PROPERTIES = new Set(['placeHolder', 'prompt', 'title', 'tooltip']);

/**
 * A text that cannot be translated, and where it is.
 *
 * @typedef {{ file: string, line: number, why: string }} Stray
 * @typedef {{ texts: readonly string[], strays: readonly Stray[] }} Texts
 */

/**
 * @param {ReadonlyMap<string, string>} files path relative to the root, with `/`, to text
 * @returns {Texts}
 */
export function textsOf(files) {
  /** @type {Set<string>} */
  const texts = new Set();
  /** @type {Stray[]} */
  const strays = [];
  for (const [file, source] of files) {
    if (!/^(?:client|picture)\//.test(file)) continue;
    /** @type {(at: number, why: string) => void} */
    const stray = (at, why) => {
      strays.push({ file, line: source.slice(0, at).split('\n').length, why });
    };
    const { program } = parseSync(file, source);
    /** @param {import('oxc-parser').CallExpression | import('oxc-parser').NewExpression} call */
    const look = (call) => {
      const [first] = call.arguments;
      const text = literalOf(first);
      if (isTranslation(call.callee)) {
        if (text === undefined) stray(call.start, 'l10n.t() is given something else than a text');
        else texts.add(text);
      } else if (SHOWING.has(nameOf(call.callee)) && hasWords(first))
        stray(
          call.start,
          `${nameOf(call.callee)}() is given a text that does not come from l10n.t()`,
        );
    };
    new Visitor({
      CallExpression: look,
      NewExpression: look,
      Property: ({ start, key, value }) => {
        const name = key.type === 'Identifier' ? key.name : '';
        if (SHOWN_PROPERTIES.has(name) && hasWords(value))
          stray(start, `"${name}" is a text that does not come from l10n.t()`);
      },
    }).visit(program);
  }
  return { texts: [...texts].toSorted(), strays };
}

/** @param {readonly string[]} texts */
export function bundleOf(texts) {
  return `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), undefined, 2)}\n`;
}

/** @param {import('oxc-parser').Expression | import('oxc-parser').Super} callee */
function isTranslation(callee) {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'l10n' &&
    nameOf(callee) === 't'
  );
}

/** @param {import('oxc-parser').Expression | import('oxc-parser').Super} callee */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return '';
  return callee.property.name;
}

/**
 * A text as it stands there, also one that is put together from several.
 *
 * @param {import('oxc-parser').Node | undefined} node
 * @returns {string | undefined}
 */
function literalOf(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [literalOf(node.left), literalOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/**
 * Icons and the name of the product are the same in every language.
 *
 * @param {import('oxc-parser').Node | undefined} node
 */
function hasWords(node) {
  const text =
    node?.type === 'TemplateLiteral'
      ? node.quasis.map(({ value }) => value.raw).join(' ')
      : (literalOf(node) ?? '');
  return /\p{L}{2}/u.test(text.replaceAll(/\$\([\w~-]+\)|Interlock/g, ''));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { texts, strays } = textsOf(readSources());
  const file = path.join(ROOT, BUNDLE);
  const wanted = bundleOf(texts);
  if (!process.argv.includes('--check')) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`Wrote ${BUNDLE}: ${texts.length} texts.`);
  }
  if (strays.length > 0)
    fail(strays.map(({ file: where, line, why }) => `${where}:${line} ${why}.`).join('\n'));
  if (readFileSync(file, 'utf8') !== wanted)
    fail(`Out of date: ${BUNDLE}. Run "node scripts/l10n.mjs", and translate what is new.`);
}
