import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenBoard } from '../../server/board/ports.ts';
import type { ControlRequest } from '../../server/scheduler/requests/control.ts';
import { type Desk, insist, type OperatorDuties } from './part-options.ts';
import { briefPlan } from './plans.ts';

const LOOK_AGAIN_MS = 100;
/** Those that may not be finished are among the newest. */
const NEWEST = 12;

/** Asks for runs, and interferes with them; when all are finished it says so. */
export class OperatorAtWork {
  readonly #desk: Desk;
  readonly #duties: OperatorDuties;
  readonly #onOver: () => void;
  #isHealing = false;
  readonly #cancelled = new Set<string>();
  #hasSaid = false;

  constructor(desk: Desk, duties: OperatorDuties | undefined, onOver: () => void) {
    this.#desk = desk;
    this.#duties = duties ?? { runs: 0, cancels: [], isMoody: false };
    this.#onOver = onOver;
  }

  /** No more runs and no more moods: what is there is to come to its end. */
  heal(): void {
    this.#isHealing = true;
    this.#desk.stirring.stir();
  }

  async work(): Promise<void> {
    const { stirring, board } = this.#desk;
    while (!stirring.isOver) {
      const { opened } = board;
      if (opened !== undefined) await this.#look(opened);
      await stirring.within(LOOK_AGAIN_MS);
    }
  }

  async #look(open: OpenBoard): Promise<void> {
    const { board, random } = this.#desk;
    const runs = open.store.runs(Math.min(this.#duties.runs + 1, NEWEST));
    const isQuiet = runs.every(({ status }) => status === 'finished');
    const wants = runs.length < this.#duties.runs && !(this.#isHealing && runs.length > 0);
    if (isQuiet && wants) {
      if (this.#duties.edits === true) this.#edit();
      await insist(this.#desk, async () => board.run({ tasks: [], requestedBy: 'x', isNew: true }));
      return;
    }
    if (isQuiet && !this.#hasSaid) {
      this.#hasSaid = true;
      this.#onOver();
    }
    if (open.keeper.board.isPaused) await this.#control({ kind: 'resume-board' });
    await this.#careFor(open);
    if (this.#duties.isMoody && !this.#isHealing && random.chance(0.3)) await this.#interfere(open);
  }

  #edit(): void {
    const { random, journal, board } = this.#desk;
    const folder = path.dirname(journal.file);
    writeFileSync(path.join(board.root, 'interlock.yaml'), briefPlan(random, folder));
    board.load();
  }

  /** What waits for a person is answered, and what is to be cancelled is. */
  async #careFor({ keeper }: OpenBoard): Promise<void> {
    const entries = [...keeper.board.runs.values()].flatMap((run) => run.entries);
    for (const { id: task, state, run, isPaused } of entries) {
      const which = { run: run.manifest.id, task };
      if (state.kind === 'attention') await this.#control({ kind: 'retry-task', ...which });
      const isEnough = this.#isHealing || this.#desk.random.chance(0.2);
      if (isPaused && isEnough) await this.#control({ kind: 'resume-task', ...which });
      const isDoomed =
        state.kind === 'running' &&
        this.#duties.cancels.includes(task) &&
        !this.#cancelled.has(task);
      if (isDoomed && this.#isAtWork(`${which.run}/${task}`)) {
        this.#cancelled.add(task);
        await this.#control({ kind: 'cancel-task', ...which });
      }
    }
  }

  /** Before it is, it may not hear that it is to end, and is killed 5 seconds later. */
  #isAtWork(key: string): boolean {
    return this.#desk.journal.read().some(([word, what]) => word === 'start' && what === key);
  }

  async #interfere({ keeper }: OpenBoard): Promise<void> {
    const { random } = this.#desk;
    const entries = [...keeper.board.runs.values()].flatMap((run) => run.entries);
    if (entries.length === 0) return;
    const { id: task, run, state } = random.pick(entries);
    const which = { run: run.manifest.id, task };
    const requests: readonly ControlRequest[] = [
      { kind: 'pause-board' },
      { kind: 'pause-task', ...which },
      { kind: 'resume-task', ...which },
      { kind: 'rebuild' },
      ...(state.kind === 'failed' || state.kind === 'cancelled' || state.kind === 'skipped'
        ? ([{ kind: 'retry-task', ...which }] as const)
        : []),
      ...(random.chance(0.1) ? ([{ kind: 'cancel-task', ...which }] as const) : []),
    ];
    await this.#control(random.pick(requests));
  }

  async #control(request: ControlRequest): Promise<void> {
    const { world, board } = this.#desk;
    const operation = world.ids.operation();
    await insist(this.#desk, async () => board.opened?.keeper.calls.control(request, operation));
  }
}
