import type { RunId } from '../../server/domain/ids.ts';
import type { Clock } from '../../server/engine/ports.ts';
import type {
  ClaimOutcome,
  ClaimWrite,
  CommittedDecision,
  Grant,
  HolderOutcome,
  HolderWrite,
  LedgerEntry,
  RecordOutcome,
  ResolveOutcome,
  Snapshot,
  Store,
} from '../../server/engine/store-port.ts';
import { StoreError } from '../../server/engine/store-error.ts';
import { type Decision, keyOf } from '../../server/scheduler/decision.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { Ledger } from './ledger.ts';
import type { Life } from './life.ts';
import type { Shadow } from './shadow.ts';
import type { World } from './world.ts';

interface Parts {
  readonly inner: Store;
  readonly life: Life;
  readonly world: World;
  readonly ledger: Ledger;
  readonly shadow: Shadow;
  readonly clock: Clock;
  /** Time passes for this process before it does anything else, and it may be taken over meanwhile. */
  readonly freeze: () => void;
  /** What the engine would decide now. */
  readonly decideAgain: () => readonly Decision[];
}

const ROUND_LIMIT = 60;

/**
 * Between the engine of one process and the disk. It fails as disks do, and the process may die at any
 * of its calls. What has reached the disk is read by those who check it, and nothing else is.
 */
export class FaultyStore implements Store {
  /** How many transactions have reached the disk. */
  commits = 0;
  isInside = false;
  /** Nobody knows what is on the disk since it was not written to. */
  isUnread = false;
  readonly #parts: Parts;
  #entries: LedgerEntry[] = [];
  #operations: string[] = [];
  #rounds = 0;
  #looks = 0;
  /** After how many more calls the disk is full. */
  #callsLeft = Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Nothing was written yet in this transaction. */
  get isClean(): boolean {
    return this.#entries.length === 0;
  }

  snapshot(): Snapshot {
    const { life, world, inner } = this.#parts;
    life.mayDie('crashBetweenCalls');
    if (world.faults.hits('snapshotFailed')) throw failed('It cannot be read.');
    this.isUnread = false;
    return inner.snapshot();
  }

  beginTenure(): number {
    const { life, world, inner } = this.#parts;
    life.mayDie('crashBetweenCalls');
    if (world.faults.hits('storeBusy')) throw failed('It is busy.');
    return inner.beginTenure();
  }

  together<T>(write: () => T): T {
    if (this.isInside) return this.#parts.inner.together(write);
    const { life, world } = this.#parts;
    life.mayDie('crashBetweenCalls');
    world.stir();
    this.#entries = [];
    this.#operations = [];
    this.#rounds = 0;
    this.isInside = true;
    const { calmSince } = life;
    life.calmSince = world.now;
    life.triedAt = world.now;
    life.isFailing = true;
    this.isUnread = true;
    try {
      const result = this.#transact(write, calmSince);
      if (life.calmSince === world.now) life.calmSince = calmSince;
      return result;
    } finally {
      this.isInside = false;
      this.#callsLeft = Infinity;
    }
  }

  #transact<T>(write: () => T, calmSince: number): T {
    const { inner, life, world, ledger, shadow, clock, freeze } = this.#parts;
    const { faults, random } = world;
    if (faults.hits('storeBusy')) throw failed('It is busy.');
    const isFull = faults.hits('storeFull');
    if (isFull && random.chance(0.5)) this.#callsLeft = random.below(4);
    const isUnclear = faults.hits('commitUnclear');
    const isLost = isUnclear && random.chance(0.5);
    const result = inner.together(() => {
      const written = write();
      if (isFull) throw failed('It is full.');
      life.mayDie('crashBeforeCommit');
      if (isLost) life.die('commit unclear');
      return written;
    });
    life.checkFenced('writes');
    this.commits += 1;
    life.isFailing = false;
    this.isUnread = false;
    const [isBeginning, isTakeOver] = [this.commits === 1, this.commits === 2];
    const calmMs = world.now - calmSince;
    shadow.beginTransaction({
      at: clock.now(),
      isBeginning,
      isTakeOver,
      trueAt: world.now,
      calmMs,
    });
    ledger.commit(this.#entries, this.#operations);
    shadow.endTransaction();
    if (isUnclear) life.die('commit unclear');
    life.mayDie('crashAfterCommit');
    if (faults.hits('frozenAfterCommit')) freeze();
    return result;
  }

  commit(turn: number, decisions: readonly Decision[]): readonly CommittedDecision[] {
    this.#call();
    this.#checkTurn(decisions);
    const committed = this.#parts.inner.commit(turn, decisions);
    for (const { entry } of committed) this.#entries.push(entry);
    return committed;
  }

  claim(write: ClaimWrite): ClaimOutcome {
    this.#call();
    const outcome = this.#parts.inner.claim(write);
    if (outcome.kind === 'granted') this.#wrote([outcome.entry], write.operation);
    return outcome;
  }

  renew(write: HolderWrite): HolderOutcome {
    this.#call();
    return this.#held(this.#parts.inner.renew(write), undefined);
  }

  settle(write: HolderWrite & { readonly operation?: string }): HolderOutcome {
    this.#call();
    return this.#held(this.#parts.inner.settle(write), write.operation);
  }

  record(events: readonly BoardEvent[], operation?: string, grant?: Grant): RecordOutcome {
    this.#call();
    const outcome = this.#parts.inner.record(events, operation, grant);
    if (outcome.kind === 'recorded') this.#wrote(outcome.entries, operation);
    return outcome;
  }

  isLatest(): boolean {
    return this.#parts.inner.isLatest();
  }

  resolve(operation: string): ResolveOutcome {
    this.#call();
    return this.#parts.inner.resolve(operation);
  }

  rebase(facts: unknown): readonly RunId[] {
    this.#call();
    this.#parts.world.faults.note('rebased');
    this.#parts.shadow.tenures.forget(this.#parts.clock.now());
    return this.#parts.inner.rebase(facts);
  }

  events(after: number, limit: number): readonly LedgerEntry[] {
    this.#call();
    return this.#parts.inner.events(after, limit);
  }

  eventsOfRun(run: RunId, after: number, limit: number): readonly LedgerEntry[] {
    return this.#parts.inner.eventsOfRun(run, after, limit);
  }

  observationsOf(run: RunId): ReturnType<Store['observationsOf']> {
    return this.#parts.inner.observationsOf(run);
  }

  lastSequence(): number {
    return this.#parts.inner.lastSequence();
  }

  runs(limit: number): ReturnType<Store['runs']> {
    return this.#parts.inner.runs(limit);
  }

  statesOf(run: RunId): ReturnType<Store['statesOf']> {
    return this.#parts.inner.statesOf(run);
  }

  latestStates(root: string): ReturnType<Store['latestStates']> {
    return this.#parts.inner.latestStates(root);
  }

  watch(onHint: () => void): Disposable {
    return this.#parts.inner.watch(onHint);
  }

  close(): void {
    this.#parts.inner.close();
  }

  #call(): void {
    this.#parts.life.mayDie('crashBetweenCalls');
    this.#callsLeft -= 1;
    if (this.#callsLeft < 0) throw failed('It is full.');
  }

  #held(outcome: HolderOutcome, operation: string | undefined): HolderOutcome {
    if (outcome.kind === 'accepted') this.#wrote(outcome.entries, operation);
    return outcome;
  }

  #wrote(entries: readonly LedgerEntry[], operation: string | undefined): void {
    this.#entries.push(...entries);
    if (operation !== undefined) this.#operations.push(operation);
  }

  /** In one turn each worker is told of one task, and one thing becomes of each task. */
  #checkTurn(decisions: readonly Decision[]): void {
    const { checks } = this.#parts.world;
    this.#rounds += 1;
    this.#looks += 1;
    if (this.#looks % 8 === 0) {
      const [one, other] = [decisions, this.#parts.decideAgain()].map((each) =>
        each.map(digestOf).join(),
      );
      checks.holds('pure', one === other, () => `${one} and then ${other}`);
    }
    const isEnding = this.#rounds < ROUND_LIMIT;
    const what = (): string => decisions.map((decision) => keyOf(decision)).join(' ');
    checks.holds('quiet', isEnding, () => `${what()} is decided again and again`);
    const woken = decisions.flatMap((it) => (it.kind === 'wake' ? [it.worker] : []));
    const isOnce = new Set(woken).size === woken.length;
    checks.holds('wake', isOnce, () => `${woken.join()}: somebody is told twice`);
    const moved = decisions.flatMap((it) => (MOVES.has(it.kind) ? [taskOf(it)] : []));
    const isClear = new Set(moved).size === moved.length;
    checks.holds('once', isClear, () => `${moved.join()}: one is decided twice`);
  }
}

const MOVES: ReadonlySet<string> = new Set(['claim', 'skip', 'revive', 'cancel', 'expire']);

function digestOf(decision: Decision): string {
  const worker = 'worker' in decision ? decision.worker : '';
  const retryAt = 'retryAt' in decision ? decision.retryAt : '';
  return `${keyOf(decision)} ${worker} ${retryAt}`;
}

function taskOf(decision: Decision): string {
  return 'task' in decision ? `${decision.run}/${decision.task}` : '';
}

function failed(message: string): StoreError {
  return new StoreError('world', message);
}
