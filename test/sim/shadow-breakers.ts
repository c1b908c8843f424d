import type { TaskEvent } from '../../server/domain/task.ts';
import type { Checks } from './violation.ts';
import type { Work } from './work.ts';

const FAILURES = 5;
const OPEN_MS = 60_000;
const TRIALS = 3;

interface Callee {
  failures: number;
  openUntil: number;
  /** What follows the first opening is not worked out again here. */
  wasOpen: boolean;
  /** Calls that were tried since then, and have neither succeeded nor been called off. */
  trials: number[];
  successes: number;
}

/** Hosts and agents that fail again and again are left alone for a minute. */
export class ShadowBreakers {
  readonly #callees = new Map<string, Callee>();
  readonly #checks: Checks;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  follow(event: TaskEvent, { work, place }: { work: Work; place: string | undefined }): void {
    if (place === undefined) return;
    const { doer } = work.asks;
    if (place !== 'local') this.#call(`host ${place}`, event, isGoodForHost(event));
    if (doer.kind === 'started-agent')
      this.#call(`agent ${doer.agent}`, event, isGoodForAgent(event));
  }

  /** A host that is named again is a new one. */
  forgetHost(place: string): void {
    this.#callees.delete(`host ${place}`);
  }

  hasOpened(name: string): boolean {
    return this.#callees.get(name)?.wasOpen === true;
  }

  #call(name: string, event: TaskEvent, isGood: boolean | undefined): void {
    const callee = this.#callees.get(name) ?? {
      failures: 0,
      openUntil: 0,
      wasOpen: false,
      trials: [],
      successes: 0,
    };
    this.#callees.set(name, callee);
    if (event.kind === 'taskClaimed') {
      // The turn that sees the last failure claims as if it had not.
      const isNews = event.at === callee.openUntil - OPEN_MS;
      const isLeftAlone = event.at < callee.openUntil && !isNews;
      this.#checks.holds('breaker', !isLeftAlone, () => `${name} is called, and keeps failing`);
      if (callee.wasOpen && !isNews) this.#try(name, { callee, at: event.at });
    }
    if (isGood === true) {
      callee.trials = [];
      callee.successes += callee.wasOpen ? 1 : 0;
    } else if (isCalledOff(event)) callee.trials.pop();
    if (isGood === undefined || callee.wasOpen) return;
    callee.failures = isGood ? 0 : callee.failures + 1;
    if (callee.failures < FAILURES) return;
    callee.wasOpen = true;
    callee.openUntil = event.at + OPEN_MS;
  }

  /** Between two failures of trials and the next trial it is left alone as long again. */
  #try(name: string, { callee, at }: { callee: Callee; at: number }): void {
    callee.trials = [...callee.trials.filter((since) => at - since < OPEN_MS), at];
    const isFew = callee.trials.length <= TRIALS || callee.successes >= 2;
    this.#checks.holds('breaker', isFew, () => `${name} is called more than it is tried`);
  }
}

function isCalledOff({ kind }: TaskEvent): boolean {
  return kind === 'taskReleased' || kind === 'taskCancelled' || kind === 'taskAsked';
}

function isGoodForHost({ kind }: TaskEvent): boolean | undefined {
  if (kind === 'taskStarted' || kind === 'taskCompleted' || kind === 'taskFailed') return true;
  return kind === 'taskLost' ? false : undefined;
}

function isGoodForAgent({ kind }: TaskEvent): boolean | undefined {
  if (kind === 'taskCompleted') return true;
  return kind === 'taskLost' || kind === 'taskFailed' ? false : undefined;
}
