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
  /** Whoever is told of a violation may take it for something else. */
  first: Violation | undefined;

  look(invariant: string): void {
    this.counts.set(invariant, (this.counts.get(invariant) ?? 0) + 1);
  }

  holds(invariant: string, isSo: boolean, what: () => string): void {
    this.look(invariant);
    if (!isSo) this.fail(invariant, what());
  }

  /** Nobody hears of what is thrown where nobody waits, so that it is kept. */
  guard(what: () => void): void {
    try {
      what();
    } catch (error) {
      this.first ??= error instanceof Violation ? error : new Violation('crash', stackOf(error));
    }
  }

  fail(invariant: string, what: string): never {
    this.first ??= new Violation(invariant, what);
    throw this.first;
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
