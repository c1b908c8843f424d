import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Of the project: whoever starts the harness does so there. */
const FOLDER = path.resolve('node_modules', '.cache', 'interlock-programs');

/** A program of the tests as one file that starts quickly; it goes when this process ends. */
export async function bundledProgram(entry: string): Promise<string> {
  const name = entry.replaceAll(/[^\w]+/g, '-');
  const outfile = path.join(FOLDER, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [path.resolve(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
    define: { __INTERLOCK_VERSION__: '"0.0.0-test"' },
    logLevel: 'warning',
  });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}
