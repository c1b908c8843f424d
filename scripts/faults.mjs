// Has tasks of hosts done while everything on the way to them fails, and says what was lost.
//
//   npm run faults                       with the times of every day: several minutes
//   npm run faults -- --rounds 5         each fault so often
//   npm run faults -- --short            with the times of the tests
//   npm run faults -- --only flap        those with that in their name
//   npm run faults -- --write            the table goes into docs/FAULTS.md
import path from 'node:path';
import { runBundled } from './bundled.mjs';
import { ROOT, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);
await runBundled(path.join(ROOT, 'test', 'machines', 'main.ts'), process.argv.slice(2));
