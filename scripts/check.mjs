// Everything that can be said of the code without building it, the quickest first.
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, ROOT, useToolchain } from './toolchain.mjs';

/** @type {readonly { name: string, file: string, args: readonly string[] }[]} */
const CHECKS = [
  { name: 'format', file: bin('oxfmt'), args: ['--check', '.'] },
  {
    name: 'imports',
    file: process.execPath,
    args: [path.join(ROOT, 'scripts', 'check-imports.mjs')],
  },
  { name: 'lint', file: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', file: bin('tsc'), args: ['-p', '.'] },
  { name: 'types of pages', file: bin('tsc'), args: ['-p', 'client/webview'] },
  { name: 'dead code', file: bin('knip'), args: [] },
  {
    name: 'schema',
    file: process.execPath,
    args: [path.join(ROOT, 'scripts', 'schema.mjs'), '--check'],
  },
  {
    name: 'texts',
    file: process.execPath,
    args: [path.join(ROOT, 'scripts', 'l10n.mjs'), '--check'],
  },
];

/**
 * Two at a time: each of them waits now and then. What they say comes in their order.
 *
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks() {
  const waiting = [...CHECKS];
  /** @type {Map<string, PromiseWithResolvers<Said>>} */
  const ends = new Map(CHECKS.map(({ name }) => [name, Promise.withResolvers()]));
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      ends.get(check.name)?.resolve(await run(check));
  };
  const done = Promise.all([work(), work()]);
  let failed = 0;
  for (const { name } of CHECKS) {
    const said = await ends.get(name)?.promise;
    console.log(`${said?.isFine ? '✓' : '✗'} ${name}`);
    if (said?.isFine) continue;
    failed += 1;
    console.log(said?.text);
  }
  await done;
  return { passed: CHECKS.length - failed, failed };
}

/** @typedef {{ isFine: boolean, text: string }} Said */

/**
 * @param {(typeof CHECKS)[number]} check
 * @returns {Promise<Said>}
 */
async function run({ file, args }) {
  const child = spawn(file, [...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ piece) => (text += piece));
  return await new Promise((resolve) => {
    child.on('error', (error) => resolve({ isFine: false, text: String(error) }));
    child.on('close', (code) => resolve({ isFine: code === 0, text }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  useToolchain(import.meta.url);
  const { failed } = await runChecks();
  // One for each processor: by itself vitest leaves one of them to whoever watches.
  const workers = String(availableParallelism());
  const args = ['run', '--project', 'unit', '--maxWorkers', workers];
  const { status } = spawnSync(bin('vitest'), args, { cwd: ROOT, stdio: 'inherit' });
  process.exit(failed > 0 ? 1 : (status ?? 1));
}
