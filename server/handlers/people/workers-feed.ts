import type { TaskKey } from '../../../protocol/tasks.ts';
import {
  type BoardView,
  type Hold,
  type WorkerKey,
  WORKERS_CHANGED,
  type WorkersChanged,
  type WorkerView,
} from '../../../protocol/workers.ts';
import { DeciderNow } from '../../board/decider-now.ts';
import { takingMeans, type HeldThing } from '../../board/held-things.ts';
import type { OpenBoard } from '../../board/ports.ts';
import { HostsSeen, type SeenHost } from '../../board/hosts-seen.ts';
import { workersSeen } from '../../board/workers-seen.ts';
import { nowOn } from '../../board/writers-now.ts';
import type { WorkerId } from '../../domain/ids.ts';
import type { Folder } from '../folder.ts';
import type { PersonParts } from './person-parts.ts';

/** Changes that come within this time are told together. */
const BATCH_MS = 100;

/** Tells the client who is at work on the boards of its folders, and then only what has changed. */
export class WorkersFeed {
  readonly #parts: PersonParts;
  /** What was told last, as text. */
  readonly #told = new Map<string, { readonly key: WorkerKey; readonly text: string }>();
  readonly #decider = new DeciderNow();
  /** By the folder. */
  readonly #hosts = new Map<string, HostsSeen>();
  #toldBoards = '[]';
  #isDue = false;

  constructor(parts: PersonParts) {
    this.#parts = parts;
  }

  follow(): void {
    const { workspace, world } = this.#parts;
    workspace.onNews(() => this.#tellSoon());
    workspace.leaving.push(() => this.#tellSoon());
    world.machines(undefined).onChanged(() => this.#tellSoon());
  }

  #tellSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#parts.world.alarm.after(BATCH_MS, () => {
      this.#isDue = false;
      this.#tell();
    });
  }

  #tell(): void {
    const { connection, workspace } = this.#parts;
    const seen = workspace.folders.flatMap((folder) => {
      const open = folder.board.live;
      return open === undefined ? [] : [{ folder, open }];
    });
    const views = seen.flatMap(({ folder, open }) => this.#viewsOf(folder, open));
    const boards = seen.map(({ folder, open }) => this.#boardView(folder, open));
    const changed = views.filter((view) => this.#isNews(view));
    const keys = new Set(views.map(textOfKey));
    const removed = [...this.#told].flatMap(([key, told]) => (keys.has(key) ? [] : [told.key]));
    for (const key of removed) this.#told.delete(textOfKey(key));
    const boardsText = JSON.stringify(boards);
    const areBoardsSame = boardsText === this.#toldBoards;
    if (changed.length === 0 && removed.length === 0 && areBoardsSame) return;
    this.#toldBoards = boardsText;
    const now = Math.max(0, ...seen.map(({ open }) => nowOn(open)));
    const params: WorkersChanged = { now, changed, removed, boards };
    void connection.sendNotification(WORKERS_CHANGED, params);
  }

  #isNews(view: WorkerView): boolean {
    const { folderUri, id } = view;
    const text = JSON.stringify(view);
    if (this.#told.get(textOfKey(view))?.text === text) return false;
    this.#told.set(textOfKey(view), { key: { folderUri, id }, text });
    return true;
  }

  #viewsOf(folder: Folder, open: OpenBoard): readonly WorkerView[] {
    const { live, world } = this.#parts;
    const { person } = live.window;
    const { defaultParallel } = world;
    const { board } = open.keeper;
    const now = nowOn(open);
    const hosts = this.#hosts.get(folder.uri) ?? new HostsSeen();
    this.#hosts.set(folder.uri, hosts);
    const machines = world.machines(folder.board.root);
    return hosts
      .of(workersSeen({ board, now, person, defaultParallel }), { machines, now })
      .map((seen) => this.#viewOf(seen, { folder, person }));
  }

  #viewOf(
    { heardAt, holds, ...seen }: SeenHost,
    { folder, person }: { readonly folder: Folder; readonly person: WorkerId },
  ): WorkerView {
    return {
      folderUri: folder.uri,
      ...seen,
      ...(heardAt !== undefined && { heardAt }),
      holds: holds.map((held) => this.#holdOf(held, person)),
    };
  }

  #holdOf(held: HeldThing, person: WorkerId): Hold {
    const { key, what, name, title, writes, since, expiresAt } = held;
    const task = this.#taskOf(held);
    const means = takingMeans(held, person);
    return {
      key,
      what,
      name,
      title,
      writes,
      since,
      ...(task && { task }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(means !== undefined && { takingMeans: means }),
    };
  }

  #taskOf({ claim }: HeldThing): TaskKey | undefined {
    const of = this.#parts.workspace.folders.find(({ board }) => board.root === claim?.root);
    return claim && of && { folderUri: of.uri, plan: claim.plan, id: claim.task };
  }

  #boardView({ uri }: Folder, open: OpenBoard): BoardView {
    const { keeper } = open;
    const decider = this.#decider.of(open);
    return {
      folderUri: uri,
      ...(decider !== undefined && { decider }),
      isDecidingHere: keeper.isDeciding,
      isPaused: keeper.board.isPaused,
      load: keeper.board.mode,
    };
  }
}

function textOfKey({ folderUri, id }: WorkerKey): string {
  return `${folderUri}\n${id}`;
}
