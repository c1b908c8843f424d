import path from 'node:path';

/** The file in `programs/` as the bench has built it, next to the bench itself. */
export function programFile(name: string): string {
  return path.join(import.meta.dirname, 'programs', `${name}.mjs`);
}
