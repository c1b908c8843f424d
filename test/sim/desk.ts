import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import { laterBy } from '../../server/domain/time.ts';
import type {
  ClaimCall,
  ClaimReply,
  HolderReply,
  SayCall,
} from '../../server/engine/board-calls.ts';
import type { Grant } from '../../server/engine/store-port.ts';
import type { AgentEnd } from '../../server/scheduler/requests/leave.ts';
import type { OwnRequest } from '../../server/scheduler/requests/own.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import type { Coordinator } from './coordinator.ts';
import type { Ledger } from './ledger.ts';
import { nameOf, type Physical } from './physical.ts';
import type { Shadow } from './shadow.ts';
import type { World } from './world.ts';

/** How long a hook takes a file for. */
const HOOK_MS = 300_000;

/** `again`: nobody could answer now. */
export type Reply = HolderReply | 'again';

interface Parts {
  readonly world: World;
  readonly coordinator: Coordinator;
  readonly ledger: Ledger;
  readonly physical: Physical;
  readonly shadow: Shadow;
}

/** What agents and people can say to the coordinator, over a connection that may lose it. */
export class Desk {
  readonly #parts: Parts;
  /** What was given to whom, by the operation. */
  readonly #terms = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  claim(call: ClaimCall, reply: (grant: Grant | undefined) => void): void {
    let wasApplied = false;
    this.#ask(
      (calls) => {
        wasApplied = this.#parts.ledger.isApplied(call.operation);
        return calls.claim(call);
      },
      (answer: ClaimReply | 'again') => {
        if (answer === 'again') return;
        const grant = answer.kind === 'granted' ? answer.grant : undefined;
        if (grant !== undefined) this.#checkGrant(grant);
        this.#checkSame(call.operation, { grant, wasApplied });
        this.#parts.world.send(() => reply(grant));
      },
    );
  }

  /** The same operation counts once, however often it is sent. */
  say(request: SayCall, operation: string, reply: (answer: Reply) => void): void {
    this.#ask(
      (calls) => calls.say(request, operation),
      (answer: Reply) => {
        if (answer !== 'again' && answer.kind === 'accepted')
          this.#checkAccepted(request, { operation, answer });
        this.#parts.world.send(() => reply(answer));
      },
    );
  }

  seen(worker: Worker): void {
    this.#ask(
      (calls) => calls.greet(worker),
      () => {},
    );
  }

  left(worker: WorkerId, agent?: AgentEnd): void {
    this.#ask(
      (calls) => calls.leave(worker, agent),
      () => {},
    );
  }

  /** As a hook takes files: for a while, and gives none back. */
  own(request: Omit<OwnRequest, 'until'>, operation: string): void {
    const { coordinator } = this.#parts;
    this.#ask(
      (calls) => calls.own({ ...request, until: laterBy(coordinator.now(), HOOK_MS) }, operation),
      () => {},
    );
  }

  /** It knows what it has lost, as far as anybody has said so. */
  told(worker: WorkerId, term: number): void {
    this.#ask(
      (calls) => calls.told(worker, [term]),
      () => {},
    );
  }

  wrote(which: { run: RunId; task: TaskId; term: number }, path: string): void {
    const { world, coordinator } = this.#parts;
    world.send(() =>
      coordinator.receive(() => {
        const { board } = coordinator;
        const isHeld = board.find(which.run, which.task)?.claim?.holder.term === which.term;
        if (!isHeld && !board.owners.leftovers.has(which.term)) return;
        coordinator.record([{ kind: 'undeclaredWritten', at: coordinator.now(), ...which, path }]);
      }),
    );
  }

  /** It is in the working tree, for whoever looks. */
  saw(path: string): void {
    const { world, coordinator } = this.#parts;
    world.send(() => coordinator.reach(({ watch }) => watch.wrote(path, coordinator.now())));
  }

  #ask<Answer>(
    request: Parameters<typeof Coordinator.prototype.ask<Answer>>[0],
    reply: (answer: Answer | 'again') => void,
  ): void {
    const { world, coordinator } = this.#parts;
    world.send(() => coordinator.ask(request, reply));
  }

  /** Whoever is given a task has it on the disk. */
  #checkGrant({ run, task, term }: Grant): void {
    const { world, physical } = this.#parts;
    const isWritten = physical.claimed.get(term) === nameOf({ run, task });
    world.checks.holds('answered', isWritten, () => `term ${term} is given, and nobody knows`);
  }

  /** Whoever asks again is given the same again. */
  #checkSame(
    operation: string,
    { grant, wasApplied }: { grant: Grant | undefined; wasApplied: boolean },
  ): void {
    const { world, ledger } = this.#parts;
    const before = this.#terms.get(operation);
    const isSame = before === undefined || grant?.term === before;
    const isForgotten = grant === undefined && wasApplied;
    const why = (): string => `${operation} is answered with term ${grant?.term}`;
    world.checks.holds('I12', isSame && !isForgotten, why);
    if (grant === undefined) return;
    world.checks.holds('I12', ledger.isApplied(operation), () => `${operation} is forgotten`);
    this.#terms.set(operation, grant.term);
  }

  #checkAccepted(
    { run, task, term, by, says }: SayCall,
    { operation, answer }: { operation: string; answer: { readonly remainingMs?: number } },
  ): void {
    const { world, ledger, shadow } = this.#parts;
    const { checks } = world;
    const claimed = this.#parts.physical.claimedBy.get(term);
    const isHolder = by.kind === 'worker' && claimed === personOf(by.worker);
    checks.holds('who', isHolder, () => `term ${term} is that of ${claimed}, not ${by.kind}`);
    if (says.kind !== 'renew') {
      checks.holds('answered', ledger.isApplied(operation), () => `${operation} is not written`);
      return;
    }
    const { remainingMs } = answer;
    const holder = shadow.facts.find(run, task)?.holder;
    if (remainingMs === undefined || holder?.term !== term) return;
    // The connection was closed after this renewal in the same turn, which shortened the lease again.
    if (holder.left !== undefined) return;
    const leftMs = (holder.expiresAt ?? Infinity) - shadow.seenAt;
    checks.holds('answered', remainingMs <= leftMs, () => `${remainingMs} ms are not ${leftMs}`);
  }
}

/** A person's windows are the person. */
function personOf(worker: WorkerId): string {
  return worker.replace(/:window-.*$/, '');
}
