import { nameFault } from './received-names.ts';

/** A tree object as it lies in a pack. */
export interface RawTree {
  readonly hash: string;
  readonly data: Buffer;
}

const MODES: ReadonlySet<string> = new Set([
  '100644',
  '100755',
  '100664',
  '120000',
  '40000',
  '160000',
]);
const [SPACE, NUL] = [0x20, 0];

/**
 * What is wrong with a tree, as a clause. Versions of git differ in what they refuse, and some take a
 * bundle without any check, so this does not depend on them.
 */
export function treeFault({ data }: RawTree, hashBytes: number): string | undefined {
  const names = new Set<string>();
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(SPACE, at);
    const end = space < 0 ? -1 : data.indexOf(NUL, space);
    if (end < 0 || end + 1 + hashBytes > data.length) return 'a tree is cut off';
    const mode = data.toString('latin1', at, space);
    const name = data.toString('latin1', space + 1, end);
    if (!MODES.has(mode)) return 'a file has a mode that git does not know';
    const fault = nameFault(data.toString('utf8', space + 1, end));
    if (fault !== undefined) return fault;
    if (names.has(name)) return 'two files have one name';
    names.add(name);
    at = end + 1 + hashBytes;
  }
  return undefined;
}
