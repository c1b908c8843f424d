import type { WorkerId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { BoardEvent } from '../scheduler/model/board-event.ts';
import type { Claim } from '../scheduler/model/run-model.ts';
import { isAgent } from '../scheduler/model/workers.ts';
import { answerHolder, type Saying } from '../scheduler/requests/settle.ts';
import type { BoardWriter } from './board-writer.ts';
import type { Tell } from './commands.ts';

/**
 * When each agent that holds a task last showed that it works: by a request of its own, a call of its
 * hook, or a change of a file that the task writes. A renewal that its server sends by itself shows
 * nothing. An agent that shows nothing for `stuck_after` needs attention, until it does again.
 *
 * This is remembered by the process that decides. The next one gives each agent the whole time again.
 */
export class SignsOfLife {
  readonly #writer: BoardWriter;
  readonly #tell: Tell;
  readonly #lastAt = new Map<number, Instant>();

  constructor(parts: { readonly writer: BoardWriter; readonly tell: Tell }) {
    this.#writer = parts.writer;
    this.#tell = parts.tell;
  }

  /** The worker has asked for something. */
  heardFrom(worker: WorkerId): void {
    for (const claim of this.#listened()) if (claim.holder.worker === worker) this.#note(claim);
  }

  /** Something has happened that the holder of this term must have done. */
  heardOf(term: number): void {
    for (const claim of this.#listened()) if (claim.holder.term === term) this.#note(claim);
  }

  /** Whether anything would be noted. */
  get isListening(): boolean {
    for (const _ of this.#listened()) return true;
    return false;
  }

  /** Flags those that have shown nothing for too long. */
  look(now: Instant): void {
    const silent = new Map(this.#lastAt);
    for (const claim of this.#listened()) {
      const { term } = claim.holder;
      silent.delete(term);
      const lastAt = this.#lastAt.get(term);
      if (lastAt === undefined) this.#lastAt.set(term, now);
      else if (now - lastAt >= stuckAfter(claim)! && claim.entry.state.kind === 'running')
        this.#say(claim, { kind: 'stuck' });
    }
    for (const term of silent.keys()) this.#lastAt.delete(term);
  }

  *#listened(): Generator<Claim, void> {
    for (const claim of this.#writer.board.claims.pulled)
      if (isAgent(claim.holder.worker) && stuckAfter(claim) !== undefined) yield claim;
  }

  #note(claim: Claim): void {
    this.#lastAt.set(claim.holder.term, this.#writer.now());
    if (claim.entry.state.kind === 'attention')
      this.#tell(() => {
        this.#say(claim, { kind: 'progressed' });
        return undefined;
      }, false);
  }

  /** What the agent does not say of itself. */
  #say({ entry, holder: { term, worker } }: Claim, says: Saying): void {
    const which = { run: entry.run.manifest.id, task: entry.id, term };
    const by = { kind: 'worker', worker } as const;
    const answer = answerHolder(this.#writer.board, { ...which, by, says }, this.#writer.now());
    if (answer.kind !== 'accepted' || answer.events.length === 0) return;
    const events: readonly BoardEvent[] = answer.events;
    this.#writer.settle({ ...which, events });
  }
}

/** Undefined: it may be silent for as long as it likes. */
function stuckAfter({ entry }: Claim): number | undefined {
  return entry.asks.stuckAfterMs;
}
