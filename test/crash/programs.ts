import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Of the project: whoever starts the harness does so there. */
const FOLDER = path.resolve('node_modules', '.cache', 'interlock-crash');

let part: Promise<string> | undefined;

/** The program of one process of a board, as one file that starts quickly. */
export async function partProgram(): Promise<string> {
  part ??= bundle();
  return await part;
}

async function bundle(): Promise<string> {
  const outfile = path.join(FOLDER, `part-${process.pid}.mjs`);
  await build({
    entryPoints: [path.resolve('test', 'crash', 'programs', 'part.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
    define: { __INTERLOCK_VERSION__: '"0.0.0-crash"' },
    logLevel: 'warning',
  });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}
