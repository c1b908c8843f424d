import { readFileSync } from 'node:fs';
import os from 'node:os';
import { type Instant, instant } from '../domain/time.ts';
import type { Clock } from '../engine/ports.ts';

/** What a machine says of the time. */
export interface TimeReadings {
  /** The time of day; somebody may set it. */
  readonly wallMs: () => number;
  /** Never set, and may stand still while the machine sleeps. */
  readonly monotonicMs: () => number;
  /** Since the machine started, sleep included; in steps of some milliseconds. */
  readonly uptimeMs: () => number;
  /** Another one after each start of the machine; empty where nobody knows. */
  readonly bootId: string;
}

/** When somebody wrote last, and what the machine said then. */
interface SavedTime {
  readonly at: Instant;
  readonly bootId: string;
  readonly uptimeMs: number;
}

/** How often it looks whether the machine has slept: as often as the slower clock has news. */
const LOOK_EVERY_MS = 10;

/** Less than this between two clocks is how coarse one of them is. */
const COARSENESS_MS = 50;

/**
 * Starts at the time of day, and goes on by lengths of time from there: nobody can set it, it never
 * goes back, and it counts the time in which the machine slept. Leases and limits are lengths of time.
 */
export class SystemClock implements Clock {
  readonly #read: TimeReadings;
  readonly #startedMs: number;
  readonly #startedUptimeMs: number;
  #sleptMs = 0;
  #elapsedMs = 0;
  #nextLookMs = 0;
  /** What it read when it started. */
  #anchorAt: number;
  #hasBeenRead = false;
  #heldAt: Instant | undefined;

  constructor(read: TimeReadings = readingsOf(process.platform)) {
    this.#read = read;
    this.#startedMs = read.monotonicMs();
    this.#startedUptimeMs = read.uptimeMs();
    this.#anchorAt = read.wallMs();
  }

  now(): Instant {
    this.#hasBeenRead = true;
    return this.#heldAt ?? instant(Math.floor(this.#anchorAt + this.#elapse()));
  }

  hold(): Disposable {
    this.#heldAt = this.now();
    return { [Symbol.dispose]: () => void (this.#heldAt = undefined) };
  }

  /**
   * Goes on from what another clock has saved, if that leads further. While the machine has not
   * started anew it is the same time that both count, whatever the time of day is said to be.
   */
  resume(saved: SavedTime): void {
    const elapsedMs = this.#elapse();
    const { bootId } = this.#read;
    const isSameStart = bootId !== '' && saved.bootId === bootId;
    const sinceMs = Math.max(0, this.#startedUptimeMs + elapsedMs - saved.uptimeMs);
    const at = isSameStart ? saved.at + sinceMs : Math.max(saved.at, this.#read.wallMs());
    const isLater = at > this.#anchorAt + elapsedMs;
    if (isLater || !this.#hasBeenRead) this.#anchorAt = at - elapsedMs;
  }

  save(): SavedTime {
    const at = this.now();
    const uptimeMs = Math.floor(this.#startedUptimeMs + this.#elapsedMs);
    return { at, bootId: this.#read.bootId, uptimeMs };
  }

  #elapse(): number {
    const awakeMs = this.#read.monotonicMs() - this.#startedMs;
    if (awakeMs >= this.#nextLookMs) this.#lookForSleep(awakeMs);
    this.#elapsedMs = Math.max(this.#elapsedMs, awakeMs + this.#sleptMs);
    return this.#elapsedMs;
  }

  #lookForSleep(awakeMs: number): void {
    this.#nextLookMs = awakeMs + LOOK_EVERY_MS;
    const sleptMs = this.#read.uptimeMs() - this.#startedUptimeMs - awakeMs;
    if (sleptMs - this.#sleptMs > COARSENESS_MS) this.#sleptMs = sleptMs;
  }
}

const SECOND_MS = 1000;
const NANOSECONDS = 1_000_000n;

/** Elsewhere than on Linux the first clock counts sleep, and the second one follows the time of day. */
function readingsOf(platform: NodeJS.Platform): TimeReadings {
  const [wallMs, monotonicMs] = [Date.now, readMonotonicMs];
  if (platform !== 'linux') return { wallMs, monotonicMs, uptimeMs: monotonicMs, bootId: '' };
  return { wallMs, monotonicMs, uptimeMs: readUptimeMs, bootId: linuxBootId() };
}

/** Since some moment, sleep included; nobody can set it. In steps of some milliseconds. */
export function unstoppedMs(): number {
  return process.platform === 'linux' ? readUptimeMs() : readMonotonicMs();
}

function readMonotonicMs(): number {
  return Number(process.hrtime.bigint() / NANOSECONDS);
}

function readUptimeMs(): number {
  return os.uptime() * SECOND_MS;
}

function linuxBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
