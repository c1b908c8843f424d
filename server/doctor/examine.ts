import { formatDuration } from '../domain/time.ts';
import type { Alarm } from '../engine/ports.ts';
import { type Check, checksOf } from './checks.ts';
import { type Finding, wrong } from './finding.ts';
import type { MachineFacts } from './ports.ts';

export interface Examined extends Finding {
  readonly name: string;
}

/** A disk that is gone, or a program that waits for somebody, is found out by this. */
const LIMIT_MS = 8000;

/** Looks at everything at once. Whatever happens, there is an answer to each question in time. */
export async function examine(machine: MachineFacts, alarm: Alarm): Promise<readonly Examined[]> {
  const examined = await Promise.all(
    checksOf(machine).map(async (check) => {
      const finding = await inTime(check, alarm);
      return finding === undefined ? [] : { name: check.name, ...finding };
    }),
  );
  return examined.flat();
}

async function inTime(
  { look, limitMs = LIMIT_MS }: Check,
  alarm: Alarm,
): Promise<Finding | undefined> {
  const late = Promise.withResolvers<Finding>();
  using _ = alarm.after(limitMs, () => {
    const found = `no answer within ${formatDuration(limitMs)}`;
    late.resolve(wrong(found, 'Find out what is in the way: often a disk that is gone.'));
  });
  return await Promise.race([late.promise, looked(look)]);
}

/** Whatever a machine can do wrong, the other questions are answered. */
async function looked(look: Check['look']): Promise<Finding | undefined> {
  try {
    return await look();
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return wrong(what, 'Report this with all of what is said here.');
  }
}
