// Lets a board live for a long time, and looks whether anything of it grows without end.
//
//   npm run soak                     for 30 minutes
//   npm run soak -- --minutes 2
import path from 'node:path';
import { runBundled } from './bundled.mjs';
import { ROOT, useToolchain } from './toolchain.mjs';

useToolchain(import.meta.url);
await runBundled(path.join(ROOT, 'test', 'soak', 'main.ts'), process.argv.slice(2));
