import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver';
import { BOARD_PROBLEM, type BoardProblem } from '../../protocol/initialization.ts';
import { RUN_FINISHED, type RunFinished } from '../../protocol/runs.ts';
import { TASKS_CHANGED, type TasksChanged, type TaskView } from '../../protocol/tasks.ts';
import { Board, type FinishedRun, sentenceOf } from '../board/board.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import type { BoardWorld } from '../board/ports.ts';
import { toDiagnostics, toTaskViews } from './convert.ts';

export interface FolderOptions {
  readonly connection: Connection;
  readonly world: BoardWorld;
  readonly uri: string;
  /** The folder as the client sees it. */
  readonly path: string;
  /** The same folder without links. */
  readonly realPath: string;
  readonly isTrusted: boolean;
}

/**
 * One workspace folder of a client: its board, and what the client was last told of it, so that
 * only what changed is sent. Changes that come together are sent together.
 */
export class Folder {
  readonly uri: string;
  readonly path: string;
  readonly board: Board;
  readonly #connection: Connection;
  readonly #sentPlans = new Map<string, LoadedPlan>();
  #sentViews = new Map<string, TaskView>();
  #finished: FinishedRun[] = [];
  #isPublishDue = false;
  #isClosed = false;

  constructor({ connection, world, uri, path: folderPath, realPath, isTrusted }: FolderOptions) {
    this.uri = uri;
    this.path = folderPath;
    this.#connection = connection;
    const listener = {
      changed: (entries: readonly LedgerEntry[]) => {
        for (const { event } of entries)
          if (event.kind === 'runFinished') this.#finished.push(event);
        this.#publishSoon();
      },
      failed: (message: string) => this.#report(message),
    };
    this.board = new Board(realPath, world, { isTrusted, listener, carriesOn: 'recent' });
  }

  get views(): readonly TaskView[] {
    return [...this.#sentViews.values()];
  }

  /** The plan's path in this folder, or nothing when a file is elsewhere. */
  relativePath(file: string): string | undefined {
    const relative = path.relative(this.path, file);
    const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
    return isInside ? relative.split(path.sep).join('/') : undefined;
  }

  planUri(plan: string): string {
    return pathToFileURL(path.join(this.path, plan)).href;
  }

  /** Takes back everything the client shows of this folder. */
  async close(): Promise<void> {
    await this.board.close();
    this.#isClosed = true;
    for (const plan of this.#sentPlans.keys()) this.#sendDiagnostics(plan, []);
    this.#sendViews([...this.#sentViews.values()], new Map());
  }

  #publishSoon(): void {
    if (this.#isPublishDue) return;
    this.#isPublishDue = true;
    setImmediate(() => {
      this.#isPublishDue = false;
      if (this.#isClosed) return;
      try {
        this.#publish();
      } catch (error) {
        this.#report(sentenceOf(error));
      }
    });
  }

  #publish(): void {
    for (const loaded of this.board.plans.all) {
      if (this.#sentPlans.get(loaded.path) === loaded) continue;
      this.#sentPlans.set(loaded.path, loaded);
      this.#sendDiagnostics(loaded.path, toDiagnostics(loaded, this.planUri(loaded.path)));
    }
    for (const plan of this.#sentPlans.keys()) {
      if (this.board.plans.get(plan) !== undefined) continue;
      this.#sentPlans.delete(plan);
      this.#sendDiagnostics(plan, []);
    }
    const views = this.#currentViews();
    const before = this.#sentViews;
    this.#sentViews = views;
    this.#sendViews([...before.values()], views);
    this.#sendFinishedRuns();
  }

  #currentViews(): Map<string, TaskView> {
    const tasks = this.board.tasks();
    const views = this.board.plans.all.flatMap((loaded) =>
      toTaskViews(
        tasks.filter(({ plan }) => plan === loaded),
        { folderUri: this.uri, planUri: this.planUri(loaded.path) },
      ),
    );
    return new Map(views.map((view) => [`${view.plan}\n${view.id}`, view]));
  }

  #sendDiagnostics(plan: string, diagnostics: ReturnType<typeof toDiagnostics>): void {
    void this.#connection.sendDiagnostics({ uri: this.planUri(plan), diagnostics });
  }

  #sendViews(before: readonly TaskView[], views: ReadonlyMap<string, TaskView>): void {
    const old = new Map(before.map((view) => [`${view.plan}\n${view.id}`, view]));
    const changed = [...views].flatMap(([key, view]) =>
      JSON.stringify(view) === JSON.stringify(old.get(key)) ? [] : [view],
    );
    const removed = [...old].flatMap(([key, view]) => (views.has(key) ? [] : [view]));
    if (changed.length === 0 && removed.length === 0) return;
    const params: TasksChanged = {
      changed,
      removed: removed.map(({ folderUri, plan, id }) => ({ folderUri, plan, id })),
    };
    void this.#connection.sendNotification(TASKS_CHANGED, params);
  }

  #sendFinishedRuns(): void {
    for (const run of this.#finished.splice(0)) {
      const params = this.#summary(run);
      if (params !== undefined) void this.#connection.sendNotification(RUN_FINISHED, params);
    }
  }

  #summary({ run, outcome }: FinishedRun): RunFinished | undefined {
    const tasks = this.board.tasks().filter(({ record }) => record?.run === run);
    const [first] = tasks;
    if (first === undefined) return undefined;
    const idsIn = (kind: string): string[] =>
      tasks.flatMap(({ task, status }) => (status.kind === kind ? [task.id] : []));
    return {
      folderUri: this.uri,
      plan: first.plan.path,
      outcome,
      completedCount: idsIn('completed').length,
      failedIds: idsIn('failed'),
      skippedCount: idsIn('skipped').length,
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
