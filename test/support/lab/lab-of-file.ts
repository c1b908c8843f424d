import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Lab } from './lab.ts';
import type { LabHostOptions } from './lab-host.ts';
import { labKind, labNote } from './lab-kind.ts';

const kind = labKind();
const note = labNote();
if (note !== undefined) console.log(note);

/** Leaves the tests of a file out where there can be no lab. */
export function needsLab(): void {
  beforeEach(({ skip }) => skip(kind === undefined, note));
}

/** One lab for all tests of a file, which are left out where there can be none. */
export function labOfFile(names: readonly string[], options?: LabHostOptions): () => Lab {
  let lab: Lab | undefined;
  beforeAll(async () => {
    if (kind !== undefined) lab = await Lab.open(names, options);
  });
  needsLab();
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });
  return () => {
    if (lab === undefined) throw new Error('The lab is there while tests run only.');
    return lab;
  };
}
