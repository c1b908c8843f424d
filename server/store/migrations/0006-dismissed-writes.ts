/** The ledger says which findings about files a person has dismissed, in words that an earlier release cannot follow. */
export const dismissedWrites = '';
