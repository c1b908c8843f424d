import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import { instant } from '../../server/domain/time.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import { workerId } from './ids.ts';
import { type Opened, type TerminalAround, TerminalProgram } from './terminal-program.ts';

/** A window of an editor that opens terminals, and claims nothing itself. */
export class TerminalWindow {
  readonly #name: string;
  readonly #facts: Pick<Worker, 'capabilities' | 'root'>;
  readonly #around: TerminalAround;
  readonly #programs: TerminalProgram[] = [];
  #isThere = true;
  #isGreeting = false;
  /** Each time it comes back it is another worker. */
  #lives = 1;
  #opened = 0;

  constructor(
    { name, ...facts }: Pick<Worker, 'capabilities' | 'root'> & { readonly name: string },
    around: TerminalAround,
  ) {
    this.#name = name;
    this.#facts = facts;
    this.#around = around;
  }

  get id(): WorkerId {
    return workerId(`terminal/kim:${this.#name}-${this.#lives}`);
  }

  begin(): void {
    const { world } = this.#around;
    world.after(world.random.between(2000, 30_000), () => {
      this.begin();
      if (world.faults.isOver) return;
      for (const program of this.#alive) this.#harm(program);
      if (this.#isThere && world.faults.hits('windowGone')) this.#go();
    });
  }

  /** Something was written. */
  look(): void {
    for (const program of this.#alive) program.look();
    if (!this.#isThere || this.#isGreeting || this.#isKnown || !this.#isWanted) return;
    this.#isGreeting = true;
    const { world, desk } = this.#around;
    world.after(world.random.between(1, 500), () => {
      this.#isGreeting = false;
      if (this.#isThere && !this.#isKnown) desk.seen(this.#worker(this.id, true));
    });
  }

  /** A task waits for a terminal. */
  wake(task: { run: RunId; task: TaskId }): void {
    const entry = this.#around.shadow.facts.find(task.run, task.task);
    if (!this.#isThere || entry?.state !== 'pending') return;
    this.#open({ task, attempt: entry.attempts + 1 });
  }

  heal(): void {
    if (!this.#isThere) this.#comeBack();
    for (const program of this.#alive) program.heal();
    this.look();
  }

  get #alive(): readonly TerminalProgram[] {
    return this.#programs.filter(({ isAlive }) => isAlive);
  }

  get #isKnown(): boolean {
    return this.#around.shadow.facts.sessions.has(this.id);
  }

  get #isWanted(): boolean {
    return [...this.#around.shadow.facts.runs.values()].some(
      ({ manifest, tasks }) =>
        manifest.root === this.#facts.root &&
        [...tasks.values()].some(
          ({ isFree, state, work }) =>
            isFree && state === 'pending' && work.asks.doer.kind === 'terminal',
        ),
    );
  }

  /** A program starts in a moment, under a name that no other one has. */
  #open(opened: Omit<Opened, 'worker'>): void {
    this.#opened += 1;
    const id = workerId(`terminal/kim:${this.#name}-in-${this.#opened}`);
    const program = new TerminalProgram(
      { ...opened, worker: this.#worker(id, false) },
      this.#around,
    );
    this.#programs.push(program);
    const { world } = this.#around;
    world.after(world.random.between(50, 3000), () => {
      if (program.isAlive) program.begin();
    });
  }

  #harm(program: TerminalProgram): void {
    const { faults } = this.#around.world;
    if (faults.hits('terminalClosed')) program.close();
    else if (faults.hits('workerDied')) program.kill();
    else if (faults.hits('workerFroze')) program.freeze();
  }

  /** Its terminals are closed with it, or go on without it. */
  #go(): void {
    const { world, desk } = this.#around;
    world.say(`${this.id} goes`);
    this.#isThere = false;
    if (world.random.chance(0.6)) desk.left(this.id);
    for (const program of this.#alive)
      world.random.pick([() => program.close(), () => program.kill(), () => {}])();
    const awayMs = world.random.between(500, 200_000);
    world.after(awayMs, () => {
      if (!this.#isThere) this.#comeBack();
    });
  }

  /** An editor brings back the terminals that it had, whether they go on or not. */
  #comeBack(): void {
    this.#isThere = true;
    this.#lives += 1;
    const { random } = this.#around.world;
    const closed = this.#programs.filter(({ isAlive }) => !isAlive);
    for (const { opened } of closed) if (random.chance(0.3)) this.#open(opened);
    this.look();
  }

  #worker(id: WorkerId, isIdle: boolean): Worker {
    return { ...this.#facts, id, kind: 'terminal', isIdle, since: instant(1) };
  }
}
