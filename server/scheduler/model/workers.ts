import { assert } from '../../domain/assert.ts';
import { type Breaker, CLOSED } from '../../domain/failure/circuit-breaker.ts';
import type { CoolDown } from '../../domain/failure/cool-down.ts';
import { parseWorkerId, type WorkerId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';

/** An agent, a person or a terminal of an editor that claims for itself. */
export interface Worker {
  readonly id: WorkerId;
  readonly kind: 'agent' | 'person' | 'terminal';
  readonly capabilities: readonly string[];
  /** Only tasks of this folder are for it; absent is any. */
  readonly root?: string;
  /** Whether it can be spoken to now: a session that is gone or in the middle of a prompt cannot. */
  readonly isIdle: boolean;
  readonly since: Instant;
}

/** Where our runners run: this machine, or a host. */
export interface Place {
  readonly name: string;
  /** The holder of the claims that are made for it. */
  readonly runner: WorkerId;
  readonly isReachable: boolean;
  readonly capabilities: readonly string[];
  /** What the machine itself has: `parallel`, `cpu`, `memory`. What is left out is not limited here. */
  readonly limits: Readonly<Record<string, number>>;
  /** How many of its processors are busy, of each: one and more is a machine that has enough to do. */
  readonly load?: number;
  /** Each attempt there works in a tree of its own: what is lost there is in nobody's way. */
  readonly isIsolated?: boolean;
  readonly breaker: Breaker;
}

/** A configured agent that a runner can start. */
export interface Agent {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Whether the user allows that one is started when nobody takes a task. */
  readonly mayBeStarted: boolean;
  readonly breaker: Breaker;
  readonly coolDown?: CoolDown;
}

/** The name of this machine among the places. */
export const LOCAL = 'local';

export function placeNamed(name: string): Place {
  return {
    name,
    runner: runnerAt(name),
    isReachable: true,
    capabilities: [],
    limits: {},
    breaker: CLOSED,
  };
}

const RUNNER = 'runner/';

/** The runner of a place, as the holder of its claims; nothing where no host can have that name. */
export function runnerNamed(place: string): WorkerId | undefined {
  return parseWorkerId(RUNNER + place);
}

export function runnerAt(place: string): WorkerId {
  const id = runnerNamed(place);
  assert(id !== undefined, 'a place has a name that a runner can have');
  return id;
}

export function isRunner(worker: WorkerId): boolean {
  return worker.startsWith(RUNNER);
}

export function isAgent(worker: WorkerId): boolean {
  return worker.startsWith('agent/');
}

const TERMINAL = /^terminal\/(.+):[\w-]+$/;

/** A terminal, or a window that opens terminals: `id` is like that of no other. */
export function terminalNamed(person: WorkerId, id: string): WorkerId | undefined {
  return parseWorkerId(`terminal/${personName(person)}:${id}`);
}

/** The person before it; nothing where the worker is no terminal. */
export function terminalOf(worker: WorkerId): string | undefined {
  return TERMINAL.exec(worker)?.[1];
}

/** A window of an editor is the person who sits before it, and yet not their other windows. */
const WINDOW = /:window-[\w.-]+$/;

export function windowOf(person: WorkerId, window: string): WorkerId | undefined {
  return parseWorkerId(`${person}:window-${window}`);
}

/** The person, where the worker is one of their windows. */
export function withoutWindow(worker: WorkerId): WorkerId {
  return parseWorkerId(worker.replace(WINDOW, '')) ?? worker;
}

/** As others call them: `kim` for `person/kim:window-7`. */
export function personName(worker: WorkerId): string {
  return withoutWindow(worker).replace(/^person\//, '');
}

/** Nobody is in their own way, whichever of their windows they are in. */
export function isSameWorker(a: WorkerId | undefined, b: WorkerId): boolean {
  if (a === undefined || a === b) return a === b;
  return withoutWindow(a) === withoutWindow(b);
}

export function placeOf(worker: WorkerId): string {
  return isRunner(worker) ? worker.slice(RUNNER.length) : LOCAL;
}
