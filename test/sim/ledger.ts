import type { LedgerEntry } from '../../server/engine/store-port.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { Shadow } from './shadow.ts';
import type { World } from './world.ts';

/** All that was ever committed, in order; of the store, a rebase keeps less. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  /** Whoever reads the ledger by themselves. */
  readonly readers: (() => void)[] = [];
  readonly #applied = new Set<string>();
  readonly #world: World;
  readonly #shadow: Shadow;

  constructor(world: World, shadow: Shadow) {
    this.#world = world;
    this.#shadow = shadow;
  }

  /** A transaction has reached the disk. */
  commit(entries: readonly LedgerEntry[], operations: readonly string[]): void {
    const { checks } = this.#world;
    for (const entry of entries) {
      const { sequence, event } = entry;
      const isNext = sequence === this.entries.length + 1;
      checks.holds('gap', isNext, () => `${this.entries.length} is followed by ${sequence}`);
      this.entries.push(entry);
      if (this.#world.trace.isRead) this.#world.say(this.#lineOf(event));
      this.#shadow.read(event);
    }
    for (const operation of operations.map(askedName)) {
      checks.holds('I12', !this.#applied.has(operation), () => `${operation} counts twice`);
      this.#applied.add(operation);
    }
    for (const read of this.readers) read();
  }

  /** Whether a request was carried out, and nobody can take that back. */
  isApplied(operation: string): boolean {
    return this.#applied.has(operation);
  }

  #lineOf(event: BoardEvent): string {
    switch (event.kind) {
      case 'taskMoved': {
        const { kind, at } = event.event;
        const term = 'term' in event.event ? ` ${this.#world.termName(event.event.term)}` : '';
        const worker = kind === 'taskClaimed' ? ` ${event.event.worker}` : '';
        const retry = 'retryAt' in event.event ? ` again ${event.event.retryAt}` : '';
        const until = 'expiresAt' in event.event ? ` until ${event.event.expiresAt}` : '';
        const signal = kind === 'stopAsked' ? ` ${event.event.why} ${event.event.signal}` : '';
        const cause = kind === 'taskLost' ? ` ${event.event.cause}` : '';
        const how = `${worker}${until}${retry}${signal}${cause}`;
        return `${at} ${kind} ${event.run}/${event.task}${term}${how}`;
      }
      case 'tenureBegan':
      case 'permissionChanged':
        return `${event.at} ${event.kind} ${event.permission}`;
      case 'workerSeen':
        return `${event.at} workerSeen ${event.worker.id} ${event.worker.isIdle ? 'idle' : 'busy'}`;
      case 'runFinished':
        return `${event.at} runFinished ${event.run} ${event.outcome}`;
      case 'workerWoken':
        return `${event.at} workerWoken ${event.worker} for ${event.run}/${event.task}`;
      case 'pathsOwned':
        return `${event.at} pathsOwned ${event.id} ${event.worker} ${event.tree} ${event.writes.join()}`;
      case 'leftoverGone':
        return `${event.at} leftoverGone ${this.#world.termName(event.term)}`;
      default: {
        const run = 'run' in event ? ` ${event.run}` : '';
        const task = 'task' in event ? `/${event.task}` : '';
        return `${event.at} ${event.kind}${run}${task}`;
      }
    }
  }
}

/** What it is called by whoever asked; the engine adds what was asked. */
function askedName(operation: string): string {
  return operation.startsWith('[') ? String(JSON.parse(operation)[0]) : operation;
}
