/**
 * The ledger says which files of tasks changed while an agent ran a shell command, in words that an
 * earlier release cannot follow. What a window shows of a run has that in it.
 */
export const shellWrites = `
drop index observation_of_run;
create index observation_of_run on event (run_id, sequence)
  where kind in ('undeclaredWritten', 'writtenByOneOf', 'inputChanged', 'heldFilesChanged');
`;
