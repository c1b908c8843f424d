import type { ProcessIdentity } from '../domain/task.ts';
import type { Attempt, Sight } from '../engine/ports.ts';
import type { Journals } from './journals.ts';
import type { TermRecord } from './journal-text.ts';
import type { ProcessTable } from './process-identity.ts';
import { killGroup } from './stop.ts';
import type { Sweeper } from './sweeper.ts';

interface Machine {
  readonly journals: Journals;
  readonly processes: ProcessTable;
  readonly sweeper: Sweeper;
}

/** What there is to see of an attempt that somebody else has started, or meant to. */
export type Found =
  | Extract<Sight, { kind: 'never-started' | 'gone' }>
  | { readonly kind: 'running'; readonly record: TermRecord }
  | { readonly kind: 'ended'; readonly record: TermRecord; readonly result: string };

/** Whatever the answer, the attempt does not start any more if it has not. */
export async function findAttempt(attempt: Attempt, machine: Machine): Promise<Found> {
  const { journals, processes } = machine;
  const record = await journals.find(attempt.term, (process) => processes.isAlive(process));
  if (record !== undefined && record.result !== 'fenced')
    return await findOrdered(attempt, record, machine);
  // After a crash of the machine the record of it may be missing; that it had begun was known.
  if (isOfEarlierBoot(attempt.process, processes)) return { kind: 'gone', cause: 'host-lost' };
  if (record === undefined) await clear(attempt, undefined, machine);
  const { process } = attempt;
  const isKnown = record !== undefined || process === undefined || journals.knows(process);
  // Somebody has removed what there was on record of it.
  return isKnown ? { kind: 'never-started' } : { kind: 'gone', cause: 'killed' };
}

async function findOrdered(attempt: Attempt, record: TermRecord, machine: Machine): Promise<Found> {
  const { journals, processes } = machine;
  if (record.result !== undefined) return { kind: 'ended', record, result: record.result };
  if (processes.isAlive(record.process)) return { kind: 'running', record };
  // It may have come to its end between the two looks.
  const result = journals.look(attempt.term)?.result;
  if (result !== undefined) return { kind: 'ended', record, result };
  if (isOfEarlierBoot(record.process, processes)) return { kind: 'gone', cause: 'host-lost' };
  await clear(attempt, record, machine);
  return { kind: 'gone', cause: 'killed' };
}

/** Kills what is alive of an attempt; answers whether that is certain. */
export async function sweepAttempt(attempt: Attempt, machine: Machine): Promise<boolean> {
  const { journals, processes } = machine;
  const record = await journals.find(attempt.term, (process) => processes.isAlive(process));
  return await clear(attempt, record, machine);
}

async function clear(
  { run, term, process }: Attempt,
  record: TermRecord | undefined,
  { processes, sweeper }: Machine,
): Promise<boolean> {
  // A slot that has ended the command may have begun another.
  if (record?.result !== undefined) return await sweeper.sweep({ run, term });
  const leader = record?.process ?? process;
  const isGone =
    leader === undefined || !processes.isAlive(leader) || (await killGroup(leader, processes));
  return (await sweeper.sweep({ run, term, slot: record?.slot })) && isGone;
}

function isOfEarlierBoot(process: ProcessIdentity | undefined, { bootId }: ProcessTable): boolean {
  return process !== undefined && process.bootId !== bootId;
}
