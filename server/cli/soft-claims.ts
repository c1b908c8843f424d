import { exactPattern } from '../domain/paths/exact-pattern.ts';
import { exactPath } from '../domain/paths/path-set.ts';
import { overlap } from '../domain/paths/overlap.ts';
import type { WorkerId } from '../domain/ids.ts';
import { treeOf } from '../domain/run.ts';
import { laterBy } from '../domain/time.ts';
import type { BoardUse } from './open-board.ts';

/** The files that one session of an agent is at work on; each is its own for a while. */
export class SoftClaims {
  readonly worker: WorkerId;
  readonly #use: Pick<BoardUse, 'args' | 'world' | 'open'>;
  readonly #session: string;

  constructor(
    use: Pick<BoardUse, 'args' | 'world' | 'open'>,
    { worker, session }: { readonly worker: WorkerId; readonly session: string },
  ) {
    this.#use = use;
    this.worker = worker;
    this.#session = session;
  }

  /** From the top of the working tree. What its own task has needs no claim. */
  async take(path: string, durationMs: number): Promise<'taken' | 'needless' | 'held'> {
    const { world, open } = this.#use;
    const { keeper, clock } = open;
    const pattern = exactPattern(path);
    if (pattern === undefined || this.#isOfOwnTask(path)) return 'needless';
    const request = {
      id: `${this.#start}${world.hash(`${this.#tree}\n${path}`).slice(0, 16)}`,
      worker: this.worker,
      tree: this.#tree,
      reads: [],
      writes: [pattern],
      isUnsaved: false,
      until: laterBy(keeper.board.timeAt(clock.now()), durationMs),
    };
    const reply = await keeper.calls.own(request, world.ids.operation());
    return reply.kind === 'held' ? 'held' : 'taken';
  }

  /** Nothing more comes from it for now. */
  async freeAll(): Promise<void> {
    const { keeper } = this.#use.open;
    const ids = [...keeper.board.owners.people.keys()].filter((id) => id.startsWith(this.#start));
    for (const id of ids) await keeper.calls.free(id);
  }

  get #start(): string {
    return `hook/${this.#session}/`;
  }

  get #tree(): string {
    const { args, world } = this.#use;
    return treeOf({ root: args.folder, folder: world.folderInTree(args.folder) });
  }

  #isOfOwnTask(path: string): boolean {
    const { claims, owners } = this.#use.open.keeper.board;
    const file = exactPath(path);
    return [...claims.pulled].some(
      ({ holder, entry, owner }) =>
        holder.worker === this.worker &&
        owner?.tree === this.#tree &&
        overlap(entry.paths.writes, file, owners.rules).kind !== 'disjoint',
    );
  }
}
