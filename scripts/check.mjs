// Everything that can be said of the code without building it, the quickest first.
import { spawnSync } from 'node:child_process';
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

/** @returns {{ passed: number, failed: number }} */
export function runChecks() {
  let failed = 0;
  for (const { name, file, args } of CHECKS) {
    const { status, stdout, stderr } = spawnSync(file, [...args], { cwd: ROOT, encoding: 'utf8' });
    console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
    if (status === 0) continue;
    failed += 1;
    console.log(`${stdout ?? ''}${stderr ?? ''}`);
  }
  return { passed: CHECKS.length - failed, failed };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  useToolchain(import.meta.url);
  const { failed } = runChecks();
  // One for each processor: by itself vitest leaves one of them to whoever watches.
  const workers = String(availableParallelism());
  const args = ['run', '--project', 'unit', '--maxWorkers', workers];
  const { status } = spawnSync(bin('vitest'), args, { cwd: ROOT, stdio: 'inherit' });
  process.exit(failed > 0 ? 1 : (status ?? 1));
}
