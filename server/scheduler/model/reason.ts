import type { TaskId, WorkerId } from '../../domain/ids.ts';
import type { LoadMode } from '../../domain/failure/load.ts';
import type { AttentionCause } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Collision, OwnerName } from './ownership.ts';

/**
 * One thing that keeps a task from starting, with the names and numbers that would clear it, and the
 * time at which it clears by itself where that is known.
 */
export type Reason =
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'paused'; readonly because: PauseCause }
  /** Whoever could take it is given nothing new. */
  | { readonly kind: 'paused'; readonly because: 'drained'; readonly worker: WorkerId }
  | { readonly kind: 'attention'; readonly why: AttentionCause; readonly since: Instant }
  | ({ readonly kind: 'unsatisfiable' } & Impossibility)
  | {
      readonly kind: 'dependencies';
      readonly waitsFor: readonly TaskId[];
      /** Those of them whose run nobody carries on. */
      readonly interrupted?: readonly TaskId[];
    }
  | { readonly kind: 'backoff'; readonly until: Instant; readonly tries: number }
  | { readonly kind: 'parallel'; readonly limit: number; readonly host?: string }
  | {
      readonly kind: 'capability';
      /** `window`: none of an editor is here, and only there a terminal can be opened. */
      readonly because: 'needs' | 'role' | 'folder' | 'nobody' | 'window';
      readonly missing: readonly string[];
      /** Whoever lacks it: a worker, a host; nobody in particular where nobody has it. */
      readonly who?: string;
    }
  | {
      readonly kind: 'host';
      readonly host: string;
      readonly because: 'unreachable' | 'failing';
      readonly until?: Instant;
    }
  | {
      readonly kind: 'cooldown';
      readonly agent: string;
      readonly because: 'rate-limit' | 'failing';
      readonly until: Instant;
    }
  | {
      readonly kind: 'hazard';
      readonly owner: OwnerName;
      readonly worker: WorkerId;
      readonly overlap: Collision['kind'];
      readonly rule: Collision['rule'];
      readonly example?: string;
      readonly until?: Instant;
      /** The holder is of a lower class than the task that waits for it. */
      readonly isInverted: boolean;
    }
  | {
      readonly kind: 'resources';
      readonly name: string;
      readonly asked: number;
      readonly used: number;
      readonly limit: number;
      /** The tasks that use it now. */
      readonly holders: readonly TaskId[];
      /** Where lost attempts are that may use it still. */
      readonly lostAt: readonly string[];
      readonly isInverted: boolean;
    }
  | { readonly kind: 'outranked'; readonly by: OutrankedBy };

export type PauseCause =
  | 'shutting-down'
  | 'board'
  | 'interrupted'
  | 'stop-requested'
  | 'failure'
  | 'task';

export type Impossibility =
  | { readonly because: 'missing'; readonly task: TaskId }
  | { readonly because: 'cycle'; readonly tasks: readonly TaskId[] }
  | {
      readonly because: 'too-much';
      readonly name: string;
      readonly asked: number;
      readonly limit: number;
    }
  | { readonly because: 'no-such-limit'; readonly name: string }
  /** None of those it may run on. */
  | { readonly because: 'no-such-host'; readonly hosts: readonly string[] }
  | { readonly because: 'no-such-agent'; readonly agent: string }
  /** No place where it may run has what it needs, nor has its agent. */
  | { readonly because: 'no-place'; readonly needs: readonly string[] };

export type OutrankedBy =
  | { readonly kind: 'task'; readonly task: TaskId; readonly startsAt: Instant }
  | { readonly kind: 'load'; readonly mode: LoadMode }
  /** An agent that has waited longer was woken for this task, and has until then to claim it. */
  | {
      readonly kind: 'waiter';
      readonly worker: WorkerId;
      readonly task: TaskId;
      readonly until: Instant;
    };
