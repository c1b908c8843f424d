import { assert } from '../../server/domain/assert.ts';
import type { WorkerId } from '../../server/domain/ids.ts';
import type { RunOutcome } from '../../server/domain/run.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { boardEventOf, type Decision, keyOf } from '../../server/scheduler/decisions/decision.ts';
import { decide } from '../../server/scheduler/decide.ts';
import {
  answerClaim,
  type ClaimAnswer,
  type ClaimRequest,
} from '../../server/scheduler/requests/claim.ts';
import { answerControl, type ControlAnswer } from '../../server/scheduler/requests/control.ts';
import { answerOwn, type OwnAnswer, type OwnRequest } from '../../server/scheduler/requests/own.ts';
import {
  answerHolder,
  type HolderAnswer,
  type Saying,
} from '../../server/scheduler/requests/settle.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import { AT, boardOf, taskId } from './snapshots.ts';

/** Terms that the play mints are larger than those that a board begins with. */
const FIRST_TERM = 101;

/**
 * A board and a clock. Whatever is asked or decided is committed at once, so that a test says what
 * happens and nothing else. A task is named by its id, the first of that name is meant.
 */
export class Play {
  readonly text: string;
  readonly board: BoardModel;
  now: Instant = AT;
  /** Whatever moved the board, in order. */
  readonly events: BoardEvent[] = [];
  /** What was answered or decided, though the board would not have it. */
  readonly refused: BoardEvent[] = [];
  readonly keys: string[] = [];
  /** How each run ended, and with how many tasks left. */
  readonly finishes: { readonly outcome: RunOutcome; readonly left: number }[] = [];
  readonly #terms = new Map<string, number>();
  #nextTerm = FIRST_TERM;

  constructor(text: string) {
    this.text = text;
    this.board = boardOf(text);
    for (const { entries } of this.board.runs.values())
      for (const { claim, definition } of entries)
        if (claim !== undefined) this.#remember(claim.holder.worker, definition.id);
  }

  wait(durationMs: number): void {
    this.now = instant(this.now + durationMs);
  }

  entry(task: string): TaskEntry {
    const id = taskId(task);
    for (const run of this.board.runs.values()) {
      const entry = run.find(id);
      if (entry !== undefined) return entry;
    }
    throw new Error(`There is no task "${task}".`);
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
    for (let count = 0; count < 30; count += 1) {
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
    this.keys.push(keyOf(decision));
    if (decision.kind === 'finish') {
      const left = this.board.runs.get(decision.run)?.open ?? 0;
      this.finishes.push({ outcome: decision.outcome, left });
    }
    this.apply(event);
    if (decision.kind === 'claim') this.#remember(decision.worker, decision.task);
  }

  claim(request: ClaimRequest): ClaimAnswer {
    const answer = answerClaim(this.board, request, this.now);
    if (answer.kind === 'claim') this.commit(answer.decision);
    return answer;
  }

  /** What the worker says under the last term that it had for the task, or under a given one. */
  say(who: { worker: WorkerId; task: string; term?: number }, says: Saying): HolderAnswer {
    const { run, definition } = this.entry(who.task);
    const term = who.term ?? this.termOf(who.worker, who.task);
    const request = { run: run.manifest.id, task: definition.id, term, says };
    const answer = answerHolder(this.board, request, this.now);
    if (answer.kind === 'accepted') for (const event of answer.events) this.apply(event);
    return answer;
  }

  control(request: Parameters<typeof answerControl>[1]): ControlAnswer {
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
    return this.#terms.has(`${worker} ${task}`);
  }

  termOf(worker: WorkerId, task: string): number {
    const term = this.#terms.get(`${worker} ${task}`);
    assert(term !== undefined, `${worker} has had ${task}`);
    return term;
  }

  #remember(worker: WorkerId, task: string): void {
    const term = this.entry(task).claim?.holder.term;
    if (term !== undefined) this.#terms.set(`${worker} ${task}`, term);
  }
}
