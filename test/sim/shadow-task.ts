import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import type { LoadMode } from '../../server/domain/failure/load.ts';
import type { RunManifest, RunOutcome, RunPolicy } from '../../server/domain/run.ts';
import type { Departure, Ending, StopCause } from '../../server/domain/task.ts';
import type { Agent, Place, Worker } from '../../server/scheduler/model/workers.ts';
import { type Work, workOf } from './work.ts';

export type ShadowState =
  | 'pending'
  | 'held'
  | 'attention'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'skipped';

export interface ShadowHolder {
  readonly term: number;
  readonly worker: WorkerId;
  readonly claimedAt: number;
  expiresAt: number | undefined;
  startedAt: number | undefined;
  stop: { why: StopCause; signal: 'terminate' | 'kill'; at: number } | undefined;
  /** How its command says that it will end. */
  ending: Ending | undefined;
  /** Its connection was closed, and it has not renewed since. */
  left: Departure | undefined;
  isFlagged: boolean;
  /** What it wrote without having said so. */
  undeclared: number;
  /** In a tree of its own. That is settled when it is claimed, and stays so if its host is removed. */
  readonly isApart: boolean;
}

/** What the ledger says of a task, worked out in the plainest way. */
export class ShadowTask {
  work: Work;
  state: ShadowState = 'pending';
  holder: ShadowHolder | undefined;
  revision = 1;
  attempts = 0;
  failures = 0;
  losses = 0;
  /** How often its command asked to be tried again later. */
  releases = 0;
  notBefore = 0;
  isPaused = false;
  /** Nothing it waits for is missing. */
  isFree = false;
  readySince = 0;
  starvation = 0;
  starvedAt = 0;
  wokenAt = new Map<WorkerId, number>();
  /** Who had it last and did not finish it. */
  leftBy: WorkerId | undefined;

  constructor(work: Work) {
    this.work = work;
  }

  get isFinal(): boolean {
    return this.state !== 'pending' && this.state !== 'held' && this.state !== 'attention';
  }

  beginAnew(): void {
    this.state = 'pending';
    this.countAnew();
  }

  /** Who was told of it, and how long nobody took it. */
  forget(): void {
    this.wokenAt.clear();
    this.starvation = 0;
    this.starvedAt = 0;
  }

  countAnew(): void {
    this.revision += 1;
    this.attempts = 0;
    this.failures = 0;
    this.losses = 0;
    this.releases = 0;
    this.notBefore = 0;
  }
}

/** How long what begins with a task takes, as far as it ends. */
export interface Chain {
  readonly ms: number;
  readonly isEndless: boolean;
}

export class ShadowRun {
  manifest: RunManifest;
  /** All that there are or have been. */
  readonly #all: ReadonlyMap<RunId, ShadowRun>;
  readonly tasks = new Map<TaskId, ShadowTask>();
  /** How far those were that were taken out of the plan. */
  readonly left = new Map<TaskId, number>();
  isStopping = false;
  isInterrupted = false;
  isOver = false;
  /** Worked out once for as long as the plan is as it is. */
  readonly chains = new Map<ShadowTask, Chain>();

  constructor(manifest: RunManifest, all: ReadonlyMap<RunId, ShadowRun> = new Map()) {
    this.manifest = manifest;
    this.#all = all;
    for (const definition of manifest.tasks)
      this.tasks.set(definition.id, new ShadowTask(workOf(manifest, definition)));
  }

  /** What a task calls so, in this run or in another one, and that run. */
  find(id: TaskId): { readonly run: ShadowRun; readonly task: ShadowTask | undefined } | undefined {
    const own = this.tasks.get(id);
    if (own !== undefined) return { run: this, task: own };
    const outside = this.manifest.outside?.find(({ reference }) => reference === id);
    const run = outside && this.#all.get(outside.run);
    return outside === undefined || run === undefined
      ? undefined
      : { run, task: run.tasks.get(outside.task) };
  }

  /** How far that is. Whoever has left the plan of another run has ended there. */
  standing(id: TaskId): 'missing' | 'open' | 'completed' | 'ended' {
    const found = this.find(id);
    if (found === undefined) return 'missing';
    const { run, task } = found;
    if (task?.state === 'completed') return 'completed';
    return task === undefined || task.isFinal || run.isOver ? 'ended' : 'open';
  }

  /** Whether tasks of it wait for some of the other. */
  waitsFor({ manifest: { id } }: ShadowRun): boolean {
    return this.manifest.outside?.some(({ run }) => run === id) === true;
  }

  /** It was asked for again, in another way. */
  follow(policy: Partial<RunPolicy>): void {
    this.manifest = { ...this.manifest, policy: { ...this.manifest.policy, ...policy } };
    for (const task of this.tasks.values()) task.work = workOf(this.manifest, task.work.definition);
  }

  get hasEndedEarly(): boolean {
    return this.isStopping || (this.manifest.policy.failFast && this.hasFailure);
  }

  get hasFailure(): boolean {
    return [...this.tasks.values()].some(({ state }) => state === 'failed');
  }
}

/** A lost attempt that may still be at work. */
export interface ShadowLeftover {
  readonly work: Work;
  /** Where we started it; nowhere where somebody claimed for itself. */
  readonly place: string | undefined;
  undeclared: number;
  readonly until: number | undefined;
  /** In a tree of its own it is in nobody's way. */
  readonly isApart: boolean;
}

export interface ShadowOwned {
  readonly worker: WorkerId;
  readonly tree: string;
  readonly reads: number;
  readonly writes: number;
  readonly until: number | undefined;
}

/** Everything the checks remember of the ledger. */
export class ShadowFacts {
  readonly runs = new Map<RunId, ShadowRun>();
  /** Those that are over, too. */
  readonly allRuns = new Map<RunId, ShadowRun>();
  readonly outcomes = new Map<RunId, RunOutcome>();
  readonly owned = new Map<string, ShadowOwned>();
  /** Claims that their agents do not know to be over, by their terms. */
  readonly untold = new Map<number, { readonly worker: WorkerId; readonly work: Work }>();
  readonly places = new Map<string, Omit<Place, 'breaker' | 'runner'>>([
    ['local', { name: 'local', isReachable: true, capabilities: [], limits: {} }],
  ]);
  readonly agents = new Map<string, Omit<Agent, 'breaker' | 'coolDown'>>();
  readonly coolDowns = new Map<string, { until: number; strikes: number }>();
  readonly #leftovers = new Map<number, ShadowLeftover>();
  readonly sessions = new Map<WorkerId, Worker>();
  lastTerm = 0;
  lastAt = 0;
  /** When the faults came to their end. */
  mendedAt = Infinity;
  /** Workers that are given nothing new. */
  readonly drained = new Set<WorkerId>();
  isBoardPaused = false;
  isPermitted = true;
  lastCycleAt = 0;
  /** When something last happened to a task that can free it, or somebody who could take it. */
  newsAt = 0;
  mode: LoadMode = 'normal';
  modeSince = 0;
  /** Tasks were skipped or revived in the same turn, and the classes of others with them. */
  hasSkipped = false;
  load = { queueLimit: 10_000, memory: 0, cpu: 0 };
  measuredAt = 0;

  find(run: RunId, task: TaskId): ShadowTask | undefined {
    return this.runs.get(run)?.tasks.get(task);
  }

  keepLeftover(term: number, leftover: ShadowLeftover): void {
    this.#leftovers.set(term, leftover);
  }

  forgetLeftover(term: number): void {
    this.#leftovers.delete(term);
  }

  /** Nobody forgets before the ledger has come so far: a board may be read anew. */
  leftoversAt(now: number): ReadonlyMap<number, ShadowLeftover> {
    const left = new Map<number, ShadowLeftover>();
    for (const [term, leftover] of this.#leftovers) {
      const { until = Infinity } = leftover;
      if (until > now) left.set(term, leftover);
      else if (until <= this.lastAt) this.#leftovers.delete(term);
    }
    return left;
  }

  /** Those that others must wait for. */
  leftoversInTheWay(now: number): ShadowLeftover[] {
    return [...this.leftoversAt(now).values()].filter(({ isApart }) => !isApart);
  }

  holders(): ShadowTask[] {
    const all: ShadowTask[] = [];
    for (const run of this.runs.values())
      for (const task of run.tasks.values()) if (task.holder !== undefined) all.push(task);
    return all;
  }
}
