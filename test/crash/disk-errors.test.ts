import { expect, test } from 'vitest';
import { inParallel } from './report.ts';
import { allSystemCalls, canTrace, runFailingCall, type SystemCall } from './syscalls.ts';
import { Random } from '../sim/random.ts';

const CALLS = 16;
const DISK = new Set(['pwrite64', 'fsync', 'fdatasync', 'ftruncate']);
const seed = Date.now() % 1_000_003;

test.runIf(canTrace())(
  `whatever write of the coordinator the disk fails at, nothing is lost (seed ${seed})`,
  async () => {
    const random = new Random(seed);
    const all = await allSystemCalls();
    const calls = all.filter(({ call }) => DISK.has(call));
    const chosen = calls
      .map((at) => ({ at, key: random.next() }))
      .toSorted((one, other) => one.key - other.key)
      .slice(0, CALLS);
    expect(chosen).toHaveLength(CALLS);
    const found: { readonly at: SystemCall; readonly what: string }[] = [];
    let beganAnew = 0;
    await inParallel(chosen, {
      atOnce: 2,
      work: async ({ at }) => {
        const { violations, tenures } = await runFailingCall(at);
        if (tenures > 1) beganAnew += 1;
        for (const { column, what } of violations) found.push({ at, what: `${column}: ${what}` });
      },
    });
    expect(found).toEqual([]);
    expect(beganAnew).toBeGreaterThan(CALLS / 4);
  },
);
