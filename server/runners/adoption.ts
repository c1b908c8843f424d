import type { ProcessIdentity } from '../domain/task.ts';
import type { Attempt, Sight } from '../engine/ports.ts';
import type { Beginning, Fence, Fences } from './fences.ts';
import type { ProcessTable } from './process-identity.ts';
import { killGroup } from './stop.ts';
import type { Sweeper } from './sweeper.ts';

interface Machine {
  readonly fences: Fences;
  readonly processes: ProcessTable;
  readonly sweeper: Sweeper;
}

/** What there is to see of an attempt that somebody else has started, or meant to. */
export type Found =
  | Extract<Sight, { kind: 'never-started' | 'gone' }>
  | { readonly kind: 'running'; readonly beginning: Beginning }
  | { readonly kind: 'ended'; readonly beginning: Beginning; readonly result: string };

/** Whatever the answer, the attempt does not start any more if it has not. */
export async function findAttempt(attempt: Attempt, machine: Machine): Promise<Found> {
  const { fences, processes } = machine;
  const fence = await fences.close(attempt.term, processes.bootId);
  switch (fence.kind) {
    case 'absent':
    case 'closed':
      // After a crash of the machine the record of it may be missing; that it had begun was known.
      return isOfEarlierBoot(attempt.process, processes)
        ? { kind: 'gone', cause: 'host-lost' }
        : { kind: 'never-started' };
    case 'unwritten':
      await clear(attempt, fence, machine);
      return { kind: 'gone', cause: 'killed' };
    default:
      return await findBegun(attempt, fence, machine);
  }
}

async function findBegun(
  attempt: Attempt,
  fence: Extract<Fence, { kind: 'begun' }>,
  machine: Machine,
): Promise<Found> {
  const { fences, processes } = machine;
  if (fence.result !== undefined) return { kind: 'ended', beginning: fence, result: fence.result };
  if (processes.isAlive(fence.process)) return { kind: 'running', beginning: fence };
  // It may have come to its end between the two looks.
  const now = await fences.read(attempt.term);
  if (now.kind === 'begun' && now.result !== undefined)
    return { kind: 'ended', beginning: now, result: now.result };
  if (isOfEarlierBoot(fence.process, processes)) return { kind: 'gone', cause: 'host-lost' };
  await clear(attempt, fence, machine);
  return { kind: 'gone', cause: 'killed' };
}

/** Kills what is alive of an attempt and keeps it from starting; answers whether that is certain. */
export async function sweepAttempt(attempt: Attempt, machine: Machine): Promise<boolean> {
  try {
    const fence = await machine.fences.close(attempt.term, machine.processes.bootId);
    return await clear(attempt, fence, machine);
  } catch {
    return false;
  }
}

async function clear(attempt: Attempt, fence: Fence, machine: Machine): Promise<boolean> {
  const { processes, sweeper } = machine;
  const { run, term } = attempt;
  // A slot that has ended the command may have begun another.
  if (fence.kind === 'begun' && fence.result !== undefined)
    return await sweeper.sweep({ run, term });
  const leader = fence.kind === 'unwritten' ? attempt.process : leaderOf(fence);
  const isGone =
    leader === undefined || !processes.isAlive(leader) || (await killGroup(leader, processes));
  const slot = fence.kind === 'begun' ? fence.slot : undefined;
  return (await sweeper.sweep({ run, term, slot })) && isGone;
}

function leaderOf(fence: Fence): ProcessIdentity | undefined {
  return fence.kind === 'begun' ? fence.process : undefined;
}

function isOfEarlierBoot(process: ProcessIdentity | undefined, { bootId }: ProcessTable): boolean {
  return process !== undefined && process.bootId !== bootId;
}

/** Removes what is on record of terms that nobody has to ask about any more. */
export async function tidyFences(
  isNeeded: (term: number) => boolean,
  { fences, processes }: Machine,
): Promise<void> {
  for (const term of await fences.terms()) {
    if (isNeeded(term)) continue;
    const fence = await fences.read(term);
    // A slot of this boot may still have the order that a closed fence keeps from being carried out.
    const isOver =
      fence.kind === 'closed'
        ? fence.bootId !== processes.bootId
        : fence.kind === 'begun' &&
          (fence.result !== undefined || !processes.isAlive(fence.process));
    if (isOver) await fences.remove(term);
  }
}
