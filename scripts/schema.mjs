// Writes what is made of the schema of plans: the JSON schema for editors, and the tables of
// docs/PLANS.md. With --check it says which of them is out of date, and writes nothing.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ROOT, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);

const JSON_FILE = 'schemas/interlock.schema.json';
const DOCUMENT = 'docs/PLANS.md';
const START = '<!-- What follows is written by scripts/schema.mjs. -->';
const END = '<!-- What was written by scripts/schema.mjs ends here. -->';

const { jsonSchema, reference } = await load();
const wanted = new Map([
  [JSON_FILE, `${JSON.stringify(jsonSchema(), undefined, 2)}\n`],
  [DOCUMENT, withReference(read(DOCUMENT), reference())],
]);
const stale = [...wanted].filter(([file, text]) => read(file) !== text);
if (!process.argv.includes('--check'))
  for (const [file, text] of stale) {
    mkdirSync(path.dirname(path.join(ROOT, file)), { recursive: true });
    writeFileSync(path.join(ROOT, file), text);
    console.log(`Wrote ${file}.`);
  }
else if (stale.length > 0) {
  const files = stale.map(([file]) => file).join(' and ');
  fail(`Out of date: ${files}. Run "node scripts/schema.mjs".`);
}

/** @returns {Promise<typeof import('./schema-texts.mjs')>} */
async function load() {
  const { build } = await import('esbuild');
  // Of this process: two may run at the same time.
  const outfile = path.join(ROOT, 'node_modules', '.cache', `interlock-schema-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(ROOT, 'scripts', 'schema-texts.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  try {
    const file = pathToFileURL(outfile).href;
    return await import(file);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/**
 * @param {string} document
 * @param {string} tables
 */
function withReference(document, tables) {
  const [from, to] = [document.indexOf(START), document.indexOf(END)];
  if (from < 0 || to < from) fail(`${DOCUMENT} has no place for the reference: ${START} … ${END}`);
  return `${document.slice(0, from + START.length)}\n\n${tables}\n${document.slice(to)}`;
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(path.join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}
