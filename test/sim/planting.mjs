/**
 * A fault that is planted in the scheduler. `find` occurs exactly once in `file`; `equivalent` says
 * why nobody can find it, and `isRare` that it shows in few worlds.
 *
 * @typedef {{ name: string, file: string, find: string, replace: string, equivalent?: string, isRare?: true }} Mutant
 */

/**
 * @param {string} file
 * @param {readonly Omit<Mutant, 'file'>[]} mutants
 * @returns {Mutant[]}
 */
export function inFile(file, mutants) {
  return mutants.map((mutant) => ({ ...mutant, file }));
}
