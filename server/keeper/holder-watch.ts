import type { Alarm, BoardLock, Clock, LockSight } from '../engine/ports.ts';

/** How often whoever decides shows that it is alive. */
export const BEAT_MS = 1000;
/** How often the others look. */
const LOOK_MS = 500;
/** So many looks in a row without a beat: a holder that is stopped is taken over within 5 seconds. */
const SILENT_LOOKS = 7;

interface Watched {
  readonly lock: Pick<BoardLock, 'look'>;
  readonly alarm: Alarm;
  readonly clock: Clock;
  /** Processes that decide only if no other does leave it to the others for so many looks more. */
  readonly extraLooks: number;
  /** It has shown no sign of life for some seconds: told once, until it beats again. */
  readonly onSilent: (sight: LockSight) => void;
  /** Another process has taken the board from it. */
  readonly onTakenOver: () => void;
}

/**
 * Looks whether the process that decides is alive, for a process that takes part and does not decide.
 * A socket tells when that process dies. It does not tell when it is stopped.
 */
export class HolderWatch implements Disposable {
  readonly #watched: Watched;
  #due: Disposable;
  #seen: LockSight | undefined;
  #lookedAt: number;
  #quietLooks = 0;
  #isOver = false;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#lookedAt = watched.clock.now();
    this.#due = this.#later();
  }

  /** For how long it has been silent, as far as this process has been awake to see it. */
  get silentMs(): number {
    return this.#quietLooks * LOOK_MS;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#due[Symbol.dispose]();
  }

  #later(): Disposable {
    return this.#watched.alarm.after(LOOK_MS, () => {
      this.#look();
      if (!this.#isOver) this.#due = this.#later();
    });
  }

  #look(): void {
    const { lock, clock, extraLooks, onSilent, onTakenOver } = this.#watched;
    const before = this.#seen;
    const sight = sightOf(lock);
    const now = clock.now();
    // This process was stopped itself, or the machine slept: it begins to watch again.
    const isLate = now - this.#lookedAt > 2 * LOOK_MS;
    this.#lookedAt = now;
    this.#seen = sight;
    if (sight === undefined || before === undefined) return;
    if (sight.generation !== before.generation) onTakenOver();
    const isQuiet = sight.generation === before.generation && sight.beats === before.beats;
    this.#quietLooks = isQuiet && !isLate ? this.#quietLooks + 1 : 0;
    if (this.#quietLooks === SILENT_LOOKS + extraLooks) onSilent(sight);
  }
}

/** Nothing where the folder cannot be read now: then nothing is known of its holder. */
function sightOf(lock: Pick<BoardLock, 'look'>): LockSight | undefined {
  try {
    return lock.look();
  } catch {
    return undefined;
  }
}
