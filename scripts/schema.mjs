// Writes what is made of the schema of plans: the JSON schema for editors, and the tables of
// docs/PLANS.md. With --check it says which of them is out of date, and writes nothing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, ROOT, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);

const JSON_FILE = 'schemas/interlock.schema.json';
const DOCUMENT = 'docs/PLANS.md';
const START = '<!-- What follows is written by scripts/schema.mjs. -->';
const END = '<!-- What was written by scripts/schema.mjs ends here. -->';

const { schema, reference } = await load();
const wanted = new Map([
  [JSON_FILE, `${JSON.stringify(schema, undefined, 2)}\n`],
  [DOCUMENT, withReference(read(DOCUMENT), reference)],
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

/** @returns {Promise<{ schema: unknown, reference: string }>} */
async function load() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { jsonSchema, reference } from './schema-texts.mjs';
        console.log(JSON.stringify({ schema: jsonSchema(), reference: reference() }));`,
      resolveDir: path.join(ROOT, 'scripts'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    input: outputFiles[0]?.text ?? '',
    encoding: 'utf8',
  });
  if (status !== 0) fail(stderr);
  return JSON.parse(stdout);
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
