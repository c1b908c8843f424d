import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Board } from '../../server/board/board.ts';
import type { BoardTask } from '../../server/board/board-task.ts';
import { type BoardRun, RunTable } from '../../server/board/run-table.ts';
import { realWorld } from '../../server/world.ts';
import { taskId, workerId } from './snapshots.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A board that hands its news to its tables, as whoever shows it does. */
export class TableOnBoard {
  readonly board: Board;
  readonly #root: string;
  #waiting: (() => void) | undefined;
  #operations = 0;
  readonly #runs = new Map<string, BoardRun>();

  constructor(plan: string, otherPlan?: string) {
    this.#root = temporaryFolder();
    writeFileSync(path.join(this.#root, 'interlock.yaml'), plan);
    if (otherPlan !== undefined)
      writeFileSync(path.join(this.#root, 'other.interlock.yaml'), otherPlan);
    const env = { ...process.env, INTERLOCK_STATE_DIR: temporaryFolder() };
    const changed = (entries: Parameters<Board['table']['heed']>[0]): void => {
      const { table, runTable } = this.board;
      if (entries.length === 0) for (const each of [table, runTable]) each.forget();
      for (const each of [table, runTable]) each.heed(entries);
      this.#waiting?.();
    };
    const listener = { changed, failed: (said: string) => expect.fail(said) };
    this.board = new Board(this.#root, realWorld('test', env), {
      isTrusted: true,
      listener,
      carriesOn: 'all',
    });
    onTestFinished(async () => this.board.close());
  }

  async open(): Promise<void> {
    this.board.load();
    await this.board.takePart();
    this.drain();
  }

  async start(): Promise<void> {
    await this.open();
    await this.board.run({ tasks: [], requestedBy: 'test' });
    this.drain();
  }

  drain(): void {
    const { table, runTable, live } = this.board;
    for (let isMore = true; isMore;) {
      const changes = table.take(7);
      runTable.count(changes);
      const { changed, removed } = runTable.take(live);
      for (const run of changed) this.#runs.set(run.id, run);
      for (const run of removed) this.#runs.delete(run);
      isMore = changes.isMore;
    }
  }

  /** The runs as they were told, one change after the other. */
  get runs(): readonly BoardRun[] {
    return [...this.#runs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The same, counted anew. */
  get runsAnew(): readonly BoardRun[] {
    const anew = new RunTable();
    const changed = this.board.tasks().map((now) => ({ before: undefined, now }));
    anew.count({ changed, removed: [], isMore: false });
    const runs = anew.take(this.board.live).changed;
    return runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async until(isSo: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting = () => isSo() && resolve();
      this.#waiting();
    });
    this.#waiting = undefined;
  }

  async claim(id: string): Promise<void> {
    const keeper = this.board.opened!.keeper;
    const [run] = [...keeper.board.runs.keys()];
    const worker = {
      id: workerId('agent/ada'),
      kind: 'agent',
      capabilities: [],
      isIdle: true,
      root: this.#root,
      since: this.board.opened!.clock.now(),
    } as const;
    const operation = `claim ${(this.#operations += 1)}`;
    const reply = await keeper.calls.claim({
      worker,
      operation,
      task: { run: run!, task: taskId(id) },
    });
    if (reply.kind !== 'granted') throw new Error(JSON.stringify(reply));
  }
}

/** What anybody sees of tasks. */
export function shown(tasks: readonly BoardTask[]): readonly string[] {
  return tasks.map(({ task, status, record, isPaused }) => {
    const { kind, detail, isColliding, blocker } = status;
    const more = [isPaused && 'paused', isColliding && 'colliding', blocker?.worker];
    const { run, runStatus, state } = record ?? {};
    const known = [state?.kind, state?.tries.revision, state?.tries.attempts, run, runStatus];
    return [task.id, kind, detail, ...more, ...known].filter(Boolean).join(' ');
  });
}
