import { asksOf, type Doer, isPushed, type TaskAsks } from '../../server/domain/asks.ts';
import type { RunId, TaskId } from '../../server/domain/ids.ts';
import { hazardPolicyOf, type HazardPolicy, type RunManifest } from '../../server/domain/run.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';

/** What plans touch here, each a bit: paths, what may be below one that may be a folder, and the rest. */
const A_X = 1 << 0;
const BELOW_A_X = 1 << 1;
const A_Y = 1 << 2;
const BELOW_A_Y = 1 << 3;
const REST_IN_A = 1 << 4;
/** The folder itself, and what is deeper than any other pattern says. */
const REST_BELOW_A = 1 << 5;
const B_X = 1 << 6;
const BELOW_B_X = 1 << 7;
const B_C_Z = 1 << 8;
const BELOW_B_C_Z = 1 << 9;
const REST_BELOW_B_C = 1 << 10;
const REST_BELOW_B = 1 << 11;
const D = 1 << 12;
const BELOW_D = 1 << 13;
const C = 1 << 14;
const ELSEWHERE = 1 << 15;

/**
 * The few patterns that plans use here, each with what it stands for. Two patterns overlap exactly when
 * their bits do.
 */
const FILES_OF: Readonly<Record<string, number>> = {
  'a/x': A_X | BELOW_A_X,
  'a/y': A_Y | BELOW_A_Y,
  'a/*': A_X | A_Y | REST_IN_A,
  'a/': A_X | BELOW_A_X | A_Y | BELOW_A_Y | REST_IN_A | REST_BELOW_A,
  'b/x': B_X | BELOW_B_X,
  'b/c/z': B_C_Z | BELOW_B_C_Z,
  'b/c': B_C_Z | BELOW_B_C_Z | REST_BELOW_B_C,
  'b/**': B_X | BELOW_B_X | B_C_Z | BELOW_B_C_Z | REST_BELOW_B_C | REST_BELOW_B,
  '{a,b}/x': A_X | BELOW_A_X | B_X | BELOW_B_X,
  d: D | BELOW_D,
  '[cd]': C | D,
  '**': (ELSEWHERE << 1) - 1,
};

/** A file that was seen to be written is that file, and nothing below it. */
const BIT_OF: Readonly<Record<string, number>> = {
  'a/x': A_X,
  'a/y': A_Y,
  'b/x': B_X,
  'b/c/z': B_C_Z,
  d: D,
};

export function bitOf(path: string): number {
  const bit = BIT_OF[path];
  if (bit === undefined) throw new Error(`no file here is called ${path}`);
  return bit;
}

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
