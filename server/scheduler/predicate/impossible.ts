import { isPushed } from '../../domain/asks.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { Impossibility } from '../model/reason.ts';
import type { TaskEntry } from '../model/run-model.ts';
import { couldTake, placesFor } from './places.ts';
import { poolOf } from './usage.ts';

/** Why a task can never start, however long anybody waits; nothing where it can. */
export function impossibilityOf(board: BoardModel, entry: TaskEntry): Impossibility | undefined {
  return impossibleOrder(board, entry) ?? impossibleAsks(board, entry);
}

function impossibleOrder(board: BoardModel, entry: TaskEntry): Impossibility | undefined {
  // Whatever waits for nothing is on no cycle and misses nothing.
  if (entry.unmet === 0) return undefined;
  const { run, id: task, definition } = entry;
  const missing = definition.dependsOn.find(
    (id) => run.find(id) === undefined && !run.outside.has(id),
  );
  if (missing !== undefined) return { because: 'missing', task: missing };
  for (const { outside } of run.outsideOf(entry))
    if (outside.standing === 'open' && !board.runs.has(outside.task.run))
      return { because: 'missing', task: outside.task.reference };
  const tasks = run.cycles.through(task) ?? board.outside.cycleThrough(entry, board.runs);
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
  const places = placesFor(board, hosts);
  if (hosts.length > 0 && places.length === 0) return { because: 'no-such-host', hosts };
  const isChoosy = isPushed(doer) && (needs.length > 0 || hosts.length > 0);
  if (isChoosy && !places.some((place) => couldTake(board, asks, place)))
    return { because: 'no-place', needs };
  for (const name in resources) {
    const asked = resources[name] ?? 0;
    let limit: number | undefined;
    for (const place of places) {
      const there = poolOf(name, { run, place })?.limit;
      if (there !== undefined && (limit === undefined || there > limit)) limit = there;
    }
    if (limit === undefined) return { because: 'no-such-limit', name };
    if (asked > limit) return { because: 'too-much', name, asked, limit };
  }
  return undefined;
}
