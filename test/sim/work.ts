import { asksOf, type Doer, isPushed, type TaskAsks } from '../../server/domain/asks.ts';
import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { hazardPolicyOf, type HazardPolicy, type RunManifest } from '../../server/domain/run.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';

/**
 * The few patterns that plans use here, each with the files it stands for as bits. The files are
 * chosen so that two patterns overlap exactly when their bits do; the two highest are the folder itself
 * and what is below it, and all that no other pattern names.
 */
const FILES_OF: Readonly<Record<string, number>> = {
  'a/x': 0b0000_0001,
  'a/y': 0b0000_0010,
  'a/*': 0b0000_0111,
  'a/': 0b1_0000_0111,
  'b/x': 0b0000_1000,
  'b/c/z': 0b0001_0000,
  'b/**': 0b0011_1000,
  '{a,b}/x': 0b0000_1001,
  d: 0b0100_0000,
  '[cd]': 0b1100_0000,
  '**': 0b11_1111_1111,
};

export const PATTERNS = Object.keys(FILES_OF);

/** The bits of a list, where `!` takes files away. */
export function filesOf(patterns: readonly string[]): number {
  let files = 0;
  let without = 0;
  for (const pattern of patterns)
    if (pattern.startsWith('!')) without |= FILES_OF[pattern.slice(1)] ?? 0;
    else files |= FILES_OF[pattern] ?? 0;
  return files & ~without;
}

/** What a task of a run does to files, and everything else that a check wants to know of it. */
export interface Work {
  readonly run: RunId;
  readonly task: TaskId;
  readonly definition: TaskDefinition;
  readonly asks: TaskAsks;
  readonly tree: string;
  readonly reads: number;
  readonly writes: number;
  readonly policy: HazardPolicy;
  readonly manifest: RunManifest;
}

export function workOf(manifest: RunManifest, definition: TaskDefinition): Work {
  const asks = asksOf(definition.asks);
  const { id, root } = manifest;
  return {
    run: id,
    task: definition.id,
    definition,
    asks,
    tree: asks.isIsolated ? `${root}#${id}/${definition.id}` : root,
    reads: filesOf(definition.reads),
    writes: filesOf(definition.writes),
    policy: hazardPolicyOf(manifest.policy),
    manifest,
  };
}

/** A command hears of it when it is to end, and says how it has ended. */
export function isCommand(doer: Doer): boolean {
  return isPushed(doer) || doer.kind === 'terminal';
}

/** Whether it is for whoever comes for it. A terminal knows nothing but the command. */
export function isFor({ asks, manifest }: Work, worker: Worker): boolean {
  const { kind, root, capabilities } = worker;
  const isRole = asks.doer.kind === 'anyone' ? kind !== 'terminal' : asks.doer.kind === kind;
  const isHere = root === undefined || root === manifest.root;
  return isRole && isHere && asks.needs.every((need) => capabilities.includes(need));
}

/** How long it takes, more or less. */
export function lengthOf({ asks }: Work): number {
  return asks.expectedMs ?? 2000;
}

type Touching = Pick<Work, 'tree' | 'reads' | 'writes' | 'policy'>;

/** Whether the plans say that one of these must wait for the other. */
export function mustNotMeet(a: Touching, b: Touching): boolean {
  const isWriteWrite = (a.writes & b.writes) !== 0;
  const isReadWrite = (a.reads & b.writes) !== 0 || (a.writes & b.reads) !== 0;
  if (!isWriteWrite && !isReadWrite) return false;
  if (a.tree !== b.tree) return a.policy.worktrees === 'wait' || b.policy.worktrees === 'wait';
  if (isWriteWrite && (a.policy.writeWrite === 'wait' || b.policy.writeWrite === 'wait'))
    return true;
  return isReadWrite && (a.policy.readWrite === 'wait' || b.policy.readWrite === 'wait');
}
