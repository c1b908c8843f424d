import type { Instant } from '../domain/time.ts';

const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

/** Days and times as they sort, in the zone of whoever reads them. */
export class ClockText {
  // Making one takes some milliseconds, and mostly there is nothing to be told.
  #day: Intl.DateTimeFormat | undefined;
  #time: Intl.DateTimeFormat | undefined;

  /** `2026-11-18` */
  day(at: Instant): string {
    this.#day ??= new Intl.DateTimeFormat('sv-SE', DAY);
    return this.#day.format(at);
  }

  /** `14:05:09` */
  time(at: Instant): string {
    this.#time ??= new Intl.DateTimeFormat('sv-SE', TIME);
    return this.#time.format(at);
  }

  /** The day is left out when it is this one. */
  short(at: Instant, now: Instant): string {
    const day = this.day(at);
    return day === this.day(now) ? this.time(at) : `${day} ${this.time(at)}`;
  }
}
