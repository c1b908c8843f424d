import type { OpenBoard } from '../board/ports.ts';
import { observedClause } from '../board/observed-text.ts';
import type { AcceptedRun } from '../board/run-choice.ts';
import { isForPerson } from '../domain/asks.ts';
import { displayLine } from '../domain/display-text.ts';
import type { RunId, TaskId } from '../domain/ids.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { isObservation, type Observation, observedIn } from '../scheduler/model/observed.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { listOf } from '../scheduler/predicate/explain.ts';
import { LiveLine } from './live-line.ts';
import { moveText } from './move-text.ts';
import { type Move, RunWatch, type WatchedRun } from './run-watch.ts';
import { errLine } from './say.ts';
import type { Terminal } from './terminal.ts';
import { WaitNotice } from './wait-notice.ts';

/** More than that nobody reads; `interlock ready` names all of them. */
const OFFERS_LIMIT = 20;

/** What people see of some runs while they go on. Programs are told at the end. */
export class RunProgress implements Disposable {
  readonly watch = new RunWatch();
  readonly #open: OpenBoard;
  readonly #terminal: Terminal;
  readonly #isQuiet: boolean;
  readonly #line: LiveLine;
  readonly #offered = new Set<TaskEntry>();
  readonly #waits: WaitNotice;
  #own: readonly RunId[] = [];

  constructor(open: OpenBoard, terminal: Terminal, isQuiet: boolean) {
    this.#open = open;
    this.#terminal = terminal;
    this.#isQuiet = isQuiet;
    this.#waits = new WaitNotice(open, {
      isMeant: (run) => this.watch.runs.some(({ id }) => id === run),
      tell: (entry, words) => this.say(`${this.nameOf(entry.run, entry.id)}: ${words}`),
    });
    this.#line = new LiveLine(terminal, open.alarm, (columns) => this.#status(columns));
  }

  /** Those that would not go on without this command: it started them, or carried them on. */
  get ownRuns(): readonly RunId[] {
    return this.#own;
  }

  /** `early` is what has happened since shortly before they were asked for. */
  begin(runs: readonly AcceptedRun[], early: readonly LedgerEntry[]): void {
    const resumed = new Set(
      early.flatMap(({ event }) => (event.kind === 'runResumed' ? event.run : [])),
    );
    this.#own = runs.flatMap(({ id, isJoined }) => (isJoined && !resumed.has(id) ? [] : id));
    const fresh = new Set(runs.flatMap((run) => (this.#add(run, early) ? run.id : [])));
    this.take(early.filter(({ event }) => 'run' in event && fresh.has(event.run)));
    this.#sayJoined(runs, resumed);
  }

  take(entries: readonly LedgerEntry[]): void {
    const moves = this.watch.take(entries);
    this.watch.endWithout(this.#open.keeper.board);
    this.#sayObserved(entries);
    if (this.#isQuiet) return;
    this.#line.print(this.#linesOf(moves) + this.#offers());
    this.#line.changed();
    this.#waits.changed();
  }

  /** Besides what it prints anyway. */
  say(...lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#line.hide();
    for (const line of lines) errLine(this.#terminal, line);
    if (!this.#isQuiet) this.#line.changed();
  }

  [Symbol.dispose](): void {
    this.#waits[Symbol.dispose]();
    this.#line[Symbol.dispose]();
  }

  /** From its beginning, where that was seen, else from what the board knows by now. */
  #add({ id, tasks }: AcceptedRun, early: readonly LedgerEntry[]): boolean {
    for (const { event } of early)
      if (event.kind === 'runSubmitted' && event.manifest.id === id) {
        this.watch.add(event.manifest, undefined, tasks);
        return true;
      }
    const run = this.#open.keeper.board.runs.get(id);
    if (run === undefined) this.#addStored(id, tasks);
    else this.watch.add(run.manifest, (task) => run.find(task)?.state, tasks);
    return false;
  }

  /** The board has not been told of it yet, or it has ended already. */
  #addStored(id: RunId, tasks: readonly TaskId[]): void {
    const record = this.#open.store.runs(RUNS_LIMIT).find(({ manifest }) => manifest.id === id);
    if (record === undefined) return;
    const states = this.#open.store.statesOf(id);
    this.watch.add(record.manifest, (task) => states.get(task), tasks);
    if (record.status === 'finished') this.watch.end(id, record.outcome);
  }

  #sayJoined(runs: readonly AcceptedRun[], resumed: ReadonlySet<RunId>): void {
    if (this.#isQuiet) return;
    for (const { id, isJoined } of runs) {
      if (!isJoined) continue;
      const isResumed = resumed.has(id);
      const how = isResumed
        ? `Run ${id} goes on where it was interrupted.`
        : `Joined run ${id}, which goes on already.`;
      this.say(how, ...this.#completedLines(id, isResumed));
    }
  }

  /** What tasks were seen to write that they should not have. */
  #sayObserved(entries: readonly LedgerEntry[]): void {
    const seen = entries.map(({ event }) => event).filter(isObservation);
    if (seen.length === 0) return;
    for (const run of this.watch.runs)
      for (const [task, observed] of observedIn(run.id, ofRun(run, seen)))
        this.say(`${this.nameOf(run, task)}: ${observedClause(observed)}`);
  }

  /** What is not done again, and how it would be. */
  #completedLines(id: RunId, isResumed: boolean): readonly string[] {
    const states = this.watch.runs.find((run) => run.id === id)?.states ?? [];
    const names = [...states].flatMap(([task, { kind }]) => (kind === 'completed' ? task : []));
    if (names.length === 0) return [];
    const again = isResumed ? '--new starts over' : '"interlock retry TASK" begins one anew';
    return [`Already completed: ${listOf(names)}; ${again}.`];
  }

  #linesOf(moves: readonly Move[]): string {
    let lines = '';
    for (const move of moves) {
      const text = moveText(move, this.#terminal.screen);
      if (text !== undefined)
        lines += `${displayLine(this.nameOf(move.run, move.task))}: ${text}\n`;
    }
    return lines;
  }

  /** As a command takes it: several plans may have a task of this name. */
  nameOf({ manifest }: Pick<WatchedRun, 'manifest'>, task: TaskId): string {
    return this.watch.runs.length > 1 ? `${manifest.plan}:${task}` : task;
  }

  /** Tasks that wait for nothing but somebody who takes them; each is said once. */
  #offers(): string {
    if (this.#offered.size === OFFERS_LIMIT) return '';
    let lines = '';
    for (const lane of this.#open.keeper.board.ready.pullLanes) {
      const run = this.watch.runs.find(({ id }) => id === lane.run.manifest.id);
      if (run === undefined) continue;
      for (const entry of lane.ready.inOrder()) {
        if (this.#offered.has(entry) || !run.states.has(entry.id)) continue;
        this.#offered.add(entry);
        if (this.#offered.size === OFFERS_LIMIT) return `${lines}More of them: interlock ready\n`;
        lines += `${displayLine(offerText(this.nameOf(entry.run, entry.id), entry))}\n`;
      }
    }
    return lines;
  }

  #status(columns: number): string {
    const { watch } = this;
    const waiting = watch.count('pending') + watch.count('claimed');
    const counts = [
      `${watch.count('running')} running`,
      `${waiting} waiting`,
      `${watch.count('completed')} completed`,
      ...(watch.count('failed') > 0 ? [`${watch.count('failed')} failed`] : []),
      ...(watch.count('attention') > 0 ? [`${watch.count('attention')} need you`] : []),
    ].join(', ');
    const names: string[] = [];
    let length = counts.length + 2;
    for (const task of watch.atWork) {
      length += task.length + 2;
      if (length >= columns) break;
      names.push(task);
    }
    return names.length === 0 ? counts : `${counts}: ${names.join(', ')}`;
  }
}

const RUNS_LIMIT = 200;

function ofRun({ id }: WatchedRun, events: readonly Observation[]): readonly Observation[] {
  return events.filter(({ run }) => run === id);
}

function offerText(name: string, { asks }: TaskEntry): string {
  const { doer, needs } = asks;
  if (doer.kind === 'terminal')
    return `${name}: runs in a terminal: of VS Code where it has this folder open, or of "interlock terminal ${name}"`;
  const who = doer.kind === 'person' ? 'a person' : isForPerson(doer) ? 'anybody' : 'an agent';
  const having = needs.length === 0 ? '' : ` with ${needs.join(', ')}`;
  return `${name}: waits for ${who}${having}: interlock claim ${name} --as NAME`;
}
