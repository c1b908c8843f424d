import { expect, test } from 'vitest';
import type { Grant } from '../../../server/engine/store-port.ts';
import type { Worker } from '../../../server/scheduler/model/workers.ts';
import { SystemClock } from '../../../server/system/clock.ts';
import { request } from '../../support/engine-world.ts';
import { HandMachine } from '../../support/hand-machine.ts';
import { definition } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { workerNamed } from './links-on-trial.ts';
import { Process } from './process-on-trial.ts';

const TEN_MINUTES_MS = 600_000;
const [LEASE_MS, SHORT_LEASE_MS] = [60_000, 1000];
const TASKS = ['a', 'b', 'c'].map((id) => definition(id, { asks: { doer: { kind: 'agent' } } }));

/** The time of day is off by so much, and nothing says that it is the same machine. */
function clockOffBy(offMs: number): SystemClock {
  const wallMs = (): number => Date.now() + offMs;
  return new SystemClock({ wallMs, monotonicMs, uptimeMs: monotonicMs, bootId: '' });
}

function monotonicMs(): number {
  return performance.now();
}

interface Meeting {
  readonly decider: Process;
  readonly ahead: Process;
  readonly behind: Process;
}

/** One that decides, and two whose clocks are twenty minutes apart. */
async function meet(): Promise<Meeting> {
  const directory = temporaryFolder();
  const machine = new HandMachine();
  const [decider, ahead, behind] = [0, TEN_MINUTES_MS, -TEN_MINUTES_MS].map(
    (offMs) => new Process(directory, { name: `${offMs}`, machine, clock: clockOffBy(offMs) }),
  );
  if (decider === undefined || ahead === undefined || behind === undefined) throw new Error();
  await decider.keeper.takePart();
  await ahead.keeper.takePart();
  await behind.keeper.takePart();
  await decider.keeper.calls.submit(request({ tasks: TASKS }));
  return { decider, ahead, behind };
}

/** Its own clock says since when it is there. */
function workerOf({ keeper }: Process, id: string): Worker {
  return { ...workerNamed(id), since: keeper.outlook().now };
}

async function claimed(process: Process, id: string, leaseMs: number): Promise<Grant> {
  const worker = workerOf(process, id);
  const reply = await process.keeper.calls.claim({ worker, leaseMs, operation: `claim ${id}` });
  if (reply.kind !== 'granted') throw new Error(reply.kind);
  return reply.grant;
}

async function says(
  process: Process,
  { run, task, term }: Grant,
  { id, kind }: { readonly id: string; readonly kind: 'renew' | 'completed' },
): Promise<unknown> {
  const by = { kind: 'worker', worker: workerNamed(id).id } as const;
  return await process.keeper.calls.say({ run, task, term, by, says: { kind } }, `${kind} ${term}`);
}

test('of two workers whose clocks are far apart each has its lease for as long as the other', async () => {
  const { decider, ahead, behind } = await meet();
  for (const process of [ahead, behind]) {
    const id = process === ahead ? 'ann' : 'bob';
    const grant = await claimed(process, id, LEASE_MS);
    expect(grant.leaseMs).toBe(LEASE_MS);
    const renewed = await says(process, grant, { id, kind: 'renew' });
    expect(renewed).toEqual({ kind: 'accepted', remainingMs: LEASE_MS });
    expect(await says(process, grant, { id, kind: 'completed' })).toMatchObject({
      kind: 'accepted',
    });
  }
  const times = decider.told.flatMap(({ event }) =>
    event.kind === 'taskMoved' ? [event.event.at] : [],
  );
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times.at(-1)! - times[0]!).toBeLessThan(LEASE_MS);
  expect([...decider.faults, ...ahead.faults, ...behind.faults]).toEqual([]);
});

test('a worker whose clock is far behind loses a lease that it does not renew, as any other', async () => {
  const { decider, behind } = await meet();
  const grant = await claimed(behind, 'bob', SHORT_LEASE_MS);
  await decider.notes.until(() =>
    decider.told.some(({ event }) => event.kind === 'taskMoved' && event.event.kind === 'taskLost'),
  );
  expect(await says(behind, grant, { id: 'bob', kind: 'completed' })).toMatchObject({
    kind: 'stale',
  });
});

for (const side of ['ahead', 'behind'] as const)
  test(`nobody loses a lease when one whose clock is far ${side} takes over`, async () => {
    const { decider, ...others } = await meet();
    const next = others[side];
    const other = side === 'ahead' ? others.behind : others.ahead;
    await other.keeper.close();
    const grant = await claimed(next, 'ann', LEASE_MS);
    await decider.keeper.close();
    await next.notes.until(() => next.keeper.isDeciding);
    expect(await says(next, grant, { id: 'ann', kind: 'completed' })).toMatchObject({
      kind: 'accepted',
    });
    const lost = next.told.filter(
      ({ event }) => event.kind === 'taskMoved' && event.event.kind === 'taskLost',
    );
    expect(lost).toEqual([]);
  });
