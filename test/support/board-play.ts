import { assert } from '../../server/domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import type { RunOutcome } from '../../server/domain/run.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { boardEventOf, type Decision, keyOf } from '../../server/scheduler/decision.ts';
import { decide } from '../../server/scheduler/decide.ts';
import {
  answerClaim,
  type ClaimAnswer,
  type ClaimRequest,
} from '../../server/scheduler/requests/claim.ts';
import {
  answerControl,
  type ControlAnswer,
  type ControlRequest,
} from '../../server/scheduler/requests/control.ts';
import { answerOwn, type OwnAnswer, type OwnRequest } from '../../server/scheduler/requests/own.ts';
import {
  answerHolder,
  type HolderAnswer,
  type Saying,
  type Speaker,
} from '../../server/scheduler/requests/settle.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';
import { isRunner, type Worker } from '../../server/scheduler/model/workers.ts';
import { AT, boardOf, taskId, workerId } from './snapshots.ts';

/** Terms that the play mints are larger than those that a board begins with. */
const FIRST_TERM = 101;
/** More than any board of a test needs to come to rest. */
const TURN_LIMIT = 30;

/**
 * A board and a clock. Whatever is asked or decided is committed at once, so that a test says what
 * happens and nothing else. A task is named by its id, as `a`, and the first of that name is meant;
 * or with its run, as `older-run/a`.
 */
export class Play {
  readonly text: string;
  readonly board: BoardModel;
  /** How many there were in the beginning. */
  readonly runCount: number;
  now: Instant = AT;
  /** Whatever moved the board, in order. */
  readonly events: BoardEvent[] = [];
  /** What was answered or decided, though the board would not have it. */
  readonly refused: BoardEvent[] = [];
  /** What was decided and carried out, in order. */
  readonly decided: Decision[] = [];
  /** How each run ended, and with how many tasks left. */
  readonly finishes: { readonly outcome: RunOutcome; readonly left: number }[] = [];
  readonly #terms = new Map<string, number>();
  #nextTerm = FIRST_TERM;

  constructor(text: string) {
    this.text = text;
    this.board = boardOf(text);
    this.runCount = this.board.runs.size;
    for (const { entries } of this.board.runs.values())
      for (const entry of entries)
        if (entry.claim !== undefined) this.#remember(entry.claim.holder.worker, entry);
  }

  get keys(): readonly string[] {
    return this.decided.map((decision) => keyOf(decision));
  }

  wait(durationMs: number): void {
    this.now = instant(this.now + durationMs);
  }

  find(name: string): TaskEntry | undefined {
    const [id = '', of] = name.split('/').toReversed();
    for (const run of this.board.runs.values()) {
      const entry = run.find(taskId(id));
      if (entry !== undefined && (of === undefined || of === run.manifest.id)) return entry;
    }
    return undefined;
  }

  entry(name: string): TaskEntry {
    const entry = this.find(name);
    if (entry === undefined) throw new Error(`There is no task "${name}".`);
    return entry;
  }

  /** The first run where none is named. */
  run(name = ''): RunId {
    const run = [...this.board.runs.keys()].find((id) => name === '' || id === name);
    if (run === undefined) throw new Error(`There is no run "${name}".`);
    return run;
  }

  /** How requests and events say which task they mean. */
  about(name: string): { readonly run: RunId; readonly task: TaskId } {
    const { run, definition } = this.entry(name);
    return { run: run.manifest.id, task: definition.id };
  }

  apply(event: BoardEvent): 'moved' | 'refused' {
    const result = this.board.apply(event);
    (result === 'moved' ? this.events : this.refused).push(event);
    return result;
  }

  /** One turn, committed. */
  turn(): readonly Decision[] {
    const decisions = decide(this.board, this.now);
    for (const decision of decisions) this.commit(decision);
    return decisions;
  }

  /** Turns until nothing is left to do now. */
  turns(): readonly Decision[] {
    const all: Decision[] = [];
    for (let count = 0; count < TURN_LIMIT; count += 1) {
      const decisions = this.turn();
      if (decisions.length === 0) return all;
      all.push(...decisions);
    }
    throw new Error(`It never comes to rest: ${all.map(({ kind }) => kind).join(' ')}`);
  }

  commit(decision: Decision): void {
    const { now } = this;
    const entry = 'task' in decision ? this.board.find(decision.run, decision.task) : undefined;
    const event = boardEventOf(decision, entry?.state, { now, mintTerm: () => this.#nextTerm++ });
    if (event === undefined) return;
    this.decided.push(decision);
    if (decision.kind === 'finish') {
      const left = this.board.runs.get(decision.run)?.open ?? 0;
      this.finishes.push({ outcome: decision.outcome, left });
    }
    this.apply(event);
    if (decision.kind === 'claim' && entry !== undefined) this.#remember(decision.worker, entry);
  }

  claim(request: ClaimRequest): ClaimAnswer {
    const answer = answerClaim(this.board, request, this.now);
    if (answer.kind === 'claim') this.commit(answer.decision);
    return answer;
  }

  /** A worker speaks under the last term that it had for the task; without one, whoever holds it. */
  say(
    who: { readonly worker?: WorkerId; readonly task: string; readonly isCommand?: boolean },
    says: Saying,
  ): HolderAnswer {
    const term =
      who.worker === undefined
        ? (this.entry(who.task).claim?.holder.term ?? 0)
        : this.termOf(who.worker, who.task);
    const speaker = who.worker ?? this.entry(who.task).claim?.holder.worker;
    const by = who.isCommand === true ? COMMAND : speakerFor(speaker ?? workerId('nobody'));
    const request = { ...this.about(who.task), term, by, says };
    const answer = answerHolder(this.board, request, this.now);
    if (answer.kind === 'accepted') for (const event of answer.events) this.apply(event);
    return answer;
  }

  control(request: ControlRequest): ControlAnswer {
    const answer = answerControl(this.board, request, this.now);
    if (answer.kind === 'accepted') for (const event of answer.events) this.apply(event);
    return answer;
  }

  own(request: OwnRequest): OwnAnswer {
    const answer = answerOwn(this.board, request, this.now);
    if (answer.kind === 'accepted') this.apply(answer.event);
    return answer;
  }

  worker(id: WorkerId): Worker {
    const known = this.board.workers.sessions.get(id);
    return known ?? { id, kind: 'agent', capabilities: [], isIdle: true, since: AT };
  }

  hasHad(worker: string, task: string): boolean {
    return this.#terms.has(termKey(worker, this.entry(task)));
  }

  termOf(worker: WorkerId, task: string): number {
    const term = this.#terms.get(termKey(worker, this.entry(task)));
    assert(term !== undefined, `${worker} has had ${task}`);
    return term;
  }

  #remember(worker: WorkerId, entry: TaskEntry): void {
    const term = entry.claim?.holder.term;
    if (term !== undefined) this.#terms.set(termKey(worker, entry), term);
  }
}

const COMMAND: Speaker = { kind: 'command' };

/** As whoever holds claims under this name says what becomes of them. */
export function speakerFor(worker: WorkerId): Speaker {
  return isRunner(worker) ? { kind: 'runner' } : { kind: 'worker', worker };
}

/** Whether the play made this claim, and the board did not begin with it. */
export function isMinted(term: number): boolean {
  return term >= FIRST_TERM;
}

function termKey(worker: string, { run, definition }: TaskEntry): string {
  return `${worker} ${run.manifest.id}/${definition.id}`;
}
