// Measures the scheduler and whole programs next to ours: `npm run bench`, or `npm run bench -- NAME`
// for a part of it.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);
const { build } = await import('esbuild');
const folder = path.join(ROOT, 'node_modules', '.cache', 'interlock-bench');
const outfile = path.join(folder, 'main.mjs');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
/** @type {import('esbuild').BuildOptions} */
const options = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  logLevel: 'warning',
  // The same as what is measured: a newer build would take the board over from an older one.
  define: { __INTERLOCK_VERSION__: JSON.stringify(version) },
};
await build({
  ...options,
  entryPoints: [path.join(ROOT, 'test', 'bench', 'main.ts')],
  outfile,
  packages: 'external',
  sourcemap: 'inline',
});
// Programs that the peers are measured in. They find the packages from where they are.
await build({
  ...options,
  entryPoints: globSync(path.join(ROOT, 'test', 'bench', 'peers', 'programs', '*.ts')),
  outdir: path.join(folder, 'programs'),
  outExtension: { '.js': '.mjs' },
  packages: 'external',
});
// A language server is one file, as ours is: how long it takes to load is part of what is measured.
await build({
  ...options,
  format: 'cjs',
  minify: true,
  entryPoints: [
    path.join(ROOT, 'test', 'bench', 'peers', 'programs', 'trivial-language-server.ts'),
  ],
  outfile: path.join(folder, 'programs', 'trivial-language-server.cjs'),
});
// What is measured of ours is what ships, unless another build is named.
if (process.env.INTERLOCK_BENCH_CLI === undefined)
  run(process.execPath, [path.join(ROOT, 'scripts', 'build.mjs'), '--production']);
run(process.execPath, ['--expose-gc', '--enable-source-maps', outfile, ...process.argv.slice(2)]);
