import { type Instant, instant } from '../../server/domain/time.ts';
import type { Alarm } from '../../server/engine/ports.ts';
import type { BoardClock, SavedTime } from '../../server/store/board-row.ts';
import type { Life } from './life.ts';
import { START_AT } from './plans.ts';
import type { World } from './world.ts';

/** The clock of the board. It never goes back, whatever is done to the clock of the machine. */
export class SimClock implements BoardClock {
  /** How far the clock of the machine has been set forward or back. */
  offsetMs = 0;
  readonly #world: World;
  /** How far it is ahead of a clock that was set back: one that stands still lets nothing end. */
  #aheadMs = 0;
  #last = 0;

  constructor(world: World) {
    this.#world = world;
  }

  now(): Instant {
    const read = START_AT + this.#world.now + this.offsetMs;
    this.#aheadMs = Math.max(this.#aheadMs, this.#last - read);
    this.#last = read + this.#aheadMs;
    return instant(this.#last);
  }

  /** It stands still by itself. */
  hold(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  resume({ at }: SavedTime): void {
    this.#last = Math.max(this.#last, at);
  }

  save(): SavedTime {
    const at = this.now();
    return { at, bootId: 'boot', uptimeMs: at };
  }
}

/** Wakes one process for as long as it lives. */
export class SimAlarm implements Alarm {
  readonly #world: World;
  readonly #life: Life;
  /** How long it takes until whatever has arrived is taken in. */
  readonly #lagMs: number;

  constructor(world: World, life: Life, lagMs: number) {
    this.#world = world;
    this.#life = life;
    this.#lagMs = lagMs;
  }

  after(delayMs: number, callback: () => void): Disposable {
    let isWanted = true;
    this.#world.after(Math.max(1, delayMs), () =>
      this.#life.run(() => {
        if (isWanted) callback();
      }),
    );
    return {
      [Symbol.dispose]: () => {
        isWanted = false;
      },
    };
  }

  soon(callback: () => void): void {
    const life = this.#life;
    life.turnsDue += 1;
    const lagMs = this.#lagMs === 0 ? 0 : this.#world.random.below(this.#lagMs);
    this.#world.after(lagMs, () =>
      life.run(() => {
        life.turnsDue -= 1;
        callback();
      }),
    );
  }
}
