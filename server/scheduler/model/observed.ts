import type { RunId, TaskId, WorkerId } from '../../domain/ids.ts';
import type { BoardEvent, WriterName } from './board-event.ts';

/** What is told of what tasks really wrote. */
export const OBSERVATIONS = [
  'undeclaredWritten',
  'writtenByOneOf',
  'inputChanged',
  'heldFilesChanged',
] as const;

export type Observation = Extract<BoardEvent, { kind: (typeof OBSERVATIONS)[number] }>;

/** More of one run is not shown. */
export const OBSERVATION_LIMIT = 5000;

/** What was seen of one task in a run; paths count from the top of its working tree. */
export interface Observed {
  readonly undeclared: ReadonlySet<string>;
  /** With the tasks of which it was one, itself included. */
  readonly unclear: ReadonlyMap<string, readonly WriterName[]>;
  /** With whoever wrote them after it had begun. */
  readonly stale: ReadonlyMap<string, Authors>;
  /** What it writes and an agent may have written by a shell command, with that agent. */
  readonly touched: ReadonlyMap<string, WorkerId>;
}

export type Authors = Extract<Observation, { kind: 'inputChanged' }>['by'];

export function isObservation(event: BoardEvent): event is Observation {
  const kinds: readonly BoardEvent['kind'][] = OBSERVATIONS;
  return kinds.includes(event.kind);
}

/** By the tasks of one run; those of which nothing was seen are not in it. */
export function observedIn(
  run: RunId,
  events: Iterable<Observation>,
): ReadonlyMap<TaskId, Observed> {
  const seen = new Map<TaskId, Seen>();
  const of = (task: TaskId): Seen => {
    const known = seen.get(task) ?? {
      undeclared: new Set(),
      unclear: new Map(),
      stale: new Map(),
      touched: new Map(),
    };
    seen.set(task, known);
    return known;
  };
  for (const event of events)
    switch (event.kind) {
      case 'undeclaredWritten':
        of(event.task).undeclared.add(event.path);
        break;
      case 'writtenByOneOf':
        for (const { task } of event.by.filter((name) => name.run === run))
          setAll(of(task).unclear, event.paths, event.by);
        break;
      case 'inputChanged':
        setAll(of(event.task).stale, event.paths, event.by);
        break;
      case 'heldFilesChanged':
        setAll(of(event.task).touched, event.paths, event.worker);
        break;
      default:
        event satisfies never;
    }
  return seen;
}

function setAll<T>(map: Map<string, T>, paths: readonly string[], value: T): void {
  for (const path of paths) map.set(path, value);
}

interface Seen {
  readonly undeclared: Set<string>;
  readonly unclear: Map<string, readonly WriterName[]>;
  readonly stale: Map<string, Authors>;
  readonly touched: Map<string, WorkerId>;
}
