import type { PathRules } from '../domain/paths/overlap.ts';
import { displayText } from '../domain/display-text.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import { type RunOutcome, treeOf } from '../domain/run.ts';
import type { TenureOptions } from '../engine/begin-tenure.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { isLoss, StoreError } from '../engine/store-error.ts';
import { systemFailure } from '../engine/system-failure.ts';
import type { DecidingRank } from '../keeper/links.ts';
import { BoardClosed } from '../keeper/keeper.ts';
import { BoardMirror } from './board-mirror.ts';
import { newestAttempt } from './attempts.ts';
import type { BoardTask } from './board-task.ts';
import { ClaimsInPlans, claimsOfOthers, endOfClaim, type ForeignClaim } from './claims-in-plans.ts';
import { controlRefusal } from './control-refusal.ts';
import { heldBy, holderNow } from './held-by.ts';
import { Observations } from './observations.ts';
import { observedProblems, type ObservedProblems } from './observed-problems.ts';
import { type LoadedPlan, PlanSet } from './plan-set.ts';
import { type MatchingFiles, matchingFiles } from './matching-files.ts';
import { nextTurn } from './next-turn.ts';
import { folderEntries } from './folder-entries.ts';
import type { BoardWorld, OpenBoard } from './ports.ts';
import { chooseTasks, refuse, type RunOptions, type RunResult } from './run-choice.ts';
import { runAll } from '../plans/slices.ts';
import type { RunModel } from '../scheduler/model/run-model.ts';
import { NOTHING_RESUMED, type Resumed, Resumption } from './resumption.ts';
import { submitParts } from './submit-parts.ts';
import { editorWindow, type EditorWindow } from './window.ts';
import { RunTable } from './run-table.ts';
import { statusIn } from './task-status.ts';
import { TaskTable } from './task-table.ts';
import { whyNotEach } from './why-not.ts';

/** Whoever shows a board: an editor window or a command. */
interface BoardListener {
  /** Plans, tasks or their states may have changed; these are the news of the ledger. */
  changed(entries: readonly LedgerEntry[]): void;
  /** Something the user must know; the sentence is complete. */
  failed(message: string): void;
  /** The coordinator does not answer, and is waited for. Absent: a window shows nothing of it. */
  waiting?(message: string): void;
  /** No run comes to its end while whoever decides is there. Absent: it is told like any failure. */
  halted?(message: string): void;
}

export interface FinishedRun {
  readonly run: RunId;
  readonly outcome: RunOutcome;
}

export interface BoardOptions {
  readonly isTrusted: boolean;
  readonly listener: BoardListener;
  /** Which runs that nobody carries on any more go on when this process comes to decide. */
  readonly carriesOn: TenureOptions['carriesOn'];
  /** The person before the window; absent where nobody in particular reads. */
  readonly reader?: () => WorkerId | undefined;
  readonly rank?: DecidingRank;
  /** Why a plan of another open folder cannot be meant; nothing where none has this name. */
  readonly elsewhere?: (plan: string) => string | undefined;
}

/**
 * One workspace folder: its plans, and what it knows of the board of its repository. Plans are read
 * and checked even where the store cannot be opened; only running needs it.
 */
export class Board {
  readonly root: string;
  readonly plans: PlanSet;
  /** Which names are one name here. */
  readonly rules: PathRules;
  readonly #world: BoardWorld;
  readonly #options: BoardOptions;
  #isTrusted: boolean;
  #isClosed = false;
  #opened: OpenBoard | undefined;
  #storeProblem: string | undefined;
  #saidNeighbours: string | undefined;
  #mirror: BoardMirror | undefined;
  #resumption: Resumption | undefined;
  /** The last reading in slices; the next one begins after it. */
  #loading: Promise<void> = Promise.resolve();
  #resumed = NOTHING_RESUMED;
  readonly #claims = new ClaimsInPlans();
  readonly #observations = new Observations(() => this.tree);
  readonly table: TaskTable;
  readonly runTable = new RunTable();

  constructor(root: string, world: BoardWorld, options: BoardOptions) {
    this.root = root;
    this.#world = world;
    this.#options = options;
    this.#isTrusted = options.isTrusted;
    this.rules = world.rulesOf(root);
    this.plans = new PlanSet(root, world.files, {
      rules: this.rules,
      ...(options.elsewhere && { elsewhere: options.elsewhere }),
    });
    this.table = new TaskTable({
      root,
      plans: () => this.#plansNow(),
      open: () => this.#opened,
      reader: () => this.reader,
      observed: (open, run, task) => this.#observations.of(open, run, task),
    });
  }

  /** Why nothing can run here, when the store could not be opened. */
  get storeProblem(): string | undefined {
    return this.#storeProblem;
  }

  /** What is known of the board, opened if it can be. */
  get opened(): OpenBoard | undefined {
    return this.#open();
  }

  /** The person who reads what is said of tasks, where there is one. */
  get reader(): WorkerId | undefined {
    return this.#options.reader?.();
  }

  /** A window of an editor that takes part here, like no other. */
  windowOf(userName: string | undefined): EditorWindow {
    return editorWindow(this.#world, userName);
  }

  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** As `opened`, but nothing is opened for it: where no plan is, there is nothing to know. */
  get live(): OpenBoard | undefined {
    return this.plans.all.length > 0 ? this.#opened : undefined;
  }

  /** Whether anything of this folder is to be run now. */
  get isRunning(): boolean {
    return this.liveRuns().length > 0;
  }

  /** Reads the plans again; where there are any, opens the store to see what became of their tasks. */
  load(): void {
    runAll(this.loading());
    while (this.plans.isAnalyzing) this.analyzeStep();
  }

  /** As `load`, for a process that may decide: between two slices it does what others ask of it. */
  async loadInSlices(): Promise<void> {
    const before = this.#loading;
    const loading = (async () => {
      await before;
      for (const _ of this.loading()) await nextTurn();
      for (; this.plans.isAnalyzing; this.analyzeStep()) await nextTurn();
    })();
    this.#loading = loading.catch(() => {});
    await loading;
  }

  /** Looks for hazards in its plans for a moment, where not all are known yet. */
  analyzeStep(): void {
    this.plans.analyzeStep();
    if (!this.plans.isAnalyzing) this.#options.listener.changed([]);
  }

  /** Reads the plans in steps, of which only the last one changes anything. Hazards may be known later. */
  *loading(): Generator<void, void> {
    yield* this.plans.reading();
    // It may have been closed between two steps.
    if (this.#isClosed) return;
    if (this.plans.all.length > 0 && this.#storeProblem === undefined) this.#open();
    this.#options.listener.changed([]);
  }

  /** Takes part in the board from now on, and finds what is left of processes that died. */
  async takePart(): Promise<void> {
    if (!this.#isTrusted) return;
    try {
      await this.#resume();
      // Of two boards that are opened at once, neither is in use yet when the other one looks.
      this.#tellNeighbours();
    } catch (error) {
      if (!(error instanceof BoardClosed)) throw error;
    }
  }

  /** What taking part has found of tasks that ran before; told once. */
  takeResumed(): Resumed {
    const resumed = this.#resumed;
    this.#resumed = NOTHING_RESUMED;
    return resumed;
  }

  /** Answers whether the file is one of the board's plans. */
  setBuffer(plan: string, text: string | undefined): boolean {
    return runAll(this.settingBuffer(plan, text));
  }

  /** The same in steps, of which only the last one changes anything. */
  *settingBuffer(plan: string, text: string | undefined): Generator<void, boolean> {
    yield* this.plans.settingBuffer(plan, text);
    this.#options.listener.changed([]);
    return this.plans.planOf(plan) !== undefined;
  }

  /** Other folders have other plans now. */
  lookElsewhere(): void {
    this.plans.lookElsewhere();
    this.#options.listener.changed([]);
  }

  async trust(): Promise<void> {
    this.#isTrusted = true;
    await this.#opened?.keeper.permit('granted');
    await this.takePart();
    this.#options.listener.changed([]);
  }

  /** Every task of every plan, in the order of the files. */
  tasks(): readonly BoardTask[] {
    const open = this.#opened;
    const records = new Map(
      open?.store
        .latestStates(this.root)
        .map((record) => [keyOf(record.plan, record.task), record]),
    );
    const outlook = open?.keeper.outlook();
    return this.#plansNow().flatMap((plan) =>
      plan.plan.tasks.map((task) => {
        const record = records.get(keyOf(plan.path, task.id));
        const obstacle = plan.plan.obstacles.get(task.id);
        const status = statusIn(task, { record, obstacle, outlook, reader: this.reader });
        const observed = record && open && this.#observations.of(open, record.run, task.id);
        const entry = record && open?.keeper.board.find(record.run, task.id);
        return { plan, task, record, status, observed, isPaused: entry?.isPaused === true };
      }),
    );
  }

  /** The same as they were last looked at, where nothing has happened to them since. */
  tasksShown(): readonly BoardTask[] {
    return this.table.current ?? this.tasks();
  }

  /** What tasks wrote and should not have, and what they read that was written meanwhile. */
  observedProblems(tasks: readonly BoardTask[]): ObservedProblems {
    const { folderInTree: folder, rules, tree } = this;
    const isThere = (path: string): boolean => this.#world.files.isFile(tree, path);
    return observedProblems(tasks, { folder, rules, isThere });
  }

  /** The working tree that the folder lies in. */
  get tree(): string {
    return treeOf({ root: this.root, folder: this.folderInTree });
  }

  /** Where everything about it is kept, and whether anything is kept there yet. */
  get stateFolder(): ReturnType<BoardWorld['stateFolder']> {
    return this.#world.stateFolder(this.root);
  }

  /** Where it lies in its working tree, with `/`; empty where it is all of it. */
  get folderInTree(): string {
    return this.#world.folderInTree(this.root);
  }

  /** Runs tasks and what they need. What cannot start is left out and named; the rest runs. */
  async run(options: RunOptions): Promise<RunResult> {
    if (!this.#isTrusted) return refuse('untrusted', 'Trust this folder to run its tasks.');
    const chosen = chooseTasks(this.#plansNow(options.claimant), options);
    if (chosen.kind === 'refused') return chosen;
    const open = this.#open();
    if (open === undefined)
      return refuse('store', this.#storeProblem ?? 'Interlock is shutting down.');
    const { accepted, refusedPlans } = await submitParts(chosen.parts, options, {
      open,
      world: this.#world,
      root: this.root,
      folder: this.folderInTree,
      begun: this.#ownRuns(),
    });
    const [first] = refusedPlans;
    if (accepted.length > 0 || first === undefined)
      return { kind: 'accepted', runs: accepted, leftOut: chosen.leftOut, refusedPlans };
    const sentences = new Set(refusedPlans.map(({ message }) => message));
    return refuse(first.why, [...sentences].join(' '));
  }

  /** Stops runs of this folder, or only some: what runs is asked to end, and nothing more starts. */
  async stop(
    runs: readonly RunId[] = this.liveRuns().map(({ manifest }) => manifest.id),
  ): Promise<void> {
    const calls = this.#opened?.keeper.calls;
    if (calls === undefined) return;
    await Promise.all(
      runs.map(async (run) =>
        calls.control({ kind: 'stop-run', run }, this.#world.ids.operation()),
      ),
    );
  }

  /** Answers with a sentence where it was not done. */
  async control(request: ControlRequest): Promise<string | undefined> {
    const calls = this.#opened?.keeper.calls;
    if (calls === undefined) return this.#storeProblem ?? 'Nothing has been run here yet.';
    const reply = await calls.control(request, this.#world.ids.operation());
    return reply.kind === 'refused' ? controlRefusal(request, reply) : undefined;
  }

  /** What is in the way of a task, a sentence each; nothing where it runs, or could be run now. */
  whyNot(plan: string, task: TaskId): readonly string[] {
    return this.whyNotEach(plan, [task]).get(task) ?? [];
  }

  /** The same for several tasks of a plan; working out what would start now is as much for one. */
  whyNotEach(path: string, tasks: readonly TaskId[]): ReadonlyMap<TaskId, readonly string[]> {
    const run = this.liveRuns().find(({ manifest }) => manifest.plan === path);
    const outlook = run && this.#opened?.keeper.outlook();
    const plan = this.#plansNow().find((loaded) => loaded.path === path);
    return whyNotEach({ run, outlook, plan, reader: this.reader }, tasks);
  }

  /** Who has a task and for how long; nothing where nobody has it, or a runner of ours. */
  heldBy(task: Pick<BoardTask, 'record'>): string {
    const holder = holderNow(task);
    const open = this.#opened;
    if (holder === undefined || open === undefined) return '';
    const now = open.keeper.board.timeAt(open.clock.now());
    return displayText(heldBy(holder.worker, holder.until, now));
  }

  /** The files of the folder that a pattern stands for now. */
  async matchingFiles(pattern: string): Promise<MatchingFiles> {
    const { root, rules } = this;
    return await matchingFiles(pattern, { root, rules, files: this.#world.files });
  }

  /** What lies in one of its folders, and what of that git ignores. */
  async entriesOf(folder: string): ReturnType<typeof folderEntries> {
    return await folderEntries({ root: this.root, folder }, this.#world);
  }

  /** Where the output of the newest attempt at a task is, if there has been one. */
  logFile(plan: string, id: string): string | undefined {
    const newest = newestAttempt(this, { plan, id });
    return newest === undefined || newest.attempt === 0 ? undefined : this.#opened?.logFile(newest);
  }

  /** Lets go of the store. What runs goes on, and whoever comes next finds it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    this.#mirror?.finish();
    await opened.keeper.close();
    opened.store.close();
  }

  /** The plans, with what somebody has claimed by a word in one of them. */
  #plansNow(claimant?: WorkerId): readonly LoadedPlan[] {
    const own = this.#ownRuns();
    const nowMs = this.#world.shared.timeOfDay();
    return this.plans.all.map((plan) => this.#claims.seenIn(plan, { runs: own, nowMs, claimant }));
  }

  /** What a worker may not claim, because files of boards say that somebody else has it. */
  claimsOfOthers(worker: WorkerId): readonly ForeignClaim[] {
    const open = this.#opened;
    if (open === undefined) return [];
    const nowMs = this.#world.shared.timeOfDay();
    return claimsOfOthers(this.plans.all, {
      runs: this.#ownRuns(),
      worker,
      nowMs,
      endOf: (run, task, name) => {
        const endedAt = endOfClaim(open.store.eventsOfRun(run, 0, Number.MAX_SAFE_INTEGER), {
          task,
          name,
        });
        return endedAt === undefined ? undefined : nowMs - (open.clock.now() - endedAt);
      },
    });
  }

  #ownRuns(): readonly RunModel[] {
    const runs = this.#opened?.keeper.board.runs.values() ?? [];
    return [...runs].filter(({ manifest }) => manifest.root === this.root);
  }

  /** Those of this folder that somebody carries on. */
  liveRuns(): readonly RunModel[] {
    return this.#ownRuns().filter(({ isInterrupted }) => !isInterrupted);
  }

  async #resume(): Promise<void> {
    const open = this.#opened;
    if (open === undefined) return;
    const resumption = new Resumption(open.keeper.board, this.root);
    this.#resumption = resumption;
    try {
      await open.keeper.takePart();
      // Ends that were found are in the ledger when the next request is answered.
      await open.keeper.permit('granted').catch(unlessLost);
      this.#resumed = resumption.found;
    } finally {
      this.#resumption = undefined;
    }
  }

  #tellNeighbours(): void {
    const neighbours = this.#opened?.neighbours();
    if (neighbours === undefined || this.#saidNeighbours === neighbours) return;
    this.#saidNeighbours = neighbours;
    this.#options.listener.failed(neighbours);
  }

  /** Tried again whenever somebody wants to run something; the same problem is said once. */
  #open(): OpenBoard | undefined {
    if (this.#opened !== undefined || this.#isClosed) return this.#opened;
    const { listener, carriesOn, rank } = this.#options;
    const told = {
      changed: (entries: readonly LedgerEntry[]) => {
        this.#mirror?.follow(entries);
        this.#observations.heed(entries);
        this.#resumption?.heed(entries);
        listener.changed(entries);
      },
      noticed: (sentence: string) => listener.failed(sentence),
      waiting: (sentence: string) => listener.waiting?.(sentence),
      faulted: (error: unknown) => listener.failed(sentenceOf(error)),
      halted: (sentence: string) =>
        listener.halted === undefined ? listener.failed(sentence) : listener.halted(sentence),
    };
    const permission = this.#isTrusted ? 'granted' : 'untrusted';
    try {
      const open = this.#world.open(this.root, {
        permission,
        carriesOn,
        ...(rank !== undefined && { rank }),
        listener: told,
      });
      this.#storeProblem = undefined;
      this.#opened = open;
      const { files, shared } = this.#world;
      const tell = (sentence: string): void => listener.failed(sentence);
      this.#mirror = new BoardMirror({ open, mark: open.mark, files, shared, tell });
      if (open.notice !== undefined) listener.failed(open.notice);
      this.#tellNeighbours();
      return open;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#storeProblem !== error.message) listener.failed(error.message);
      this.#storeProblem = error.message;
      return undefined;
    }
  }
}

/** Whoever decides by now has found them. */
function unlessLost(error: unknown): void {
  if (!isLoss(error)) throw error;
}

function keyOf(plan: string, task: TaskId): string {
  return `${plan}\n${task}`;
}

/** For the user: what failed and what to do about it. */
export function sentenceOf(error: unknown): string {
  const said = error instanceof StoreError ? error.message : systemFailure(error);
  if (said !== undefined) return said;
  return `Interlock found a mistake of its own and starts nothing more: ${String(error)}. Please report it.`;
}
