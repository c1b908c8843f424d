import { Faults } from './faults.ts';
import { Random } from './random.ts';
import { Trace } from './trace.ts';
import { Checks } from './violation.ts';

interface Due {
  readonly at: number;
  readonly sequence: number;
  readonly run: () => void;
}

/** Time, chance, messages and faults of one seed. Everything in it happens one after the other. */
export class World {
  readonly seed: number;
  readonly random: Random;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly checks = new Checks();
  /** What a perfect clock would say, in milliseconds. */
  now = 0;
  events = 0;
  readonly #queue: Due[] = [];
  /** Something may have been promised that is to happen before anything else does. */
  isStirred = false;
  readonly #termNames = new Map<number, string>();
  #sequence = 0;

  constructor(seed: number, print?: (line: string) => void) {
    this.seed = seed;
    this.random = new Random(seed);
    this.faults = new Faults(this.random);
    this.trace = new Trace(print);
  }

  after(delayMs: number, run: () => void): void {
    this.#push({
      at: this.now + Math.max(0, Math.round(delayMs)),
      sequence: this.#sequence++,
      run,
    });
  }

  /** A message that may be lost, doubled, late, and behind a later one. */
  send(deliver: () => void): void {
    const { faults, random } = this;
    if (faults.hits('messageLost')) return;
    const copies = faults.hits('messageDoubled') ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const isLate = faults.hits('messageDelayed');
      this.after(isLate ? random.between(500, 30_000) : random.between(1, 50), deliver);
    }
  }

  say(what: string): void {
    this.trace.add(this.now, what);
  }

  stir(): void {
    this.isStirred = true;
  }

  /** Stores leave out terms as they like, so in the trace they are numbered as they come. */
  termName(term: number): string {
    const name = this.#termNames.get(term) ?? `#${this.#termNames.size + 1}`;
    this.#termNames.set(term, name);
    return name;
  }

  /** Lets the next thing happen; `false` when nothing is left. */
  step(): boolean {
    const due = this.#pop();
    if (due === undefined) return false;
    this.now = due.at;
    this.events += 1;
    due.run();
    return true;
  }

  #push(due: Due): void {
    const queue = this.#queue;
    let hole = queue.push(due) - 1;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      const parent = queue[up]!;
      if (!comesBefore(due, parent)) break;
      queue[hole] = parent;
      hole = up;
    }
    queue[hole] = due;
  }

  #pop(): Due | undefined {
    const queue = this.#queue;
    const first = queue[0];
    const last = queue.pop();
    if (last === undefined || first === last) return first;
    let hole = 0;
    for (let down = 1; down < queue.length; down = 2 * hole + 1) {
      if (down + 1 < queue.length && comesBefore(queue[down + 1]!, queue[down]!)) down += 1;
      if (!comesBefore(queue[down]!, last)) break;
      queue[hole] = queue[down]!;
      hole = down;
    }
    queue[hole] = last;
    return first;
  }
}

function comesBefore(a: Due, b: Due): boolean {
  return a.at === b.at ? a.sequence < b.sequence : a.at < b.at;
}
