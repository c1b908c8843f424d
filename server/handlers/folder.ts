import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Connection,
  type Diagnostic,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver';
import { BOARD_PROBLEM, type BoardProblem } from '../../protocol/initialization.ts';
import { RUN_FINISHED, type RunFinished } from '../../protocol/runs.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import { Board, type FinishedRun, sentenceOf } from '../board/board.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import type { BoardWorld, PlanFiles } from '../board/ports.ts';
import type { UserHosts } from '../board/host-ports.ts';
import { withHostWarnings } from '../board/host-warnings.ts';
import { nowOn } from '../board/writers-now.ts';
import { positionsIn } from '../plans/positions.ts';
import { type Places, toDiagnostics } from './convert.ts';
import type { DiagnosticsBook } from './diagnostics-book.ts';
import { LookPace } from './look-pace.ts';
import { ObservedDiagnostics } from './observed-diagnostics.ts';
import { ToldTasks } from './told-tasks.ts';
import { PlansTold } from './plans-told.ts';
import { WhenQuiet } from './when-quiet.ts';

export interface FolderOptions {
  readonly connection: Connection;
  readonly diagnostics: DiagnosticsBook;
  /** The states of its tasks are others now. */
  readonly onStates: () => void;
  /** What a plan names in others is there now, or is not, though its own text is the same. */
  readonly onReferences: () => void;
  readonly world: BoardWorld;
  readonly uri: string;
  /** The folder as the client sees it. */
  readonly path: string;
  /** The same folder without links. */
  readonly realPath: string;
  readonly isTrusted: boolean;
  /** Whether this folder speaks of a file: of folders that lie in each other, the inner one does. */
  readonly isTold: (file: string) => boolean;
  /** The person before the client. */
  readonly reader: () => WorkerId | undefined;
  /** Why a plan of another open folder cannot be meant; nothing where none has this name. */
  readonly elsewhere: (plan: string) => string | undefined;
  /** Told of whatever has happened on the board. */
  readonly news: (entries: readonly LedgerEntry[]) => void;
}

/**
 * One workspace folder of a client: its board, and what the client was last told of it, so that
 * only what changed is sent. Changes that come together are sent together: what is wrong with a plan
 * at once, and how its tasks stand when nobody has typed for a moment.
 */
export class Folder {
  readonly uri: string;
  readonly path: string;
  readonly board: Board;
  readonly files: PlanFiles;
  readonly hosts: UserHosts;
  readonly #hostsChanged: Disposable;
  readonly #connection: Connection;
  readonly #diagnostics: DiagnosticsBook;
  readonly #isTold: FolderOptions['isTold'];
  readonly #onStates: () => void;
  readonly #onReferences: () => void;
  /** The plans whose problems were told, and in which files those are. */
  readonly #toldPlans = new Map<LoadedPlan, readonly string[]>();
  readonly #observed: ObservedDiagnostics;
  readonly #plansTold: PlansTold;
  readonly #news: FolderOptions['news'];
  readonly #quiet: WhenQuiet;
  readonly #alarm: BoardWorld['alarm'];
  #nextLook: Disposable | undefined;
  #nextObserved: Disposable | undefined;
  readonly #pace: LookPace;
  readonly #uris = new Map<string, string>();
  readonly #told: ToldTasks;
  #finished: FinishedRun[] = [];
  #isPublishDue = false;
  #areViewsDue = false;
  #isTyped = false;
  #isAnalysisDue = false;
  #isAllToTell = false;
  #isClosed = false;
  /** What is left of the first reading of its plans. */
  #loading: Generator<void, void> | undefined;

  constructor(options: FolderOptions) {
    const { connection, world, uri, path: folderPath, realPath, isTrusted } = options;
    this.uri = uri;
    this.path = folderPath;
    this.#connection = connection;
    this.#diagnostics = options.diagnostics;
    this.#isTold = options.isTold;
    this.#onStates = options.onStates;
    this.#onReferences = options.onReferences;
    this.files = world.files;
    this.hosts = world.hosts;
    this.#hostsChanged = world.hosts.onChanged(() => {
      this.#isAllToTell = true;
      this.#publishSoon();
    });
    this.#plansTold = new PlansTold(connection);
    this.#observed = new ObservedDiagnostics(options.diagnostics);
    this.#news = options.news;
    this.#told = new ToldTasks(connection, uri);
    this.#alarm = world.alarm;
    this.#pace = new LookPace(world.alarm, () => this.#publishTasksSoon());
    this.#quiet = new WhenQuiet(world.alarm, () => {
      this.#publishTasksSoon();
      this.#news([]);
    });
    const listener = {
      changed: (entries: readonly LedgerEntry[]) => {
        for (const { event } of entries)
          if (event.kind === 'runFinished') this.#finished.push(event);
        this.#heed(entries);
        this.#publishSoon();
        if (this.#isTyped) return;
        this.#areViewsDue = true;
        options.news(entries);
      },
      failed: (message: string) => this.#report(message),
    };
    const { elsewhere, reader } = options;
    this.board = new Board(realPath, world, {
      isTrusted,
      listener,
      elsewhere,
      reader,
      carriesOn: 'recent',
      rank: 'first',
    });
    this.#loading = this.board.loading();
  }

  get views(): readonly TaskView[] {
    return this.#told.views;
  }

  /** The path in this folder, or nothing when a file is elsewhere. */
  relativePath(file: string): string | undefined {
    const relative = path.relative(this.path, file);
    const names = relative.split(path.sep);
    const isInside = relative !== '' && names[0] !== '..' && !path.isAbsolute(relative);
    return isInside ? names.join('/') : undefined;
  }

  /** Whether there is a file at a path of this folder. */
  hasFile(file: string): boolean {
    return this.files.isFile(this.path, file);
  }

  uriOf(file: string): string {
    const uri = this.#uris.get(file) ?? pathToFileURL(path.join(this.path, file)).href;
    this.#uris.set(file, uri);
    return uri;
  }

  /** Of the texts as they are now. */
  get places(): Places {
    return {
      uriOf: (file) => this.uriOf(file),
      positionsOf: positionsIn((file) => this.board.plans.textOf(file)),
    };
  }

  /** What plans are called, for whoever looks for one from another folder. */
  get planNames(): readonly string[] {
    return this.board.plans.all.map(({ plan }) => plan.knownAs);
  }

  /** Other folders are open now: they may have plans that were missed here, or speak of files themselves. */
  lookAround(): void {
    this.#isAllToTell = true;
    this.board.lookElsewhere();
  }

  /** Whether its plans are not all known yet. */
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** Reads one more of its plans. Answers whether there is anything left to be read. */
  loadStep(): boolean {
    const loading = this.#loading;
    this.#loading = undefined;
    // What fails has ended, too.
    if (loading?.next().done === false) this.#loading = loading;
    return this.isLoading;
  }

  /** Reads its plans again, in steps. */
  *reloading(): Generator<void, void> {
    this.load();
    yield* this.board.loading();
  }

  /** Nobody wants to know its plans any more. */
  stopLoading(): void {
    this.#loading = undefined;
  }

  /** Whoever asks for all of its plans now has them. */
  load(): void {
    while (this.loadStep()) continue;
  }

  /**
   * The text of an open document, or nothing when it was closed, read in steps. Answers whether it is of a
   * plan.
   */
  *settingBuffer(file: string, text: string | undefined): Generator<void, boolean> {
    const steps = this.board.settingBuffer(file, text);
    for (;;) {
      // Only for the step itself: between two of them, other things happen on the board.
      this.#isTyped = true;
      try {
        const step = steps.next();
        if (step.done === true) return step.value;
      } finally {
        this.#isTyped = false;
      }
      yield;
    }
  }

  /** From now on its tasks may run, and are offered to be. */
  async trust(): Promise<void> {
    await this.board.trust();
    this.#onStates();
  }

  /** Takes back everything the client shows of this folder. */
  async close(): Promise<void> {
    this.stopLoading();
    await this.board.close();
    this.#isClosed = true;
    this.#hostsChanged[Symbol.dispose]();
    this.#quiet[Symbol.dispose]();
    this.#nextLook?.[Symbol.dispose]();
    this.#nextObserved?.[Symbol.dispose]();
    this.#pace[Symbol.dispose]();
    this.#observed.clear();
    for (const file of [...this.#toldPlans.values()].flat()) this.#tellProblems(file, []);
    this.#told.takeBack();
  }

  #publishSoon(): void {
    if (this.#isPublishDue) return;
    this.#isPublishDue = true;
    setImmediate(() => this.settle());
  }

  /** Tells what has changed now, not in a moment. */
  settle(): void {
    const isDue = this.#isPublishDue && !this.#isClosed;
    this.#isPublishDue = false;
    if (!isDue) return;
    try {
      this.#publish();
    } catch (error) {
      this.#report(sentenceOf(error));
    }
    this.#analyzeSoon();
  }

  /** One slice in each turn, so that whatever else the client asks is answered in between. */
  #analyzeSoon(): void {
    if (this.#isAnalysisDue || this.#isClosed || !this.board.plans.isAnalyzing) return;
    this.#isAnalysisDue = true;
    setImmediate(() => this.#analyze());
  }

  #analyze(): void {
    this.#isAnalysisDue = false;
    if (this.#isClosed || !this.board.plans.isAnalyzing) return;
    // As after a key that was typed: the tasks are the same, and in the same state.
    this.#isTyped = true;
    try {
      this.board.analyzeStep();
    } catch (error) {
      this.#report(sentenceOf(error));
    } finally {
      this.#isTyped = false;
    }
    this.#analyzeSoon();
  }

  #publish(): void {
    const { places } = this;
    this.#publishProblems(places);
    this.#plansTold.tell(this.uri, this.board.plans.all, places.uriOf);
    if (this.#areViewsDue) this.#publishTasks(places);
    else this.#quiet.ask();
  }

  #publishTasks(places: Places): void {
    this.#areViewsDue = false;
    this.#quiet[Symbol.dispose]();
    const { table, runTable, live } = this.board;
    const changes = table.take(this.#pace.most);
    this.#tellObserved();
    runTable.count(changes);
    if (this.#told.tell(changes, runTable.take(live), places)) this.#onStates();
    this.#sendFinishedRuns();
    this.#pace.looked(changes);
    if (!changes.isMore) this.#lookInTime();
  }

  /** Files that are gone are said nothing of; only the disk tells. */
  #tellObserved(): void {
    this.#nextObserved?.[Symbol.dispose]();
    this.#nextObserved = undefined;
    this.#observed.tell(this, this.board.table.observed);
    if (this.#observed.hasTold && !this.#isClosed)
      this.#nextObserved = this.#alarm.after(OBSERVED_MS, () => this.#tellObserved());
  }

  #publishTasksSoon(): void {
    this.#areViewsDue = true;
    this.#publishSoon();
  }

  /** What clears by itself is no news of the board. */
  #lookInTime(): void {
    this.#nextLook?.[Symbol.dispose]();
    this.#nextLook = undefined;
    const { table, live } = this.board;
    const at = table.nextClearAt;
    if (at === undefined || live === undefined) return;
    const delayMs = Math.max(1, at - nowOn(live));
    this.#nextLook = this.#alarm.after(delayMs, () => this.#publishTasksSoon());
  }

  #heed(entries: readonly LedgerEntry[]): void {
    const { table, runTable } = this.board;
    if (entries.length === 0) {
      table.forget();
      runTable.forget();
    }
    table.heed(entries);
    runTable.heed(entries);
  }

  #publishProblems(places: Places): void {
    const plans = new Set(this.board.plans.all);
    const emptied = new Set<string>();
    for (const [loaded, files] of this.#toldPlans) {
      if (plans.has(loaded)) continue;
      this.#toldPlans.delete(loaded);
      if (namesOthersNow(loaded, this.board.plans.get(loaded.path))) this.#onReferences();
      for (const file of files) emptied.add(file);
    }
    for (const loaded of plans) {
      if (this.#toldPlans.has(loaded) && !this.#isAllToTell) continue;
      this.#toldPlans.set(loaded, loaded.files);
      for (const [file, diagnostics] of toDiagnostics(
        withHostWarnings(loaded, this.hosts),
        places,
      )) {
        emptied.delete(file);
        this.#tellProblems(file, diagnostics);
      }
    }
    for (const file of emptied) this.#tellProblems(file, []);
    this.#isAllToTell = false;
  }

  #tellProblems(file: string, diagnostics: readonly Diagnostic[]): void {
    if (this.#isTold(file)) this.#diagnostics.set(this.uriOf(file), 'plan', diagnostics);
  }

  #sendFinishedRuns(): void {
    for (const run of this.#finished.splice(0)) {
      const params = this.#summary(run);
      if (params !== undefined) void this.#connection.sendNotification(RUN_FINISHED, params);
    }
  }

  #summary({ run, outcome }: FinishedRun): RunFinished | undefined {
    const tasks = this.board.table.all.filter(({ record }) => record?.run === run);
    const [first] = tasks;
    if (first === undefined) return undefined;
    const { requestedAt = 0, finishedAt = requestedAt } = this.#told.run(run) ?? {};
    const idsIn = (kind: string): string[] =>
      tasks.flatMap(({ task, status }) => (status.kind === kind ? [task.id] : []));
    return {
      folderUri: this.uri,
      run,
      plan: first.plan.path,
      outcome,
      completedCount: idsIn('completed').length,
      failedIds: idsIn('failed'),
      skippedCount: idsIn('skipped').length,
      tookMs: finishedAt - requestedAt,
    };
  }

  #report(message: string): void {
    const params: BoardProblem = { folderUri: this.uri, message };
    void this.#connection.sendNotification(BOARD_PROBLEM, params);
    void this.#connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Error,
      message,
    });
  }
}

/** How often files that changed while a task ran are looked for on the disk. */
const OBSERVED_MS = 2000;

/** Whether a plan of the same text names something else in other plans than before. */
function namesOthersNow(before: LoadedPlan, now: LoadedPlan | undefined): boolean {
  if (now?.texts !== before.texts) return false;
  const [some, others] = [before.plan.references, now.plan.references];
  return some.size !== others.size || [...some.keys()].some((text) => !others.has(text));
}
