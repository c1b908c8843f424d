import { isScalar } from 'yaml';

/*
 * kanban-md is written in Go, and its YAML reader takes values as Go does. What it reads we read the
 * same, or the two would speak of different tasks.
 */

const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const YES = new Set(['true', 'True', 'TRUE', 'y', 'Y', 'yes', 'on']);
const NO = new Set(['false', 'False', 'FALSE', 'n', 'N', 'no', 'off']);
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A whole number; `010` is 8, and what is in quotes is none. */
export function goInteger(node: unknown): number | undefined {
  const source = plainSource(node);
  return source === undefined ? undefined : goIntegerOf(source);
}

/** The same of what is written without quotes. */
export function goIntegerOf(written: string): number | undefined {
  const source = written.replaceAll('_', '');
  const [, sign, digits = ''] =
    /^([-+]?)(0[xX][\da-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|[1-9]\d*|0)$/.exec(source) ?? [];
  const value = digits === '' ? undefined : Number(/^0[0-7]/.test(digits) ? `0o${digits}` : digits);
  const whole = value ?? (FLOAT.test(source) ? Math.trunc(Number(source)) : undefined);
  if (whole === undefined || !Number.isSafeInteger(whole)) return undefined;
  return sign === '-' ? -whole : whole;
}

export function goBoolean(node: unknown): boolean | undefined {
  const source = plainSource(node) ?? '';
  if (YES.has(source)) return true;
  return NO.has(source) ? false : undefined;
}

/** Milliseconds of `1h30m`, `1.5h`, `300ms`, `0`. */
export function goDurationMs(text: string): number | undefined {
  const [, sign, amounts = ''] =
    /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text) ?? [];
  if (amounts === '') return /^[-+]?0$/.test(text) ? 0 : undefined;
  let totalMs = 0;
  for (const [, amount, unit = ''] of amounts.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g))
    totalMs += Number(amount) * (UNITS_MS.get(unit) ?? 0);
  return sign === '-' ? -totalMs : totalMs;
}

function plainSource(node: unknown): string | undefined {
  return isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
}
