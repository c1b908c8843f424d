import type { FaultKind } from './faults.ts';
import type { World } from './world.ts';

/** Thrown where a process dies: nothing of what it was about to do happens. */
class Death extends Error {
  override readonly name = 'Death';
}

const ANSWER_MS = 20_000;

/** One process that decides, from its start to its death. It may sleep in between. */
export class Life {
  isAlive = true;
  /** It has taken over, and decides. */
  hasBegun = false;
  /** Another process decides now. It was frozen meanwhile, and does not know. */
  isTakenOver = false;
  /** What it wrote last was refused by the disk. */
  isFailing = false;
  /** The last entry that was told to whoever shows the board. */
  toldUntil = 0;
  /** When it last wrote, or wanted to. */
  triedAt: number;
  /** Since when it has neither slept nor failed. */
  calmSince: number;
  /** How many turns are about to come. */
  turnsDue = 0;
  /** Requests that have reached it and were not answered, and since when. */
  readonly #waiting = new Map<number, number>();
  #requests = 0;
  readonly #world: World;
  readonly #onDeath: (life: Life) => void;
  readonly #backlog: (() => void)[] = [];
  #asleepUntil = 0;

  constructor(world: World, onDeath: (life: Life) => void) {
    this.#world = world;
    this.#onDeath = onDeath;
    this.calmSince = world.now;
    this.triedAt = world.now;
  }

  get isAsleep(): boolean {
    return this.isAlive && this.#world.now < this.#asleepUntil;
  }

  /** Whoever was taken over does nothing more that anybody could notice. */
  checkFenced(what: string): void {
    const why = (): string => `a process that was taken over ${what}`;
    this.#world.checks.holds('fenced', !this.isTakenOver, why);
  }

  /** A request reaches it. What is returned is called when it is answered. */
  begun(): () => void {
    this.#requests += 1;
    const request = this.#requests;
    this.#waiting.set(request, this.#world.now);
    return () => void this.#waiting.delete(request);
  }

  /** Nobody is left without an answer while nothing keeps this process from giving one. */
  checkAnswers(): void {
    const { now, checks } = this.#world;
    for (const since of this.#waiting.values()) {
      const isLate = now - since > ANSWER_MS && this.calmSince <= since;
      checks.holds('answered', !isLate, () => `nobody has answered since ${since}`);
      return;
    }
  }

  /** In the middle of something. */
  die(why: string): never {
    this.end(why);
    throw new Death(why);
  }

  mayDie(kind: FaultKind): void {
    if (!this.isAlive) throw new Death('already');
    if (this.#world.faults.hits(kind)) this.die(kind);
  }

  end(why: string): void {
    if (!this.isAlive) return;
    this.#world.say(`crash ${why}`);
    this.isAlive = false;
    this.#backlog.length = 0;
    this.#onDeath(this);
  }

  /** Lets something happen in this process, if it is there, and as soon as it is awake. */
  run(what: () => void): void {
    if (!this.isAlive) return;
    if (this.#world.now < this.#asleepUntil) {
      this.#backlog.push(what);
      return;
    }
    try {
      what();
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
  }

  /** For a while it does nothing at all; everything that reaches it waits. */
  sleep(forMs: number): void {
    this.#asleepUntil = Math.max(this.#asleepUntil, this.#world.now + forMs);
    this.calmSince = this.#asleepUntil;
    this.#world.after(forMs, () => {
      if (this.#world.now < this.#asleepUntil) return;
      const backlog = this.#backlog.splice(0);
      for (const what of backlog) this.run(what);
    });
  }
}

export function isDeath(error: unknown): boolean {
  return error instanceof Death;
}
