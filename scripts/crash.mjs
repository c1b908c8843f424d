// Kills real processes of real boards, and looks whether anything was lost or done twice.
//
//   npm run crash                        all of it
//   npm run crash -- --only points       at every point of the coordinator, or --points 300 of them
//   npm run crash -- --only syscalls     on the way into its system calls, where strace is there
//   npm run crash -- --only random       at random moments: --kills 2000
//   npm run crash -- --only points --point store.together.after:17
//   npm run crash -- --only random --kind pauses --seed 5
import path from 'node:path';
import { ROOT, useToolchain } from './toolchain.mjs';
import { runBundled } from './bundled.mjs';

useToolchain(import.meta.url);
await runBundled(path.join(ROOT, 'test', 'crash', 'main.ts'), process.argv.slice(2));
