import type { PeerRole } from '../coordinator/hello.ts';
import type { BoardCalls, ClaimCall, SayCall, UncheckedHook } from '../engine/board-calls.ts';
import { encodeClaimReply, encodeOwnReply } from './answers.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { RunRequest } from '../engine/run-request.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import type { ReleaseRequest } from '../scheduler/requests/ask-release.ts';
import type { AgentEnd } from '../scheduler/requests/leave.ts';
import type { OwnRequest } from '../scheduler/requests/own.ts';
import {
  agentEnd,
  claimCall,
  controlRequest,
  hookRequest,
  operation,
  ownRequest,
  releaseRequest,
  type RemoteControlRequest,
  sayRequest,
  wholeNumber,
  worker,
  workerId,
} from './request-shapes.ts';
import type { DecidingRank } from './links.ts';
import { list, object, word } from './shape.ts';
import { name, runRequest } from './task-shapes.ts';

/** Asks to be told of the ledger. It is the connection's own affair, and no call of the board. */
export const SUBSCRIBE = 'board/subscribe';

/** A newer build asks to decide in our place. It is the affair of the processes, and no call of the board. */
export const YIELD = 'board/yield';

/** Notifications to peers. */
export const LEDGER = 'board/ledger';
export const WAKE = 'board/wake';
export const HALT = 'board/halt';

/** The requests of the board by their names, with what each brings along. */
export type BoardRequest =
  | { readonly method: 'board/submit'; readonly params: RunRequest }
  | {
      readonly method: 'board/submit-together';
      readonly params: { readonly requests: readonly RunRequest[] };
    }
  | { readonly method: 'board/control'; readonly params: Operation<RemoteControlRequest> }
  | { readonly method: 'board/claim'; readonly params: ClaimCall }
  | { readonly method: 'board/say'; readonly params: Operation<SayCall> }
  | { readonly method: 'board/own'; readonly params: Operation<OwnRequest> }
  | { readonly method: 'board/hook'; readonly params: UncheckedHook }
  | { readonly method: 'board/free'; readonly params: { readonly id: string } }
  | { readonly method: 'board/ask-release'; readonly params: Operation<ReleaseRequest> }
  | { readonly method: 'board/greet'; readonly params: { readonly worker: Worker } }
  | {
      readonly method: 'board/leave';
      readonly params: { readonly worker: WorkerId; readonly agent?: AgentEnd };
    }
  | {
      readonly method: 'board/told';
      readonly params: { readonly worker: WorkerId; readonly terms: readonly number[] };
    };

interface Operation<T> {
  readonly request: T;
  readonly operation: string;
}

export type Method = BoardRequest['method'];
export type Params<M extends Method> = Extract<BoardRequest, { readonly method: M }>['params'];

/** As many as plans that a folder may well have. */
const PARTS = 20_000;
/** More than a board remembers of lost claims. */
const TERMS = 1000;

const submitTogether = object({ requests: list(runRequest, PARTS) });
const control = object({ request: controlRequest, operation });
const say = object({ request: sayRequest, operation });
const own = object({ request: ownRequest, operation });
const free = object({ id: name });
const askRelease = object({ request: releaseRequest, operation });
const greet = object({ worker });
const leave = object({ worker: workerId }, { agent: agentEnd });
const told = object({ worker: workerId, terms: list(wholeNumber, TERMS) });
const yieldRequest = object({}, { rank: word('first', 'normal', 'last') });
const subscription = object({ after: wholeNumber });

/** What of a worker concerns its own work. */
const OF_WORKERS: ReadonlySet<string> = new Set<Method | typeof SUBSCRIBE>([
  'board/claim',
  'board/say',
  'board/own',
  'board/hook',
  'board/free',
  'board/ask-release',
  'board/greet',
  'board/leave',
  'board/told',
  SUBSCRIBE,
]);

export function mayAsk(role: PeerRole, method: string): boolean {
  switch (role) {
    case 'window':
      return true;
    case 'worker':
      return OF_WORKERS.has(method);
    case 'observer':
      return method === SUBSCRIBE;
    default:
      return role satisfies never;
  }
}

/** Reads what came with a request, or throws a `ShapeError`; nothing where there is no such request. */
export function parseRequest(method: string, params: unknown): BoardRequest | undefined {
  const at = 'params';
  switch (method) {
    case 'board/submit':
      return { method, params: runRequest(params, at) };
    case 'board/submit-together':
      return { method, params: submitTogether(params, at) };
    case 'board/control':
      return { method, params: control(params, at) };
    case 'board/claim':
      return { method, params: claimCall(params, at) };
    case 'board/say':
      return { method, params: say(params, at) };
    case 'board/own':
      return { method, params: own(params, at) };
    case 'board/hook':
      return { method, params: hookRequest(params, at) };
    case 'board/free':
      return { method, params: free(params, at) };
    case 'board/ask-release':
      return { method, params: askRelease(params, at) };
    case 'board/greet':
      return { method, params: greet(params, at) };
    case 'board/leave':
      return { method, params: leave(params, at) };
    case 'board/told':
      return { method, params: told(params, at) };
    default:
      return undefined;
  }
}

/** Everything that has happened since a place in the ledger is wanted. */
export function parseSubscription(params: unknown): { readonly after: number } {
  return subscription(params, 'params');
}

/** An earlier build says nothing of how much it wants to decide. */
export function parseYield(params: unknown): DecidingRank {
  return yieldRequest(params, 'params').rank ?? 'normal';
}

/** Asks the board, in the same tick, and puts its answer as it is sent. */
export async function perform(
  calls: BoardCalls,
  { method, params }: BoardRequest,
): Promise<unknown> {
  switch (method) {
    case 'board/submit':
      return await calls.submit(params);
    case 'board/submit-together':
      return { results: await calls.submitTogether(params.requests) };
    case 'board/control':
      return await calls.control(params.request, params.operation);
    case 'board/claim':
      return encodeClaimReply(await calls.claim(params));
    case 'board/say':
      return await calls.say(params.request, params.operation);
    case 'board/own':
      return encodeOwnReply(await calls.own(params.request, params.operation));
    case 'board/hook':
      return await calls.hook(params);
    case 'board/free':
      return await calls.free(params.id);
    case 'board/ask-release':
      return await calls.askRelease(params.request, params.operation);
    case 'board/greet':
      return await calls.greet(params.worker);
    case 'board/leave':
      return await calls.leave(params.worker, params.agent);
    case 'board/told':
      return await calls.told(params.worker, params.terms);
    default:
      return method satisfies never;
  }
}
