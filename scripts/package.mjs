// Makes dist/interlock-<version>.vsix; with --target linux-x64, one that carries that platform's SQLite only.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bin, ROOT, run, step, useToolchain } from './toolchain.mjs';

/** @param {string} [target] */
export function vsixPath(target) {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return path.join(
    ROOT,
    'dist',
    `interlock-${target === undefined ? '' : `${target}-`}${version}.vsix`,
  );
}

/**
 * @param {string} [target]
 * @returns {string} the package's path
 */
export function packageExtension(target) {
  const vsix = vsixPath(target);
  step(`Building and packaging ${path.relative(ROOT, vsix)}`);
  mkdirSync(path.dirname(vsix), { recursive: true });
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--skip-license',
    '--no-rewrite-relative-links',
    '--out',
    vsix,
  ];
  const env = { ...process.env };
  if (target !== undefined) {
    args.push('--target', target);
    env.INTERLOCK_TARGET = target;
  }
  run(bin('vsce'), args, { env });
  return vsix;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  useToolchain(import.meta.url);
  packageExtension(parseArgs({ options: { target: { type: 'string' } } }).values.target);
}
