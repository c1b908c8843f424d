/** Something that must never happen has happened. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}

/** Counts what was looked at, so that a check which never runs is noticed. */
export class Checks {
  readonly counts = new Map<string, number>();

  look(invariant: string): void {
    this.counts.set(invariant, (this.counts.get(invariant) ?? 0) + 1);
  }

  holds(invariant: string, isSo: boolean, what: () => string): void {
    this.look(invariant);
    if (!isSo) throw new Violation(invariant, what());
  }
}
