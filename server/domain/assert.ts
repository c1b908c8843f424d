/** Fails when a rule of the program itself is broken: a bug, never a mistake of the user. */
export function assert(condition: unknown, rule: string): asserts condition {
  if (!condition) throw new Error(`Broken rule: ${rule}`);
}

/** Ends a `switch` over a union; the compiler refuses a member that no case handles. */
export function unreachable(value: never): never {
  throw new Error(`Broken rule: no case handles ${JSON.stringify(value)}`);
}
