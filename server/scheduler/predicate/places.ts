import type { TaskAsks } from '../../domain/asks.ts';
import type { WorkerId } from '../../domain/ids.ts';
import type { BoardModel } from '../model/board-model.ts';
import { LOCAL, type Place, placeOf } from '../model/workers.ts';

/** Where a task may run, of the hosts that exist. */
export function placesFor(
  { workers: { places } }: BoardModel,
  hosts: readonly string[],
): readonly Place[] {
  if (hosts.length > 0) return hosts.flatMap((name) => places.get(name) ?? []);
  const local = places.get(LOCAL);
  return local === undefined ? [] : [local];
}

/** The host of a runner of ours, where nobody reaches it now. */
export function silentHostOf(board: BoardModel, worker: WorkerId): string | undefined {
  const place = board.workers.places.get(placeOf(worker));
  return place?.isReachable === false ? place.name : undefined;
}

/** Whether a task whose host cannot be reached would wait for it all the same, if it were given back. */
export function mustWaitFor(board: BoardModel, asks: TaskAsks, worker: WorkerId): boolean {
  if (silentHostOf(board, worker) === undefined) return false;
  return !placesFor(board, asks.hosts).some(
    (other) => other.isReachable && couldTake(board, asks, other),
  );
}

/** Whether a place could ever take what asks for this. */
export function couldTake(board: BoardModel, asks: TaskAsks, place: Place): boolean {
  // Nothing is known of what cannot be reached.
  if (!place.isReachable) return true;
  return place.limits['parallel'] !== 0 && missingAt(board, asks, place).length === 0;
}

/** What is needed and neither a place has nor the agent that is started there. */
export function missingAt(
  { workers: { agents } }: BoardModel,
  { doer, needs }: TaskAsks,
  { capabilities }: Place,
): readonly string[] {
  const agent = doer.kind === 'started-agent' ? agents.get(doer.agent) : undefined;
  return needs.filter(
    (need) => !capabilities.includes(need) && agent?.capabilities.includes(need) !== true,
  );
}
