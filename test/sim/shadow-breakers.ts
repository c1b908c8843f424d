import type { TaskEvent } from '../../server/domain/task.ts';
import type { Checks } from './violation.ts';
import type { Work } from './work.ts';

const FAILURES = 5;
const OPEN_MS = 60_000;

interface Callee {
  failures: number;
  openUntil: number;
  /** What follows the first opening is not worked out again here. */
  wasOpen: boolean;
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

  #call(name: string, event: TaskEvent, isGood: boolean | undefined): void {
    const callee = this.#callees.get(name) ?? { failures: 0, openUntil: 0, wasOpen: false };
    this.#callees.set(name, callee);
    if (event.kind === 'taskClaimed') {
      // The turn that sees the last failure claims as if it had not.
      const isNews = event.at === callee.openUntil - OPEN_MS;
      const isLeftAlone = event.at < callee.openUntil && !isNews;
      this.#checks.holds('breaker', !isLeftAlone, () => `${name} is called, and keeps failing`);
    }
    if (isGood === undefined || callee.wasOpen) return;
    callee.failures = isGood ? 0 : callee.failures + 1;
    if (callee.failures < FAILURES) return;
    callee.wasOpen = true;
    callee.openUntil = event.at + OPEN_MS;
  }
}

function isGoodForHost({ kind }: TaskEvent): boolean | undefined {
  if (kind === 'taskStarted' || kind === 'taskCompleted' || kind === 'taskFailed') return true;
  return kind === 'taskLost' ? false : undefined;
}

function isGoodForAgent({ kind }: TaskEvent): boolean | undefined {
  if (kind === 'taskCompleted') return true;
  return kind === 'taskLost' || kind === 'taskFailed' ? false : undefined;
}
