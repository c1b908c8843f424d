import { isPushed, type TaskAsks } from '../../domain/asks.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { Impossibility } from './reasons.ts';
import type { RunModel, TaskEntry } from '../model/run-model.ts';
import { poolOf } from './usage.ts';
import { LOCAL, type Place } from '../model/workers.ts';

/** Why a task can never start, however long anybody waits; nothing where it can. */
export function impossibilityOf(board: BoardModel, entry: TaskEntry): Impossibility | undefined {
  return impossibleOrder(entry) ?? impossibleAsks(board, entry);
}

/** Every task of a run that can never start, so that it is said when the run is asked for. */
export function impossibleTasks(
  board: BoardModel,
  run: RunModel,
): readonly { readonly entry: TaskEntry; readonly why: Impossibility }[] {
  return run.entries.flatMap((entry) => {
    const why = impossibilityOf(board, entry);
    return why === undefined ? [] : [{ entry, why }];
  });
}

function impossibleOrder(entry: TaskEntry): Impossibility | undefined {
  // Whatever waits for nothing is on no cycle and misses nothing.
  if (entry.unmet === 0) return undefined;
  const { run, id: task, definition } = entry;
  const missing = definition.dependsOn.find((id) => run.find(id) === undefined);
  if (missing !== undefined) return { because: 'missing', task: missing };
  const tasks = run.cycleThrough(task);
  return tasks === undefined ? undefined : { because: 'cycle', tasks };
}

function impossibleAsks(board: BoardModel, { run, asks }: TaskEntry): Impossibility | undefined {
  const { doer, needs, resources } = asks;
  // Whoever claims for itself works where it pleases.
  const hosts = isPushed(doer) ? asks.hosts : [];
  const { parallel } = run.manifest.policy;
  if (isPushed(doer) && !(parallel >= 1))
    return { because: 'too-much', name: 'parallel', asked: 1, limit: parallel };
  if (doer.kind === 'started-agent' && !board.workers.agents.has(doer.agent))
    return { because: 'no-such-agent', agent: doer.agent };
  if (hosts.length > 0 && placesFor(board, hosts).length === 0)
    return { because: 'no-such-host', host: hosts.join(', ') };
  if (isPushed(doer) && (needs.length > 0 || hosts.length > 0) && !hasPlace(board, asks))
    return { because: 'no-place', needs };
  for (const name in resources) {
    const asked = resources[name] ?? 0;
    const limits = placesFor(board, hosts).map((place) => poolOf(name, { run, place })?.limit);
    if (limits.every((limit) => limit === undefined)) return { because: 'no-such-limit', name };
    const limit = Math.max(...limits.map((each) => each ?? 0));
    if (asked > limit) return { because: 'too-much', name, asked, limit };
  }
  return undefined;
}

/** Whether some place could ever take what asks for this. */
function hasPlace(board: BoardModel, { doer, hosts, needs }: TaskAsks): boolean {
  const agent = doer.kind === 'started-agent' ? board.workers.agents.get(doer.agent) : undefined;
  return placesFor(board, hosts).some(
    ({ isReachable, capabilities, limits }) =>
      // Nothing is known of what cannot be reached.
      !isReachable ||
      (limits['parallel'] !== 0 &&
        needs.every((need) => capabilities.includes(need) || agent?.capabilities.includes(need))),
  );
}

/** Where a task may run, of the hosts that exist. */
export function placesFor(board: BoardModel, hosts: readonly string[]): readonly Place[] {
  const { places } = board.workers;
  return (hosts.length === 0 ? ONLY_LOCAL : hosts).flatMap((name) => places.get(name) ?? []);
}

const ONLY_LOCAL = [LOCAL];
