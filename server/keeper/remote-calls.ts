import type { BoardConnection } from '../coordinator/board-connection.ts';
import type { WorkerId } from '../domain/ids.ts';
import type {
  BoardCalls,
  ClaimCall,
  ClaimReply,
  ControlReply,
  HolderReply,
  OwnReply,
  ReleaseReply,
  SayCall,
  UncheckedHook,
} from '../engine/board-calls.ts';
import { assert } from '../domain/assert.ts';
import type { PartResult, RunRequest, SubmitResult } from '../engine/run-request.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import type { AgentEnd } from '../scheduler/requests/leave.ts';
import type { ReleaseRequest } from '../scheduler/requests/ask-release.ts';
import type { ControlRequest } from '../scheduler/requests/control.ts';
import type { OwnRequest } from '../scheduler/requests/own.ts';
import type { HookReply } from '../scheduler/requests/hook.ts';
import { decodeClaimReply, decodeHolderReply, decodeList, decodeOwnReply } from './answers.ts';
import type { Method, Params } from './messages.ts';
import { decodeHookReply, decodeReply } from './plain-answers.ts';
import { errorFromPeer } from './remote-errors.ts';

const RESULTS = ['started', 'joined', 'busy', 'queue-full', 'refused', 'untrusted'] as const;

/** Asks the process that decides, at the other end of a connection. */
export class RemoteCalls implements BoardCalls {
  readonly #connection: Pick<BoardConnection, 'request'>;
  readonly #present: Map<WorkerId, Worker>;

  /** `present` is kept up to date: the workers who are at the board through this process. */
  constructor(connection: Pick<BoardConnection, 'request'>, present: Map<WorkerId, Worker>) {
    this.#connection = connection;
    this.#present = present;
  }

  async submit(request: RunRequest): Promise<SubmitResult> {
    return decodeReply<SubmitResult>(await this.#ask('board/submit', request), ...RESULTS);
  }

  async submitTogether(requests: readonly RunRequest[]): Promise<readonly PartResult[]> {
    const results = decodeList(await this.#ask('board/submit-together', { requests }), 'results');
    return results.map((result) => decodeReply<PartResult>(result, ...RESULTS, 'unneeded'));
  }

  async control(request: ControlRequest, operation: string): Promise<ControlReply> {
    assert(request.kind !== 'submit-run', 'a run is submitted by a request of its own');
    const answer = await this.#ask('board/control', { request, operation });
    return decodeReply<ControlReply>(answer, 'accepted', 'refused');
  }

  async claim(call: ClaimCall): Promise<ClaimReply> {
    this.#present.set(call.worker.id, call.worker);
    return decodeClaimReply(await this.#ask('board/claim', call));
  }

  async say(request: SayCall, operation: string): Promise<HolderReply> {
    return decodeHolderReply(await this.#ask('board/say', { request, operation }));
  }

  async own(request: OwnRequest, operation: string): Promise<OwnReply> {
    return decodeOwnReply(await this.#ask('board/own', { request, operation }));
  }

  async hook(request: UncheckedHook): Promise<HookReply> {
    return decodeHookReply(await this.#ask('board/hook', request));
  }

  async free(id: string): Promise<void> {
    await this.#ask('board/free', { id });
  }

  async askRelease(request: ReleaseRequest, operation: string): Promise<ReleaseReply> {
    const answer = await this.#ask('board/ask-release', { request, operation });
    return decodeReply<ReleaseReply>(answer, 'accepted', 'refused');
  }

  async greet(worker: Worker): Promise<void> {
    this.#present.set(worker.id, worker);
    await this.#ask('board/greet', { worker });
  }

  async leave(worker: WorkerId, agent?: AgentEnd): Promise<void> {
    this.#present.delete(worker);
    await this.#ask('board/leave', { worker, ...(agent !== undefined && { agent }) });
  }

  async told(worker: WorkerId, terms: readonly number[]): Promise<void> {
    await this.#ask('board/told', { worker, terms });
  }

  async #ask<M extends Method>(method: M, params: Params<M>): Promise<unknown> {
    try {
      return await this.#connection.request(method, params);
    } catch (error) {
      throw errorFromPeer(error);
    }
  }
}
