/** What kanban-md reads: `2026-02-07T10:30:00.123+01:00`, also with a space, with no zone, or a day alone. */
const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?)?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;
const ERA_DAYS = 146_097;
const DAYS_TO_1970 = 719_468;

/** Milliseconds since 1970; a time without a zone is one of UTC. */
export function parseTime(text: string): number | undefined {
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = 'Z'] =
    TIME.exec(text) ?? [];
  const days = daysSince1970(Number(year), Number(month), Number(day));
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return days * DAY_MS + seconds * 1000 + ms - offsetMs(zone);
}

/** Whether it is a day as kanban-md wants it: `2026-02-07`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  return daysSince1970(Number(year), Number(month), Number(day)) !== undefined;
}

/** As kanban-md writes times, in UTC: `2026-02-07T10:30:00.123Z`. */
export function formatTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const { year, month, day } = dayOf(days);
  const inDay = ms - days * DAY_MS;
  const time = `${two(inDay / 3_600_000)}:${two((inDay / 60_000) % 60)}:${two((inDay / 1000) % 60)}`;
  const fraction = String(Math.floor(inDay % 1000)).padStart(3, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}.${fraction}Z`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Years are taken to begin in March, so that the day a leap year has more is the last one. */
function daysSince1970(year: number, month: number, day: number): number | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1)) return undefined;
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const ofEra = marchYear - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const days =
    era * ERA_DAYS +
    ofEra * 365 +
    Math.floor(ofEra / 4) -
    Math.floor(ofEra / 100) +
    ofYear -
    DAYS_TO_1970;
  return dayOf(days).month === month ? days : undefined;
}

function dayOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + DAYS_TO_1970;
  const era = Math.floor(shifted / ERA_DAYS);
  const inEra = shifted - era * ERA_DAYS;
  const ofEra = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) /
      365,
  );
  const inYear = inEra - (365 * ofEra + Math.floor(ofEra / 4) - Math.floor(ofEra / 100));
  const marchMonth = Math.floor((5 * inYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const day = inYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return { year: ofEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
