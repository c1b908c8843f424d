export interface Tick {
  readonly at: number;
  readonly label: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Steps that people count in. */
const STEPS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 168].map((count) => count * HOUR),
];

/**
 * The lines of a time axis that has room for so many: at round lengths of time since the beginning,
 * which is what people compare.
 */
export function ticksOf(
  { from, to }: { readonly from: number; readonly to: number },
  { origin, most }: { readonly origin: number; readonly most: number },
): readonly Tick[] {
  const wanted = Math.max(1, to - from) / Math.max(1, most);
  const longest = STEPS.at(-1)!;
  const step = STEPS.find((each) => each >= wanted) ?? Math.ceil(wanted / longest) * longest;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from - origin) / step) * step; at <= to - origin; at += step)
    ticks.push({ at: origin + at, label: lengthText(at, step) });
  return ticks;
}

/** `350 ms`, `1.5 s`, `2:05`, `1:02:05`; as exact as the step between two lines. */
function lengthText(milliseconds: number, step: number): string {
  const sign = milliseconds < 0 ? '−' : '';
  const length = Math.abs(milliseconds);
  if (length === 0) return '0';
  if (length < MINUTE && step < SECOND) {
    if (length < SECOND) return `${sign}${length} ms`;
    return `${sign}${(length / SECOND).toFixed(step < 10 ? 3 : step < 100 ? 2 : 1)} s`;
  }
  if (length < MINUTE) return `${sign}${length / SECOND} s`;
  const [hours, minutes] = [Math.floor(length / HOUR), Math.floor((length % HOUR) / MINUTE)];
  const seconds = (length % MINUTE) / SECOND;
  const digits = step < 10 ? 3 : step < 100 ? 2 : step < SECOND ? 1 : 0;
  const end = seconds.toFixed(digits).padStart(digits === 0 ? 2 : 3 + digits, '0');
  if (step >= HOUR) return `${sign}${hours} h`;
  if (hours > 0) return `${sign}${hours}:${String(minutes).padStart(2, '0')}:${end}`;
  return step >= MINUTE ? `${sign}${minutes} min` : `${sign}${minutes}:${end}`;
}
