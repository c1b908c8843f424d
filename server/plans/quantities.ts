/** Every unit that a duration may have, the longest first: that is the order they are joined in. */
const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const UNIT_LENGTHS_MS = [86_400_000, 3_600_000, 60_000, 1000, 1];

const SIZE = /^(\d+)([KMG])iB$/;
const SIZE_BYTES: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Milliseconds of `250ms`, `30s`, `5m`, `2h`, `1d`, or of several joined, the longest first: `1h30m`. */
export function parseDuration(text: string): number | undefined {
  const amounts = text === '' ? undefined : DURATION.exec(text)?.slice(1);
  return amounts?.reduce((sum, amount, index) => {
    return sum + Number(amount ?? 0) * (UNIT_LENGTHS_MS[index] ?? 0);
  }, 0);
}

/** Bytes of `512KiB`, `2MiB`, `16GiB`. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = ''] = SIZE.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (SIZE_BYTES[unit] ?? 0);
}
