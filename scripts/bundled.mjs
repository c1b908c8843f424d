import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './toolchain.mjs';

/**
 * Runs a program of the tests as one file, in the folder of the project; this process ends as it does.
 *
 * @param {string} entry
 * @param {readonly string[]} args
 */
export async function runBundled(entry, args) {
  const { build } = await import('esbuild');
  const name = path.relative(ROOT, entry).replaceAll(/[^\w]+/g, '-');
  // Of this process: two may run at the same time.
  const outfile = path.join(
    ROOT,
    'node_modules',
    '.cache',
    'interlock-programs',
    `${name}-${process.pid}.mjs`,
  );
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
    define: { __INTERLOCK_VERSION__: '"0.0.0-test"' },
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
  rmSync(outfile, { force: true });
}
