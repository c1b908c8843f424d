import type { RunId } from '../../server/domain/ids.ts';
import type { LedgerEntry } from '../../server/engine/store-port.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import {
  isObservation,
  type Observation,
  OBSERVATION_LIMIT,
} from '../../server/scheduler/model/observed.ts';

export function observationsIn(
  entries: readonly LedgerEntry[],
  run: RunId,
): readonly Observation[] {
  const events = entries.map(({ event }) => event).filter(isObservation);
  return events.filter((event) => event.run === run).slice(0, OBSERVATION_LIMIT);
}

export function runOf(event: BoardEvent): RunId | undefined {
  if (event.kind === 'runSubmitted') return event.manifest.id;
  return 'run' in event ? event.run : undefined;
}
