import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** What must be in a bundle that a host sends. */
export interface WantedBundle {
  readonly reference: string;
  readonly hash: string;
}

export type BundleHeader =
  | { readonly packAt: number; readonly objects: number }
  /** A clause for the user. */
  | { readonly fault: string };

/** One reference, and what it goes on from: more than a few lines is no bundle of ours. */
const HEADER_BYTES = 256 * 1024;
/** No object of a pack is shorter: a type, a size, and compressed nothing. */
const OBJECT_BYTES = 9;
const PACK_HEADER_BYTES = 12;

/**
 * Reads the header of a bundle. A file that is none may be a link to another repository (`gitdir: …`) or
 * a pack that claims billions of objects, so git sees it only after this.
 */
export function readBundleHeader(file: string, wanted: WantedBundle): BundleHeader {
  const { size } = statSync(file);
  const start = Buffer.alloc(Math.min(HEADER_BYTES + PACK_HEADER_BYTES, size));
  const opened = openSync(file, 'r');
  try {
    readSync(opened, start, 0, start.length, 0);
  } finally {
    closeSync(opened);
  }
  const end = start.indexOf('\n\n');
  if (end < 0) return { fault: 'it is no bundle of git' };
  const packAt = end + 2;
  const [signature = '', ...lines] = start.toString('latin1', 0, end).split('\n');
  const references = lines.filter((line) => !PREREQUISITE.test(line) && !CAPABILITY.test(line));
  if (!SIGNATURE.test(signature)) return { fault: 'it is no bundle of git' };
  if (references.length !== 1 || references[0] !== `${wanted.hash} ${wanted.reference}`)
    return { fault: 'it has something else in it than was asked for' };
  if (
    start.length < packAt + PACK_HEADER_BYTES ||
    start.toString('latin1', packAt, packAt + 4) !== 'PACK'
  )
    return { fault: 'it is no bundle of git' };
  const objects = start.readUInt32BE(packAt + 8);
  if (objects * OBJECT_BYTES > size) return { fault: `it claims to have ${objects} objects` };
  return { packAt, objects };
}

const SIGNATURE = /^# v[23] git bundle$/;
const CAPABILITY = /^@object-format=sha(?:1|256)$/;
const PREREQUISITE = /^-[\da-f]{40,64}(?: .*)?$/;
