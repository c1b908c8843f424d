import type { Attempt, CommandEnd, Launch, Sight } from '../engine/ports.ts';
import type { Machine } from './machine.ts';
import { HOST_LOST, readEnd } from './machine-end.ts';
import type { MachineLogs } from './machine-logs.ts';
import { isAlive, seeForGood, sightOf } from './machine-sight.ts';
import type { Supply } from './supply.ts';

export interface Keeping {
  readonly logs: MachineLogs;
  readonly supply: Supply;
}

/** How it has ended, when all that it has printed and made is here. */
export async function bringEnd(
  result: string,
  { launch, machine }: { readonly launch: Launch; readonly machine: Machine },
  { logs, supply }: Keeping,
): Promise<CommandEnd> {
  await logs.finish(launch.term, supply.logFile(launch));
  return (await supply.collect(launch, machine)) === 'lost' ? HOST_LOST : readEnd(result, launch);
}

/** What became of an attempt that somebody else has ordered, with whatever it has printed. */
export async function findAttempt(
  { term, launch, process }: Attempt,
  machine: Machine,
  { logs, supply }: Keeping,
): Promise<Sight | undefined> {
  const seen = await seeForGood(term, machine);
  const sight = sightOf(seen, process);
  // Whoever sweeps it asks for nothing else.
  if (launch === undefined || seen === undefined) return sight;
  const file = supply.logFile(launch);
  await logs.begin(term, file, machine);
  if (isAlive(seen)) return { kind: 'running', process: seen.process };
  if (seen.kind === 'ended')
    return {
      kind: 'ended',
      end: await bringEnd(seen.result, { launch, machine }, { logs, supply }),
    };
  if (sight === undefined) logs.drop(term);
  else await logs.finish(term, file);
  return sight;
}
