/** The ledger says which agents know of claims that they lost, in words that an earlier release cannot follow. */
export const untoldLosses = '';
