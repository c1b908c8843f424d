import type { Slotted } from '../../domain/heap.ts';
import type { HolderState } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Owner } from './ownership.ts';

/** The right of one worker to one task now; it ends with its term. */
export class ClaimOf<Entry> implements Slotted {
  slot = -1;
  readonly entry: Entry;
  holder: HolderState;
  /** What it owns, if the task touches files. */
  owner: Owner | undefined;
  /** What it wrote without having said so. */
  undeclared: Map<string, Owner> | undefined;
  limit: LimitOf<Entry> | undefined;
  /** Its host gave it a working tree of its own. */
  isApart = false;

  constructor(entry: Entry, holder: HolderState) {
    this.entry = entry;
    this.holder = holder;
  }
}

/** What must be done to a holder at some time, load left aside. */
export class LimitOf<Entry> implements Slotted {
  slot = -1;
  readonly claim: ClaimOf<Entry>;
  at: Instant;

  constructor(claim: ClaimOf<Entry>, at: Instant) {
    this.claim = claim;
    this.at = at;
  }
}
