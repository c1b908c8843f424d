import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { ReleaseAsk } from '../scheduler/model/ownership.ts';
import type { Reason } from '../scheduler/model/reason.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import type { ReleaseAnswer, ReleaseRequest } from '../scheduler/requests/ask-release.ts';
import type { ClaimAnswer } from '../scheduler/requests/claim.ts';
import type { ControlAnswer, ControlRequest } from '../scheduler/requests/control.ts';
import type { AgentEnd } from '../scheduler/requests/leave.ts';
import type { OwnAnswer, OwnRequest } from '../scheduler/requests/own.ts';
import type { HookReply, HookRequest } from '../scheduler/requests/hook.ts';
import type { HolderRequest, Speaker } from '../scheduler/requests/settle.ts';
import type { AttemptProofs } from './ports.ts';
import type { Grant } from './store-port.ts';
import type { PartResult, RunRequest, SubmitResult } from './run-request.ts';

/**
 * Everything that can be asked of a board, whoever decides for it: this process or another. Each
 * request that changes something has an operation id; sent again, it changes nothing again.
 */
export interface BoardCalls {
  submit(request: RunRequest): Promise<SubmitResult>;
  /**
   * Runs of which tasks wait for each other's, all or none of it written; answered in the same order.
   * Each has an id of its own, so that one that is on the board already is not begun again.
   */
  submitTogether(requests: readonly RunRequest[]): Promise<readonly PartResult[]>;
  control(request: ControlRequest, operation: string): Promise<ControlReply>;
  claim(request: ClaimCall): Promise<ClaimReply>;
  say(request: SayCall, operation: string): Promise<HolderReply>;
  own(request: OwnRequest, operation: string): Promise<OwnReply>;
  /** What the hook of an agent tells: said again, it takes nothing more and frees nothing more. */
  hook(request: UncheckedHook): Promise<HookReply>;
  /** Lets go of paths that were taken under this id. */
  free(id: string): Promise<void>;
  /** Asks whoever has a file for it. */
  askRelease(request: ReleaseRequest, operation: string): Promise<ReleaseReply>;
  /** A worker is there, and idle or not; or it has left. */
  greet(worker: Worker): Promise<void>;
  leave(worker: WorkerId, agent?: AgentEnd): Promise<void>;
  /** A worker has been told that it lost these claims: it may write their paths like any other worker. */
  told(worker: WorkerId, terms: readonly number[]): Promise<void>;
}

export type ControlReply =
  | { readonly kind: 'accepted' }
  | Extract<ControlAnswer, { readonly kind: 'refused' }>;

export interface ClaimCall {
  readonly worker: Worker;
  readonly task?: { readonly run: RunId; readonly task: TaskId };
  /** See `ClaimRequest`. */
  readonly except?: readonly { readonly run: RunId; readonly task: TaskId }[];
  readonly leaseMs?: number;
  readonly operation: string;
}

export type ClaimReply =
  | { readonly kind: 'granted'; readonly grant: Grant }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] }
  | Exclude<ClaimAnswer, { readonly kind: 'claim' | 'own' | 'blocked' }>;

/** A `HolderRequest` of somebody whose word for who they are was not checked yet. */
export type SayCall = Omit<HolderRequest, 'by'> & { readonly by: UncheckedSpeaker };

export type UncheckedSpeaker =
  | Extract<Speaker, { readonly kind: 'worker' }>
  /** The proof is that of `AttemptProofs`. */
  | { readonly kind: 'command'; readonly proof?: string };

/** A `HookRequest` of an agent whose word for which task started it was not checked yet. */
export type UncheckedHook = Omit<HookRequest, 'inside'> & {
  readonly inside?: NonNullable<HookRequest['inside']> & {
    readonly term?: number;
    readonly proof?: string;
  };
};

/** Undefined: it is not the command of that attempt. */
export function checkedSpeaker(
  { run, task, term, by }: Pick<SayCall, 'run' | 'task' | 'term' | 'by'>,
  proofs: Pick<AttemptProofs, 'isOf'> | undefined,
): Speaker | undefined {
  if (by.kind === 'worker') return by;
  const isProven = by.proof !== undefined && proofs?.isOf({ run, task, term }, by.proof) === true;
  return isProven ? { kind: 'command' } : undefined;
}

/** An agent that only says that a task started it is like any other. */
export function checkedHook(
  { inside, ...request }: UncheckedHook,
  proofs: Pick<AttemptProofs, 'isOf'> | undefined,
): HookRequest {
  if (inside === undefined) return request;
  const { run, task, term, proof } = inside;
  const isProven =
    term !== undefined && proof !== undefined && proofs?.isOf({ run, task, term }, proof) === true;
  return isProven ? { ...request, inside: { run, task } } : request;
}

export type HolderReply =
  | {
      readonly kind: 'accepted';
      /** For how long it has the task now; absent: until it lets go. */
      readonly remainingMs?: number;
      /** Who would like to have a file that it has; absent: nobody. */
      readonly asked?: readonly ReleaseAsk[];
      /** It is recorded, and counts when the command has ended. */
      readonly isAnnounced?: true;
    }
  /** Somebody else holds the task under this term, or a command has not proven that it is the one. */
  | { readonly kind: 'not-holder'; readonly holder: WorkerId }
  | { readonly kind: 'stale'; readonly currentTerm: number | undefined };

export type ReleaseReply =
  | { readonly kind: 'accepted' }
  | Extract<ReleaseAnswer, { readonly kind: 'refused' }>;

export type OwnReply =
  | Omit<Extract<OwnAnswer, { readonly kind: 'accepted' }>, 'event'>
  | Exclude<OwnAnswer, { readonly kind: 'accepted' }>;
