// `npm run -s interlock -- COMMAND`: the command line as it was built here.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const inDist = (/** @type {string} */ file) =>
  fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

if (['cli.js', 'command-line.js'].every((file) => existsSync(inDist(file))))
  createRequire(import.meta.url)(inDist('cli.js'));
else {
  console.error('The command line is not built yet: run "npm ci" and then "npm run build".');
  process.exitCode = 5;
}
