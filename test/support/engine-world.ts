import { holderOf } from '../../server/domain/task.ts';
import type { WorkerId } from '../../server/domain/ids.ts';
import type { TenureOptions } from '../../server/engine/begin-tenure.ts';
import { lateNews } from '../../server/engine/late-news.ts';
import { Engine } from '../../server/engine/engine.ts';
import { EngineCalls } from '../../server/engine/engine-calls.ts';
import type { LedgerEntry, Store } from '../../server/engine/store-port.ts';
import type { RunRequest } from '../../server/engine/run-request.ts';
import type { Permission } from '../../server/scheduler/model/board-model.ts';
import { HandMachine } from './hand-machine.ts';
import { HAND_PROOFS } from './hand-proofs.ts';
import { HandTime, settled } from './hand-time.ts';
import { MemoryDisk, MemoryStore } from './memory-store.ts';
import { HandTreeWatch } from './hand-tree-watch.ts';
import { definition, runId } from './runs.ts';

/** What stays when the process that decides goes. */
export class Surroundings {
  readonly disk = new MemoryDisk();
  readonly machine = new HandMachine();
  readonly time = new HandTime();
  readonly trees = new HandTreeWatch(this.time);
}

export interface EngineWorld extends Surroundings {
  readonly engine: Engine;
  readonly calls: EngineCalls;
  readonly store: Store;
  /** What was told to whoever shows the board. */
  readonly told: LedgerEntry[];
  readonly woken: string[];
  readonly notices: string[];
  readonly faults: unknown[];
  /** Mistakes after which nothing is decided. */
  readonly halts: unknown[];
  /** Why the board is not this process's any more. */
  readonly losses: unknown[];
  /** The states in the newest run, as `a running, b pending`. */
  readonly states: () => string;
}

export interface WorldOptions {
  readonly permission?: Permission;
  readonly carriesOn?: TenureOptions['carriesOn'];
  /** Stands between the engine and what is on the disk. */
  readonly wrap?: (store: Store) => Store;
}

/** A real engine that decides, in a world that the test holds in its hands. */
export async function engineWorld(
  around: Surroundings = new Surroundings(),
  { permission = 'granted', carriesOn = 'recent', wrap = (store) => store }: WorldOptions = {},
): Promise<EngineWorld> {
  const { disk, machine, time, trees } = around;
  const [told, woken, notices, faults]: [LedgerEntry[], string[], string[], unknown[]] = [
    [],
    [],
    [],
    [],
  ];
  const [halts, losses]: [unknown[], unknown[]] = [[], []];
  const store = wrap(new MemoryStore(time, disk));
  const listener = {
    committed: (entries: readonly LedgerEntry[]) => void told.push(...entries),
    woken: (worker: WorkerId, { task }: { task: string }) => void woken.push(`${worker} ${task}`),
    noticed: (sentence: string) => void notices.push(sentence),
    faulted: (error: unknown) => void faults.push(error),
    halted: (error: unknown) => void halts.push(error),
    lost: (error: unknown) => void losses.push(error),
  };
  const runner = machine.runner(lateNews(() => engine));
  const engine: Engine = new Engine(
    { clock: time, alarm: time, store, runner, listener, watch: trees },
    { rules: { foldCase: false } },
  );
  await engine.begin({ name: 'test', permission, carriesOn, machine: {} });
  await settled();
  const states = (): string =>
    store
      .latestStates('/project')
      .map(({ task, state }) => `${task} ${state.kind}`)
      .join(', ');
  const calls = new EngineCalls(engine, HAND_PROOFS);
  const heard = { told, woken, notices, faults, halts, losses };
  return { disk, machine, time, trees, engine, calls, store, ...heard, states };
}

/** The process dies in the middle of whatever it did; the next one finds what is there. */
export async function afterCrash(
  { disk, machine, time, trees }: Surroundings,
  options?: WorldOptions,
): Promise<EngineWorld> {
  return await engineWorld({ disk, machine, time, trees }, options);
}

let requests = 0;

export function request(fields: Partial<RunRequest> = {}): RunRequest {
  const tasks = fields.tasks ?? [definition('a'), definition('b')];
  requests += 1;
  return {
    id: runId(requests),
    root: '/project',
    plan: 'interlock.yaml',
    planHash: JSON.stringify(tasks),
    selection: [],
    requestedBy: 'test',
    policy: { parallel: 10, failFast: false },
    tasks,
    isNew: false,
    ...fields,
  };
}

/** The term under which somebody has a task now. */
export function termOf({ engine }: EngineWorld, task: string): number | undefined {
  for (const run of engine.board.runs.values())
    for (const entry of run.entries) if (entry.id === task) return holderOf(entry.state)?.term;
  return undefined;
}
