import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Makes a key without a passphrase, and answers its public half. */
export function newKey(file: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
  return readFileSync(`${file}.pub`, 'utf8').trim();
}
