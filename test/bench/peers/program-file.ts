import path from 'node:path';

/** The file in `programs/` as the bench has built it, next to the bench itself. */
export function programFile(name: string): string {
  const file = path.extname(name) === '' ? `${name}.mjs` : name;
  return path.join(import.meta.dirname, 'programs', file);
}
