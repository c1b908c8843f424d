import { parseGlob } from './glob.ts';

/**
 * The pattern that stands for one path and what is below it, whatever characters are in it; nothing
 * where no pattern can say it, because no plan could either.
 */
export function exactPattern(path: string): string | undefined {
  const names = path.split('/');
  // These are not names of files, and a pattern reads over them.
  if (names.includes('.') || names.includes('')) return undefined;
  const escaped = path.replaceAll(/[*?[{}]/g, '[$&]');
  // What a list of patterns reads as "take away" is a letter like any other inside of braces.
  const pattern = escaped.startsWith('!') ? `{!}${escaped.slice(1)}` : escaped;
  return parseGlob(pattern).kind === 'glob' ? pattern : undefined;
}
