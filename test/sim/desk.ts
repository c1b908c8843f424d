import type { RunId, TaskId, WorkerId } from '../../server/domain/ids.ts';
import { boardEventOf, keyOf } from '../../server/scheduler/decision.ts';
import { answerClaim, type ClaimRequest } from '../../server/scheduler/requests/claim.ts';
import { answerHolder, type HolderRequest } from '../../server/scheduler/requests/settle.ts';
import type { Worker } from '../../server/scheduler/model/workers.ts';
import type { Coordinator } from './coordinator.ts';
import type { Grant, Ledger } from './ledger.ts';
import type { World } from './world.ts';

/** `again`: nobody could answer now. */
export type Reply = 'accepted' | 'stale' | 'again';

/** What agents and people can say to the coordinator, over a connection that may lose it. */
export class Desk {
  readonly #world: World;
  readonly #coordinator: Coordinator;
  readonly #ledger: Ledger;
  /** Requests that were settled once: whoever repeats one changes nothing. */
  readonly #settled = new Set<string>();

  constructor(facts: { world: World; coordinator: Coordinator; ledger: Ledger }) {
    this.#world = facts.world;
    this.#coordinator = facts.coordinator;
    this.#ledger = facts.ledger;
  }

  claim(request: ClaimRequest, key: string, reply: (grant: Grant | undefined) => void): void {
    this.#world.send(() =>
      this.#coordinator.receive(() => {
        const grant = this.#ledger.grants.get(key) ?? this.#grant(request, key);
        if (this.#coordinator.isUp) this.#world.send(() => reply(grant));
      }),
    );
  }

  say(request: HolderRequest, reply: (answer: Reply) => void): void {
    this.#world.send(() =>
      this.#coordinator.receive(() => {
        const answer = this.#settle(request);
        if (this.#coordinator.isUp) this.#world.send(() => reply(answer));
      }),
    );
  }

  seen(worker: Worker): void {
    this.#world.send(() =>
      this.#coordinator.receive(() => {
        this.#coordinator.record([{ kind: 'workerSeen', at: this.#coordinator.now(), worker }]);
      }),
    );
  }

  left(worker: WorkerId): void {
    this.#world.send(() =>
      this.#coordinator.receive(() => {
        this.#coordinator.record([{ kind: 'workerLeft', at: this.#coordinator.now(), worker }]);
      }),
    );
  }

  wrote(which: { run: RunId; task: TaskId; term: number }, path: string): void {
    this.#world.send(() =>
      this.#coordinator.receive(() => {
        const claim = this.#coordinator.board.find(which.run, which.task)?.claim;
        if (claim?.holder.term !== which.term) return;
        const at = this.#coordinator.now();
        this.#coordinator.record([{ kind: 'undeclaredWritten', at, ...which, path }]);
      }),
    );
  }

  #grant(request: ClaimRequest, key: string): Grant | undefined {
    const { board } = this.#coordinator;
    const now = this.#coordinator.now();
    const answer = answerClaim(board, request, now);
    if (answer.kind === 'own') {
      const { run, task } = answer;
      const leaseMs = board.find(run, task)?.claim?.holder.leaseMs;
      return { run, task, term: answer.term, leaseMs };
    }
    if (answer.kind !== 'claim') return undefined;
    const { decision } = answer;
    const { run, task } = decision;
    let term = 0;
    const mintTerm = (): number => {
      term = this.#ledger.mintTerm();
      return term;
    };
    const event = boardEventOf(decision, board.find(run, task)?.state, { now, mintTerm });
    this.#world.checks.holds('I1', event !== undefined, () => `${run}/${task} is not to be had`);
    if (event === undefined || decision.kind !== 'claim') return undefined;
    const leaseMs = decision.expiresAt === undefined ? undefined : decision.expiresAt - now;
    const grant = { run, task, term, leaseMs };
    const also = { key: keyOf(decision), grant: { request: key, grant } };
    return this.#coordinator.record([event], also) ? grant : undefined;
  }

  #settle(request: HolderRequest): Reply {
    const answer = answerHolder(this.#coordinator.board, request, this.#coordinator.now());
    const key = `${request.term} ${request.says.kind}`;
    const changes = answer.kind === 'accepted' && answer.events.length > 0;
    const isRenewal = request.says.kind === 'renew' || request.says.kind === 'stuck';
    this.#world.checks.holds(
      'I12',
      isRenewal || !changes || !this.#settled.has(key),
      () => `${key} counts twice`,
    );
    if (answer.kind === 'stale') return 'stale';
    if (!this.#coordinator.record(answer.events)) return 'again';
    if (changes) this.#settled.add(key);
    return 'accepted';
  }
}
