import type { HostSight, Machines } from '../board/session-ports.ts';
import { displayText } from '../domain/display-text.ts';

/** Tells why a host cannot be reached that tasks need, once for each reason, and when it can again. */
export class HostNotice implements Disposable {
  readonly #machines: Pick<Machines, 'sights' | 'onChanged'>;
  readonly #tell: (sentence: string) => void;
  /** What was told of each that cannot be reached. */
  readonly #told = new Map<string, Set<string>>();
  readonly #changes: Disposable;

  constructor(machines: Pick<Machines, 'sights' | 'onChanged'>, tell: (sentence: string) => void) {
    this.#machines = machines;
    this.#tell = tell;
    this.#changes = machines.onChanged(() => this.#look());
    this.#look();
  }

  [Symbol.dispose](): void {
    this.#changes[Symbol.dispose]();
  }

  #look(): void {
    for (const { name, state, why } of this.#machines.sights) {
      const told = this.#told.get(name);
      if (isOut(state) && told?.has(why) !== true) {
        this.#told.set(name, new Set(told).add(why));
        this.#tell(`Host "${name}" cannot be reached. ${displayText(why)}`);
      } else if (told !== undefined && state === 'reachable') {
        this.#told.delete(name);
        this.#tell(`Host "${name}" can be reached again.`);
      }
    }
  }
}

/** One that is tried again in this moment may be there in the next. */
function isOut(state: HostSight['state']): boolean {
  return state === 'unreachable' || state === 'unhealthy';
}
