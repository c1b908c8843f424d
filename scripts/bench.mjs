// Measures the scheduler: `npm run bench`, or `npm run bench -- NAME` for a part of it.
import path from 'node:path';
import { ROOT, run, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);
const { build } = await import('esbuild');
const outfile = path.join(ROOT, 'node_modules', '.cache', 'interlock-bench', 'main.mjs');
await build({
  entryPoints: [path.join(ROOT, 'test', 'bench', 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  logLevel: 'warning',
  sourcemap: 'inline',
});
run(process.execPath, ['--expose-gc', '--enable-source-maps', outfile, ...process.argv.slice(2)]);
