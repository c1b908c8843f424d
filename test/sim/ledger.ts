import type { RunId, TaskId } from '../../server/domain/ids.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { Shadow } from './shadow.ts';
import type { World } from './world.ts';

/** What a worker was given, kept so that the same request is answered the same way again. */
export interface Grant {
  readonly run: RunId;
  readonly task: TaskId;
  readonly term: number;
  readonly leaseMs: number | undefined;
}

/** What a commit writes besides its events. */
export interface Also {
  /** Taken once: whoever comes with it again has nothing to do. */
  readonly key?: string;
  readonly grant?: { readonly request: string; readonly grant: Grant };
}

export type CommitAnswer = 'done' | 'repeated' | 'failed' | 'unclear';

/** The durable store: it survives everything, and answers badly at times. */
export class Ledger {
  readonly events: BoardEvent[] = [];
  readonly grants = new Map<string, Grant>();
  readonly #keys = new Set<string>();
  readonly #world: World;
  readonly #shadow: Shadow;
  #term = 0;

  constructor(world: World, shadow: Shadow) {
    this.#world = world;
    this.#shadow = shadow;
  }

  /** A term that is minted and not committed is used up. */
  readonly mintTerm = (): number => {
    this.#term += 1;
    return this.#term;
  };

  /** All of the events or none. */
  commit(events: readonly BoardEvent[], { key, grant }: Also): CommitAnswer {
    const { faults } = this.#world;
    if (key !== undefined && this.#keys.has(key)) return 'repeated';
    if (faults.hits('storeBusy') || faults.hits('storeFull')) return 'failed';
    const isUnclear = faults.hits('commitUnclear');
    if (isUnclear && this.#world.random.chance(0.5)) return 'unclear';
    if (key !== undefined) this.#keys.add(key);
    if (grant !== undefined) this.grants.set(grant.request, grant.grant);
    for (const event of events) {
      if (this.#world.trace.isRead) this.#world.say(lineOf(event));
      this.#shadow.read(event);
      this.events.push(event);
    }
    return isUnclear ? 'unclear' : 'done';
  }
}

function lineOf(event: BoardEvent): string {
  switch (event.kind) {
    case 'taskMoved': {
      const { kind, at } = event.event;
      const term = 'term' in event.event ? ` #${event.event.term}` : '';
      const worker = kind === 'taskClaimed' ? ` ${event.event.worker}` : '';
      const retry = 'retryAt' in event.event ? ` again ${event.event.retryAt}` : '';
      const until = 'expiresAt' in event.event ? ` until ${event.event.expiresAt}` : '';
      const signal = kind === 'stopAsked' ? ` ${event.event.why} ${event.event.signal}` : '';
      return `${at} ${kind} ${event.run}/${event.task}${term}${worker}${until}${retry}${signal}`;
    }
    case 'workerSeen':
      return `${event.at} workerSeen ${event.worker.id} ${event.worker.isIdle ? 'idle' : 'busy'}`;
    case 'runFinished':
      return `${event.at} runFinished ${event.run} ${event.outcome}`;
    case 'workerWoken':
      return `${event.at} workerWoken ${event.worker} for ${event.run}/${event.task}`;
    case 'pathsOwned':
      return `${event.at} pathsOwned ${event.id} ${event.worker} ${event.tree} ${event.writes.join()}`;
    case 'leftoverGone':
      return `${event.at} leftoverGone #${event.term}`;
    default: {
      const run = 'run' in event ? ` ${event.run}` : '';
      const task = 'task' in event ? `/${event.task}` : '';
      return `${event.at} ${event.kind}${run}${task}`;
    }
  }
}
