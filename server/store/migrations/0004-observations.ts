/**
 * The ledger tells what tasks really wrote, in words that an earlier release cannot follow. What a
 * window shows of a run is found without reading the rest of it.
 */
export const observations = `
create index observation_of_run on event (run_id, sequence)
  where kind in ('undeclaredWritten', 'writtenByOneOf', 'inputChanged');
`;
