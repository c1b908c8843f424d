import { unreachable } from '../domain/assert.ts';
import { Board, type BoardTask } from '../board/board.ts';
import type { Refusal, RunOptions } from '../board/run-choice.ts';
import { placedProblems } from './check.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { tailOf } from './tail.ts';

const TAIL = { lineCount: 20, byteCount: 16 * 1024 };

export async function run(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const parallel = args.options.parallel;
  if (parallel !== undefined && !/^[1-9]\d{0,3}$/.test(String(parallel))) {
    terminal.err(`--parallel takes a number from 1 to 9999, not "${parallel}".\n`);
    return EXIT.usage;
  }
  return await new RunCommand(args, terminal).perform();
}

/** One `interlock run`: shows each task as it starts and ends, then what became of all. */
class RunCommand {
  readonly #args: Arguments;
  readonly #terminal: Terminal;
  readonly #board: Board;
  readonly #shown = new Map<string, string>();
  #runs: ReadonlySet<string> = new Set();
  #sequenceBefore = 0;
  #wasInterrupted = false;
  #isShowingDue = false;
  #isOver = false;
  #hasFailed = false;

  constructor(args: Arguments, terminal: Terminal) {
    this.#args = args;
    this.#terminal = terminal;
    const listener = {
      changed: () => this.#showChangesSoon(),
      failed: (message: string) => {
        this.#hasFailed = true;
        terminal.err(`${message}\n`);
      },
    };
    this.#board = new Board(args.folder, terminal.world('run'), { isTrusted: true, listener });
  }

  async perform(): Promise<ExitCode> {
    try {
      return await this.#run();
    } finally {
      await this.#board.close();
    }
  }

  async #run(): Promise<ExitCode> {
    const board = this.#board;
    board.load();
    this.#terminal.onInterrupt(() => this.#interrupt());
    this.#sequenceBefore = board.lastSequence ?? 0;
    const result = await board.run(this.#options());
    if (result.kind === 'refused') return this.#refused(result);
    // Ctrl-C may have come before there was anything to stop.
    if (this.#wasInterrupted) board.stop();
    this.#runs = new Set(result.runs);
    this.#showChanges();
    await board.idle();
    this.#isOver = true;
    this.#showChanges();
    const tasks = this.#tasksOfRuns();
    this.#showEnd(tasks, result.leftOut);
    return this.#exitCode(tasks, result.leftOut.length > 0);
  }

  #options(): RunOptions {
    const { options, words } = this.#args;
    return {
      plan: options.plan === undefined ? undefined : String(options.plan),
      tasks: words,
      requestedBy: 'command line',
      parallel: options.parallel === undefined ? undefined : Number(options.parallel),
      isFailFast: options['fail-fast'] === true,
      isNew: options.new === true,
    };
  }

  #interrupt(): void {
    if (!this.#wasInterrupted) this.#terminal.err('Stopping. What runs gets 5 s to end.\n');
    this.#wasInterrupted = true;
    this.#board.stop();
  }

  #tasksOfRuns(): readonly BoardTask[] {
    return this.#board
      .tasks()
      .filter(({ record }) => record !== undefined && this.#runs.has(record.run));
  }

  /** Several changes of one moment are shown together. */
  #showChangesSoon(): void {
    if (this.#isShowingDue) return;
    this.#isShowingDue = true;
    setImmediate(() => {
      this.#isShowingDue = false;
      if (!this.#isOver) this.#showChanges();
    });
  }

  #showChanges(): void {
    if (this.#args.isJson) return;
    for (const { task, status } of this.#tasksOfRuns()) {
      const isNews = this.#shown.get(task.id) !== status.kind;
      this.#shown.set(task.id, status.kind);
      if (!isNews || ['waiting', 'ready', 'claimed'].includes(status.kind)) continue;
      const detail = status.detail === '' ? '' : ` (${status.detail})`;
      this.#terminal.out(`${task.id}: ${status.kind}${detail}\n`);
    }
  }

  #showEnd(tasks: readonly BoardTask[], leftOut: readonly { task: string; why: string }[]): void {
    const count = (kind: string): number =>
      tasks.filter(({ status }) => status.kind === kind).length;
    if (this.#args.isJson) {
      this.#terminal.out(
        `${JSON.stringify({ runs: [...this.#runs], tasks: tasks.map(toJson), leftOut })}\n`,
      );
      return;
    }
    for (const { plan, task, status } of tasks) {
      if (status.kind !== 'failed') continue;
      const tail = tailOf(this.#board.logFile(plan.path, task.id), TAIL);
      if (tail !== '') this.#terminal.err(`\nThe last lines of ${task.id}:\n${tail}\n`);
    }
    for (const { task, why } of leftOut) this.#terminal.err(`${task}: left out. ${why}\n`);
    const counts = ['completed', 'failed', 'cancelled', 'skipped'].map(
      (kind) => `${count(kind)} ${kind}`,
    );
    this.#terminal.out(`${counts.join(', ')}\n`);
  }

  #exitCode(tasks: readonly BoardTask[], hasLeftOut: boolean): ExitCode {
    if (this.#wasInterrupted) return EXIT.interrupted;
    if (this.#hasFailed) return EXIT.unavailable;
    if (this.#isDeadlocked()) {
      this.#terminal.err('Some tasks can never start. `interlock status` names them.\n');
      return EXIT.deadlocked;
    }
    const isDone = tasks.every(({ status }) => status.kind === 'completed');
    return isDone && !hasLeftOut ? EXIT.done : EXIT.failed;
  }

  /** Whether one of the runs ended with tasks that nobody can ever start. */
  #isDeadlocked(): boolean {
    for (let from = this.#sequenceBefore; ;) {
      const { finished, sequence } = this.#board.finishedRunsAfter(from);
      const isFound = finished.some(
        ({ run: id, outcome }) => outcome === 'deadlocked' && this.#runs.has(id),
      );
      if (isFound || sequence === from) return isFound;
      from = sequence;
    }
  }

  #refused({ why, message }: Refusal): ExitCode {
    if (this.#args.isJson) this.#terminal.out(`${JSON.stringify({ refused: { why, message } })}\n`);
    if (why !== 'store') this.#terminal.err(`${message}\n`);
    switch (why) {
      case 'store':
        return EXIT.unavailable;
      case 'busy':
      case 'held':
      case 'untrusted':
        return EXIT.refused;
      case 'cannot-start':
      case 'unknown-plan':
      case 'unknown-task':
      case 'nothing-to-run':
        this.#showErrors();
        return EXIT.usage;
      default:
        return unreachable(why);
    }
  }

  #showErrors(): void {
    const problems = this.#board.plans.all.flatMap(placedProblems);
    for (const { file, line, column, severity, code, message } of problems)
      if (severity === 'error')
        this.#terminal.err(`${file}:${line}:${column} ${severity} ${code} ${message}\n`);
  }
}

function toJson({ plan, task, status, record }: BoardTask): unknown {
  const attempts = record?.state.tries.attempts ?? 0;
  return { plan: plan.path, id: task.id, state: status.kind, detail: status.detail, attempts };
}
