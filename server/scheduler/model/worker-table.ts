import { unreachable } from '../../domain/assert.ts';
import {
  type Breaker,
  callDropped,
  callEnded,
  callStarted,
  CLOSED,
} from '../../domain/failure/circuit-breaker.ts';
import { afterRateLimit } from '../../domain/failure/cool-down.ts';
import type { WorkerId } from '../../domain/ids.ts';
import { type Instant, laterBy } from '../../domain/time.ts';
import type { WorkerEvent } from './board-event.ts';
import {
  type Agent,
  LOCAL,
  type Place,
  isRunner,
  placeNamed,
  runnerNamed,
  withoutWindow,
  type Worker,
} from './workers.ts';

/** A host that has not started a command after this long has failed to. */
const START_LIMIT_MS = 60_000;
/** An agent whose task has no limit reports in any case: when its lease ends, if not before. */
const WORK_LIMIT_MS = 24 * 60 * 60_000;

/** Everybody who could do a task: agents and people who come for work, and what we start ourselves. */
export class WorkerTable {
  readonly sessions = new Map<WorkerId, Worker>();
  readonly places = new Map<string, Place>([[LOCAL, placeNamed(LOCAL)]]);
  readonly agents = new Map<string, Agent>();
  /** They are given nothing new, whether they are there or not. */
  readonly drained = new Set<WorkerId>();

  /** A window of a person who is drained is, too. */
  isDrained(worker: WorkerId): boolean {
    return this.drained.size > 0 && this.drained.has(withoutWindow(worker));
  }

  /** Answers whether it could be so. */
  apply(
    event: Exclude<WorkerEvent, { kind: 'workerWoken' | 'wakesForgotten' | 'lossesTold' }>,
  ): boolean {
    switch (event.kind) {
      case 'workerSeen':
        // The names of our runners are theirs.
        if (isRunner(event.worker.id)) return false;
        this.sessions.set(event.worker.id, event.worker);
        return true;
      case 'workerLeft':
        return this.sessions.delete(event.worker);
      case 'workerDrained':
        if (this.isDrained(event.worker)) return false;
        this.drained.add(withoutWindow(event.worker));
        return true;
      case 'workerUndrained':
        return this.drained.delete(withoutWindow(event.worker));
      case 'placeSeen': {
        const { place } = event;
        const runner = runnerNamed(place.name);
        if (runner === undefined) return false;
        const breaker = this.places.get(place.name)?.breaker ?? CLOSED;
        this.places.set(place.name, { ...place, runner, breaker });
        return true;
      }
      case 'placeGone':
        return event.place !== LOCAL && this.places.delete(event.place);
      case 'agentConfigured': {
        const { breaker = CLOSED, coolDown } = this.agents.get(event.agent.name) ?? {};
        const agent = { ...event.agent, breaker };
        this.agents.set(agent.name, coolDown === undefined ? agent : { ...agent, coolDown });
        return true;
      }
      case 'agentGone':
        return this.agents.delete(event.agent);
      case 'agentLimited': {
        const agent = this.agents.get(event.agent);
        if (agent === undefined) return false;
        const coolDown = afterRateLimit(agent.coolDown, event, event.at);
        this.agents.set(event.agent, { ...agent, coolDown });
        return true;
      }
      default:
        return unreachable(event);
    }
  }

  /** A claim for a runner is a call of its host, and of its agent where it starts one. */
  callStarted(call: Call, now: Instant): void {
    const start = { call: call.id, dueAt: laterBy(now, START_LIMIT_MS) };
    const work = { call: call.id, dueAt: laterBy(now, call.limitMs ?? WORK_LIMIT_MS) };
    this.#updatePlace(call, (place) => callStarted(place.breaker, start, now));
    this.#updateAgent(call, (agent) => callStarted(agent.breaker, work, now));
  }

  /** The host has done its part when the command has started; the agent, when it has ended. */
  callEnded(of: 'place' | 'agent', { outcome, ...call }: EndedCall, now: Instant): void {
    const next = ({ breaker }: Place | Agent): Breaker =>
      outcome === 'dropped'
        ? callDropped(breaker, call.id, now)
        : callEnded(breaker, { call: call.id, succeeded: outcome === 'succeeded' }, now);
    if (of === 'place') this.#updatePlace(call, next);
    else this.#updateAgent(call, next);
  }

  #updatePlace({ place: name }: Call, next: (place: Place) => Breaker): void {
    const place = this.places.get(name);
    if (place === undefined) return;
    const breaker = next(place);
    if (breaker !== place.breaker) this.places.set(name, { ...place, breaker });
  }

  #updateAgent({ agent: name }: Call, next: (agent: Agent) => Breaker): void {
    const agent = name === undefined ? undefined : this.agents.get(name);
    if (agent === undefined) return;
    const breaker = next(agent);
    if (breaker !== agent.breaker) this.agents.set(agent.name, { ...agent, breaker });
  }
}

type EndedCall = Call & { readonly outcome: 'succeeded' | 'failed' | 'dropped' };

export interface Call {
  readonly id: string;
  readonly place: string;
  readonly agent: string | undefined;
  readonly limitMs: number | undefined;
}
