import type { Random } from './random.ts';

/** How likely each fault is at each opportunity, at most. */
const MOST = {
  messageLost: 0.15,
  messageDoubled: 0.1,
  messageDelayed: 0.2,
  crashBeforeCommit: 0.01,
  crashAfterCommit: 0.02,
  crashBetweenActs: 0.02,
  crashBetweenCalls: 0.003,
  snapshotFailed: 0.2,
  frozenAfterCommit: 0.003,
  storeBusy: 0.05,
  storeFull: 0.02,
  commitUnclear: 0.01,
  lookFailed: 0.3,
  linkLost: 0.4,
  processFailed: 0.3,
  processHung: 0.1,
  processIgnoredTerm: 0.3,
  processNotStarted: 0.4,
  processVanished: 0.1,
  processRateLimited: 0.2,
  commandAnnounced: 0.3,
  workerFroze: 0.1,
  workerDied: 0.05,
  workerDisconnected: 0.05,
  workerLied: 0.5,
  workerMeddled: 0.1,
  workerFailed: 0.2,
  workerReleased: 0.2,
  workerAsked: 0.3,
  undeclaredWrite: 0.2,
  windowGone: 0.15,
  terminalClosed: 0.1,
} as const;

export type FaultKind = keyof typeof MOST;

const KINDS = Object.keys(MOST).filter((kind): kind is FaultKind => kind in MOST);

/**
 * The faults of one world. Each seed has its own mixture, and some have none of a kind, because a
 * fault that happens all the time hides what only happens without it.
 */
export class Faults {
  readonly counts = new Map<string, number>();
  readonly #random: Random;
  readonly #chances = new Map<FaultKind, number>();
  #isOver = false;

  constructor(random: Random) {
    this.#random = random;
    for (const kind of KINDS)
      this.#chances.set(kind, random.chance(0.5) ? 0 : MOST[kind] * random.next());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  hits(kind: FaultKind): boolean {
    if (this.#isOver || !this.#random.chance(this.#chances.get(kind) ?? 0)) return false;
    this.note(kind);
    return true;
  }

  note(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  end(): void {
    this.#isOver = true;
  }
}
