import process from 'node:process';
import { refuseRuntime } from '../protocol/runtime.ts';

// Imported before everything else by what a process starts with, because what follows may already
// use what an old Node.js does not have.
const refusal = refuseRuntime(process.versions);
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(5);
}
