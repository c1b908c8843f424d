import type { RunId, TaskId } from '../domain/ids.ts';
import { exactPattern } from '../domain/paths/exact-pattern.ts';
import { overlap } from '../domain/paths/overlap.ts';
import { exactPath, parsePathSet } from '../domain/paths/path-set.ts';
import { treeOf } from '../domain/run.ts';
import { isFinal } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import {
  claimOf,
  claimsOnFile,
  type FileClaim,
  isIgnored,
  keyOf,
} from '../scheduler/model/file-claim.ts';
import { attemptOf } from '../scheduler/model/owner-table.ts';
import type { Owner, TaskAttempt } from '../scheduler/model/ownership.ts';
import type { Lane, TaskEntry } from '../scheduler/model/run-model.ts';
import { isRunner, isSameWorker } from '../scheduler/model/workers.ts';
import { mayStart } from '../scheduler/predicate/may-start.ts';
import type { BoardWorld, OpenBoard } from './ports.ts';
import type { EditorWindow } from './window.ts';

export type { TaskAttempt };
export { type ClaimedTask, type FileClaim, holds } from '../scheduler/model/file-claim.ts';

/** Whoever writes a file or all of a folder; the person who looks may be the one. */
export interface PathClaim {
  readonly claim: FileClaim;
  readonly isOwn: boolean;
}

/** A task that would write a file and waits until a person lets it. */
export interface WaitingTask {
  readonly run: RunId;
  readonly id: TaskId;
  readonly path: string;
}

/** Nobody calls a file so: a pattern that has it has every file of its folder. */
const ANY_NAME = '%any%';

/** Nobody is asked about more tasks than that at a time. */
const LOOK_LIMIT = 1000;

export interface TreePlace {
  readonly root: string;
  /** Where `root` lies in its working tree. */
  readonly folder: string;
}

/** What one window sees of the files of a working tree, and does about them. */
export class FileClaims {
  readonly tree: string;
  readonly #open: OpenBoard;
  readonly #world: BoardWorld;
  readonly #window: EditorWindow;

  constructor(
    open: OpenBoard,
    parts: { readonly world: BoardWorld; readonly window: EditorWindow; readonly at: TreePlace },
  ) {
    this.tree = treeOf(parts.at);
    this.#open = open;
    this.#world = parts.world;
    this.#window = parts.window;
  }

  get now(): Instant {
    return this.#open.keeper.board.timeAt(this.#open.clock.now());
  }

  /** Who else writes the file, and who else reads it, in the order in which they came. */
  on(path: string): readonly FileClaim[] {
    const { tree, now } = this;
    const { person, worker } = this.#window;
    return claimsOnFile(this.#open.keeper.board, { path, tree, own: [person, worker], now });
  }

  /** Who writes a file, or whatever there may ever be in a folder; the person's own buffers are no news. */
  writing(path: string): readonly PathClaim[] {
    const { map } = this.#open.keeper.board.owners;
    const probes = [path, `${path}/${ANY_NAME}/${ANY_NAME}`];
    return this.#pathClaims(
      probes.flatMap((each) => map.ofFile(each, this.now).writers),
      path,
    );
  }

  /** Who writes something in a folder, if only a part of it. */
  writingBelow(folder: string): readonly PathClaim[] {
    const { map } = this.#open.keeper.board.owners;
    const pattern = exactPattern(folder);
    if (pattern === undefined) return [];
    return this.#pathClaims(map.writersBelow(parsePathSet([`${pattern}/**`]), this.now), folder);
  }

  #pathClaims(owners: readonly Owner[], path: string): readonly PathClaim[] {
    const found = new Map<string, PathClaim>();
    for (const owner of owners) {
      const isOwn = isSameWorker(this.#window.person, owner.worker);
      const isBuffer = owner.who.kind === 'person' && owner.who.isUnsaved;
      if (isOwn ? isBuffer : this.#isIgnored(owner)) continue;
      const claim = claimOf(this.#open.keeper.board, owner, {
        how: 'writes',
        path,
        tree: this.tree,
      });
      if (!found.has(claim.key)) found.set(claim.key, { claim, isOwn });
    }
    return [...found.values()];
  }

  /** The same, however much of it has been asked for. */
  find(path: string, key: string): FileClaim | undefined {
    return this.on(path).find((claim) => claim.key === key);
  }

  /** Answers whether anything of it is on the board: a file that no plan can name is not. */
  async own(
    path: string,
    {
      until,
      isSaved,
      lets,
    }: {
      readonly until: Instant;
      readonly isSaved: boolean;
      readonly lets: readonly TaskAttempt[];
    },
  ): Promise<boolean> {
    const pattern = exactPattern(path);
    if (pattern === undefined) return false;
    const { worker } = this.#window;
    const request = {
      id: this.idOf(path),
      worker,
      tree: this.tree,
      reads: [],
      writes: [pattern],
      isUnsaved: true,
      ...(isSaved && { isSaved }),
      ...(lets.length > 0 && { lets }),
      until,
    };
    const reply = await this.#open.keeper.calls.own(request, this.#world.ids.operation());
    return reply.kind === 'accepted';
  }

  async free(path: string): Promise<void> {
    await this.#open.keeper.calls.free(this.idOf(path));
  }

  /** Whether the board still says that this window has the file. */
  has(path: string): boolean {
    return this.#open.keeper.board.owners.people.has(this.idOf(path));
  }

  /** The attempt at a task that is under way or comes next; nothing where none will come. */
  attemptOf({ run, id }: Pick<WaitingTask, 'run' | 'id'>): TaskAttempt | undefined {
    const entry = this.#open.keeper.board.find(run, id);
    return entry === undefined || isFinal(entry.state) ? undefined : attemptOf(entry);
  }

  /** Whether a task waits to be started. */
  isPending({ run, id }: Pick<WaitingTask, 'run' | 'id'>): boolean {
    return this.#open.keeper.board.find(run, id)?.state.kind === 'pending';
  }

  /** Of a buffer of this window. */
  idOf(path: string): string {
    return `buffer/${this.#window.id}/${this.#world.hash(`${this.tree}\n${path}`).slice(0, 16)}`;
  }

  /** Answers whether there was anybody to ask. */
  async askRelease({ owner }: FileClaim, path: string): Promise<boolean> {
    const { calls } = this.#open.keeper;
    const request = { owner, worker: this.#window.worker, path };
    const reply = await calls.askRelease(request, this.#world.ids.operation());
    return reply.kind === 'accepted';
  }

  /**
   * Takes a file from whoever has it. A command is stopped and its task cancelled. From an agent or a
   * person the task is taken as if its lease had ended: it goes back to the queue. Of whoever has come
   * after them nothing is taken.
   */
  async takeOver({ key, owner, worker, mayBeTaken }: FileClaim): Promise<boolean> {
    if (!mayBeTaken) return false;
    const { keeper } = this.#open;
    const operation = this.#world.ids.operation();
    if (owner.kind === 'person') {
      await keeper.calls.free(owner.id);
      return true;
    }
    const { run, task } = owner;
    const term = keeper.board.find(run, task)?.claim?.holder.term;
    if (owner.kind === 'leftover' || term === undefined || keyOf(owner, term) !== key) return false;
    if (isRunner(worker)) {
      const request = { kind: 'cancel-task', run, task } as const;
      return (await keeper.calls.control(request, operation)).kind === 'accepted';
    }
    const request = { kind: 'take-task', run, task, term } as const;
    return (await keeper.calls.control(request, operation)).kind === 'accepted';
  }

  /** Tasks that nothing keeps from starting but buffers of this window, and whose plans say to ask. */
  waitingFor(paths: readonly string[]): readonly WaitingTask[] {
    const writers = paths.length === 0 ? [] : this.#readyWriters(paths);
    if (writers.length === 0) return [];
    const { keeper } = this.#open;
    const turn = keeper.outlook();
    const byId = new Map(paths.map((path) => [this.idOf(path), path]));
    const waiting: WaitingTask[] = [];
    for (const entry of writers) {
      const verdict = mayStart(turn, entry);
      if (verdict.kind === 'yes') continue;
      const met = verdict.reasons.map((reason) =>
        reason.kind === 'hazard' && reason.rule === 'ask' && reason.owner.kind === 'person'
          ? byId.get(reason.owner.id)
          : undefined,
      );
      for (const path of met.includes(undefined) ? [] : met)
        if (path !== undefined) waiting.push({ run: entry.run.manifest.id, id: entry.id, path });
    }
    return waiting;
  }

  /** Of those that are ready, the ones that would write one of the files. */
  #readyWriters(paths: readonly string[]): readonly TaskEntry[] {
    const { ready, owners } = this.#open.keeper.board;
    const files = paths.map(exactPath);
    const lanes = [...ready.pushLanes, ready.pullLanes].flatMap((each) => [...each]);
    const found: TaskEntry[] = [];
    let looked = 0;
    for (const entry of inLanes(lanes)) {
      looked += 1;
      if (looked > LOOK_LIMIT) break;
      const { writes } = entry.paths;
      if (files.some((file) => overlap(writes, file, owners.rules).kind !== 'disjoint'))
        found.push(entry);
    }
    return found;
  }

  #isIgnored(owner: Owner): boolean {
    const { person, worker } = this.#window;
    return isIgnored(owner, { tree: this.tree, own: [person, worker] });
  }
}

function* inLanes(lanes: readonly Lane[]): Generator<TaskEntry, void> {
  for (const { ready } of lanes) yield* ready.inOrder();
}

/** Whether a command of ours is at work, and nobody else. */
export function isCommand({ owner, worker }: FileClaim): boolean {
  return owner.kind !== 'person' && isRunner(worker);
}
