// Feeds spoilt input to everything that reads what others have written.
//
//   npm run fuzz                                  100 000 for the quickest, fewer for the others
//   npm run fuzz -- --only frames --count 1000000
//   npm run fuzz -- --only ledger --seed 17       the one of which a failure has told
import path from 'node:path';
import { runBundled } from './bundled.mjs';
import { ROOT, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);
await runBundled(path.join(ROOT, 'test', 'support', 'fuzz', 'main.ts'), process.argv.slice(2));
