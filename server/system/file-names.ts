import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { PathRules } from '../domain/paths/fold.ts';

/** What is asked of a file system to learn which names it takes for one. */
export interface FileNames {
  readonly platform: NodeJS.Platform;
  /** Nothing where the folder cannot be read. */
  entries(folder: string): readonly string[];
  /** What tells a file from all others; `none` where there is no such name, nothing where that is not known. */
  identity(file: string): string | undefined;
}

const NONE = 'none';

/** A folder with more entries tells by the first ones, or not at all. */
const LOOKED_AT = 200;

/**
 * Which names are one name where a folder lies. Nothing is written: a name that is there is looked up
 * in its other form. Where nothing tells, names are folded: too many warnings are better than none.
 */
export function rulesOfFolder(folder: string, names: FileNames = new DiskNames()): PathRules {
  const foldCase = isSameFile(folder, otherCase, names) ?? true;
  const byName = isSameFile(folder, otherForm, names);
  return { foldCase, foldUnicode: byName ?? (foldCase || names.platform === 'darwin') };
}

/** Of names in the folder, else of the folder itself, else of those that it is in. */
function isSameFile(
  folder: string,
  other: (name: string) => string,
  names: FileNames,
): boolean | undefined {
  const entries = names.entries(folder).slice(0, LOOKED_AT);
  const taken = new Set(entries);
  for (const name of entries) {
    // Two names that both stand there are two files.
    if (other(name) !== name && taken.has(other(name))) return false;
    const isSame = isSameName(folder, [name, other(name)], names);
    if (isSame !== undefined) return isSame;
  }
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) {
    const name = path.basename(at);
    const isSame = isSameName(path.dirname(at), [name, other(name)], names);
    if (isSame !== undefined) return isSame;
  }
  return undefined;
}

function isSameName(
  folder: string,
  [name, other]: readonly [string, string],
  names: FileNames,
): boolean | undefined {
  if (name === other) return undefined;
  const [one, two] = [name, other].map((each) => names.identity(path.join(folder, each)));
  if (one === undefined || one === NONE || two === undefined) return undefined;
  return one === two;
}

function otherCase(name: string): string {
  // Of other alphabets some systems fold less.
  return name.replaceAll(/[a-z]+|[A-Z]+/g, (letters) =>
    letters === letters.toLowerCase() ? letters.toUpperCase() : letters.toLowerCase(),
  );
}

function otherForm(name: string): string {
  const composed = name.normalize('NFC');
  return composed === name ? name.normalize('NFD') : composed;
}

class DiskNames implements FileNames {
  readonly platform = process.platform;

  entries(folder: string): readonly string[] {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  }

  identity(file: string): string | undefined {
    try {
      const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      return found === undefined ? NONE : `${found.dev}:${found.ino}`;
    } catch {
      return undefined;
    }
  }
}
