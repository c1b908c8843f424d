import { assert } from '../domain/assert.ts';
import type { WorkerId } from '../domain/ids.ts';
import { workerOf } from '../scheduler/model/agent-identity.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { answerRelease, type ReleaseRequest } from '../scheduler/requests/ask-release.ts';
import { answerClaim } from '../scheduler/requests/claim.ts';
import { answerControl, type ControlRequest } from '../scheduler/requests/control.ts';
import { answerHook, type HookReply } from '../scheduler/requests/hook.ts';
import { type AgentEnd, answerLeave } from '../scheduler/requests/leave.ts';
import { answerOwn, type OwnRequest } from '../scheduler/requests/own.ts';
import { answerHolder, type HolderRequest } from '../scheduler/requests/settle.ts';
import {
  type BoardCalls,
  checkedHook,
  checkedSpeaker,
  type ClaimCall,
  type ClaimReply,
  type ControlReply,
  type HolderReply,
  type OwnReply,
  type ReleaseReply,
  type SayCall,
  type UncheckedHook,
} from './board-calls.ts';
import type { Engine } from './engine.ts';
import type { BoardWriter } from './board-writer.ts';
import type { AttemptProofs } from './ports.ts';
import type { Grant } from './store-port.ts';
import type { PartResult, RunRequest, SubmitResult } from './run-request.ts';
import { submitTogether } from './submit-together.ts';

/**
 * What may be asked of the board, answered by the process that decides for it.
 *
 * Invariant: every request comes this way, from this process and from others, and who speaks as the
 * command of a task is checked here. The scheduler never sees a proof, and no operation names one.
 */
export class EngineCalls implements BoardCalls {
  readonly #engine: Engine;
  readonly #proofs: AttemptProofs | undefined;

  /** Without `proofs` nobody can speak as the command of a task. */
  constructor(engine: Engine, proofs: AttemptProofs | undefined) {
    this.#engine = engine;
    this.#proofs = proofs;
  }

  async submit(request: RunRequest): Promise<SubmitResult> {
    return await this.#engine.ask(() => this.#submit(request));
  }

  async submitTogether(requests: readonly RunRequest[]): Promise<readonly PartResult[]> {
    return await this.#engine.ask(() => submitTogether(this.#writer, requests));
  }

  async control(request: ControlRequest, id: string): Promise<ControlReply> {
    const { kind } = request;
    const [run, task] = ['run' in request && request.run, 'task' in request && request.task];
    const operation = operationOf(id, 'control', kind, run, task);
    return await this.#engine.ask(() => {
      const { board } = this.#writer;
      if (this.#wasApplied(operation)) return ACCEPTED;
      const answer = answerControl(board, request, this.#writer.now());
      if (answer.kind === 'refused') return answer;
      this.#record(answer.events, { operation });
      return ACCEPTED;
    });
  }

  async claim(call: ClaimCall): Promise<ClaimReply> {
    return await this.#engine.ask(() => this.#claim(call));
  }

  async say(asked: SayCall, operation: string): Promise<HolderReply> {
    const { run, task, term, says } = asked;
    const by = checkedSpeaker(asked, this.#proofs);
    return await this.#engine.ask(() =>
      by === undefined
        ? this.#notProven(asked)
        : this.#say({ run, task, term, by, says }, operation),
    );
  }

  async own(request: OwnRequest, id: string): Promise<OwnReply> {
    const operation = operationOf(id, 'own', request.worker, request.id);
    return await this.#engine.ask((): OwnReply => {
      this.#engine.life.heardFrom(request.worker);
      const answer = answerOwn(this.#writer.board, request, this.#writer.now());
      if (answer.kind !== 'accepted') return answer;
      const { kind, warnings, event } = answer;
      if (!this.#wasApplied(operation)) this.#record([event], { operation });
      return { kind, warnings };
    });
  }

  async hook(told: UncheckedHook): Promise<HookReply> {
    const request = checkedHook(told, this.#proofs);
    const { caller, tree, shell, inside } = request;
    const { session } = caller;
    const ended = shell?.is === 'over' ? shell : undefined;
    if (ended !== undefined) {
      const worker = workerOf(this.#writer.board, caller);
      await this.#engine.shellEnded({ worker, session, tree, call: ended.call });
    }
    return await this.#engine.ask(() => {
      const { reply, events } = answerHook(this.#writer.board, request, this.#writer.now());
      this.#record(events);
      const { worker, refused } = reply;
      this.#engine.life.heardFrom(worker);
      const { shells } = this.#engine;
      if (shells === undefined) return reply;
      const at = this.#writer.now();
      if (request.what === 'over') shells.over({ worker, session }, at);
      for (const path of request.paths)
        if (refused.every((one) => one.path !== path)) shells.wrote(path, { worker, tree, at });
      if (shell?.is === 'begun')
        this.#engine.shellBegun({
          worker,
          session,
          tree,
          call: shell.call,
          ...(inside && { inside }),
        });
      return ended === undefined ? reply : { ...reply, touched: shells.take({ worker, session }) };
    });
  }

  async free(id: string): Promise<void> {
    await this.#engine.ask(() => {
      if (!this.#writer.board.owners.people.has(id)) return;
      this.#record([{ kind: 'pathsFreed', at: this.#writer.now(), id }]);
    });
  }

  async askRelease(request: ReleaseRequest, id: string): Promise<ReleaseReply> {
    const { owner, worker, path } = request;
    const operation = operationOf(id, 'ask-release', owner, worker, path);
    return await this.#engine.ask((): ReleaseReply => {
      this.#engine.life.heardFrom(worker);
      if (this.#wasApplied(operation)) return ACCEPTED;
      const answer = answerRelease(this.#writer.board, request, this.#writer.now());
      if (answer.kind === 'refused') return answer;
      this.#record([answer.event], { operation });
      return ACCEPTED;
    });
  }

  async greet(worker: Worker): Promise<void> {
    await this.#engine.ask(() => this.#greet(worker));
  }

  async leave(worker: WorkerId, agent?: AgentEnd): Promise<void> {
    await this.#engine.ask(() => {
      this.#record(answerLeave(this.#writer.board, { worker, agent }, this.#writer.now()));
    });
  }

  async told(worker: WorkerId, terms: readonly number[]): Promise<void> {
    await this.#engine.ask(() => {
      const untold = this.#writer.board.losses.of(worker).map(({ term }) => term);
      const fresh = untold.filter((term) => terms.includes(term));
      if (fresh.length === 0) return;
      this.#record([{ kind: 'lossesTold', at: this.#writer.now(), worker, terms: fresh }]);
    });
  }

  get #writer(): BoardWriter {
    return this.#engine.writer;
  }

  #wasApplied(operation: string): boolean {
    return this.#writer.resolve(operation).kind === 'applied';
  }

  #record(events: readonly BoardEvent[], { operation, grant }: Remembered = {}): void {
    if (events.length === 0 && operation === undefined) return;
    const { kind } = this.#writer.record(events, operation, grant);
    assert(kind !== 'refused', 'what the board answers with is what the store accepts');
  }

  #submit(request: RunRequest): SubmitResult {
    const [result] = submitTogether(this.#writer, [{ ...request, isNeeded: false }]);
    assert(result !== undefined && result.kind !== 'unneeded', 'who asks alone is answered');
    return result;
  }

  #claim({ worker, task, except, leaseMs, operation: id }: ClaimCall): ClaimReply {
    const operation = operationOf(id, 'claim', worker.id, task?.run, task?.task);
    const before = this.#writer.resolve(operation);
    if (before.kind === 'applied' && before.grant !== undefined)
      return { kind: 'granted', grant: before.grant };
    this.#greet(worker);
    this.#engine.life.heardFrom(worker.id);
    const { board } = this.#writer;
    const asked = {
      worker,
      ...(task && { task }),
      ...(except && { except }),
      ...(leaseMs !== undefined && { leaseMs }),
    };
    const answer = answerClaim(board, asked, this.#writer.now());
    switch (answer.kind) {
      case 'claim': {
        const outcome = this.#writer.claim({ operation, decision: answer.decision });
        assert(outcome.kind !== 'refused', 'what the board grants, the store grants');
        return { kind: 'granted', grant: outcome.grant };
      }
      case 'own': {
        const grant = this.#grantOf(answer);
        this.#record([], { operation, grant });
        return { kind: 'granted', grant };
      }
      default:
        return answer;
    }
  }

  #grantOf({ run, task, term }: Pick<Grant, 'run' | 'task' | 'term'>): Grant {
    const leaseMs = this.#writer.board.find(run, task)?.claim?.holder.leaseMs;
    return leaseMs === undefined ? { run, task, term } : { run, task, term, leaseMs };
  }

  #notProven({ run, task, term }: SayCall): HolderReply {
    const holder = this.#writer.board.find(run, task)?.claim?.holder;
    return holder?.term === term
      ? { kind: 'not-holder', holder: holder.worker }
      : { kind: 'stale', currentTerm: holder?.term };
  }

  #say(request: HolderRequest, id: string): HolderReply {
    const { run, task, term, by, says } = request;
    const operation = operationOf(id, 'say', run, task, term, by, says.kind);
    const announced = by.kind === 'command' && { isAnnounced: true as const };
    if (says.kind !== 'renew' && this.#wasApplied(operation)) return { ...ACCEPTED, ...announced };
    const answer = answerHolder(this.#writer.board, request, this.#writer.now());
    if (answer.kind !== 'accepted') return answer;
    if (says.kind !== 'renew' || says.isAutomatic !== true) this.#engine.life.heardOf(term);
    if (says.kind === 'progressed' && answer.events.length === 0) return ACCEPTED;
    const write = { run, task, term, events: answer.events };
    const outcome =
      says.kind === 'renew'
        ? this.#writer.renew(write)
        : this.#writer.settle({ ...write, operation });
    if (outcome.kind === 'stale') return outcome;
    const claim = this.#writer.board.find(run, task)?.claim;
    const [expiresAt, asked] = [claim?.holder.expiresAt, claim?.owner?.asked];
    return {
      ...ACCEPTED,
      ...(answer.isAnnounced && { isAnnounced: true }),
      ...(expiresAt !== undefined && { remainingMs: expiresAt - this.#writer.now() }),
      ...(asked !== undefined && { asked }),
    };
  }

  /** Whoever speaks to the board is there; a word that says nothing new is not written down. */
  #greet(worker: Worker): void {
    const known = this.#writer.board.workers.sessions.get(worker.id);
    const { since: _, ...now } = worker;
    const { since, ...before } = known ?? { since: undefined };
    if (since !== undefined && JSON.stringify(before) === JSON.stringify(now)) return;
    const at = this.#writer.now();
    this.#record([{ kind: 'workerSeen', at, worker: { ...worker, since: since ?? at } }]);
  }
}

/** Whoever asks for the operation again is answered the same. */
interface Remembered {
  readonly operation?: string;
  readonly grant?: Grant;
}

/** Whoever uses an id again for something else is not answered with what came of the first. */
function operationOf(id: string, ...of: readonly unknown[]): string {
  return JSON.stringify([id, ...of]);
}

const ACCEPTED = { kind: 'accepted' } as const;
