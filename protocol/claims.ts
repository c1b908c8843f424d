import type { TaskKey } from './tasks.ts';

/** Client to server: what the person before this window could claim now. No parameters. Answer: `ClaimableTask[]`. */
export const LIST_CLAIMABLE = 'claims/list';

/** Client to server, when the person takes a task: `TaskKey` to `ClaimReply`. */
export const CLAIM_TASK = 'claims/claim';

/** Client to server, when the person says how a task has ended that they have: `EndClaim` to `EndClaimReply`. */
export const END_CLAIM = 'claims/end';

/** A task that people may claim, and nobody has. */
export interface ClaimableTask extends TaskKey {
  readonly title: string;
  /** Nobody but a person does it. */
  readonly isForPeople: boolean;
  /** It is part of no run yet: claiming it asks for it, and for what it needs. */
  readonly isNew: boolean;
  /** What is in its way now, as a clause; empty where it can be had at once. */
  readonly waits: string;
}

export type ClaimReply =
  | {
      readonly kind: 'claimed';
      /** The end of its lease, unless it is renewed; absent: until it is released. */
      readonly expiresAt?: number;
      readonly writes: readonly string[];
    }
  /** `message` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

export interface EndClaim extends TaskKey {
  readonly how: 'release' | 'complete' | 'fail';
  /** Of one that has failed: why. */
  readonly message?: string;
}

export interface EndClaimReply {
  /** Why nothing has changed, as a sentence for the user; absent when it has. */
  readonly refusal?: string;
}
