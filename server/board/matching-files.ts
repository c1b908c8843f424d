import { parsePathSet } from '../domain/paths/path-set.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { PlanFiles } from './ports.ts';

/** The files that a pattern stands for now. */
export interface MatchingFiles {
  readonly count: number;
  /** In the order in which they are found. */
  readonly first: readonly string[];
  /** Whether all were looked at. */
  readonly isComplete: boolean;
}

const SHOWN = 10;
/** A fraction of a second; nobody waits longer for a number. */
const LOOKED_AT_LIMIT = 50_000;

interface Search {
  readonly root: string;
  readonly files: Pick<PlanFiles, 'filesBelow'>;
  readonly rules: PathRules;
}

/** Looks into the folders that the pattern names, and into no other. */
export async function matchingFiles(pattern: string, search: Search): Promise<MatchingFiles> {
  const wanted = parsePathSet([pattern.replace(/^!/, '')]);
  const starts = new Set(wanted.starts);
  const first: string[] = [];
  let [count, lookedAt] = [0, 0];
  for (const start of topmost(starts))
    for await (const file of search.files.filesBelow(search.root, start)) {
      lookedAt += 1;
      if (lookedAt > LOOKED_AT_LIMIT) return { count, first, isComplete: false };
      if (!wanted.has(file, search.rules)) continue;
      count += 1;
      if (first.length < SHOWN) first.push(file);
    }
  return { count, first, isComplete: true };
}

/** Without what lies below another. */
function topmost(starts: ReadonlySet<string>): readonly string[] {
  return [...starts].filter((start) => ![...starts].some((other) => isBelow(start, other)));
}

function isBelow(start: string, other: string): boolean {
  return start !== other && (other === '' || start.startsWith(`${other}/`));
}
