import { type Instant, instant } from '../../server/domain/time.ts';
import type { Clock } from '../../server/engine/ports.ts';
import type {
  Inputs,
  TreeChange,
  TreeListener,
  TreeWatch,
  WatchedTree,
} from '../../server/engine/tree-watch.ts';

interface File {
  readonly bytes: string;
  readonly at: Instant;
}

/** Working trees in memory: what a test writes in them is told when somebody settles. */
export class HandTreeWatch implements TreeWatch {
  /** `watch /tree`, `drop /tree`. */
  readonly log: string[] = [];
  readonly #clock: Clock;
  readonly #files = new Map<string, File>();
  readonly #watching = new Set<HandTree>();
  readonly #ignored = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(tree: string, since: Instant, listener: TreeListener): WatchedTree {
    this.log.push(`watch ${tree}`);
    const watched = new HandTree(listener, () => {
      this.#watching.delete(watched);
      this.log.push(`drop ${tree}`);
    });
    this.#watching.add(watched);
    for (const [file, { bytes, at }] of this.#files)
      if (at >= since) watched.touched(this.#change(file, at), bytes);
      else watched.seen(file, bytes);
    return watched;
  }

  get watched(): number {
    return this.#watching.size;
  }

  ignore(folder: string): void {
    this.#ignored.add(folder);
  }

  write(file: string, bytes: string): void {
    const at = this.#clock.now();
    this.#files.set(file, { bytes, at });
    this.#tell(this.#change(file, at), bytes);
  }

  remove(file: string): void {
    this.#files.delete(file);
    this.#tell(this.#change(file, this.#clock.now()), undefined);
  }

  read(file: string): string | undefined {
    return this.#files.get(file)?.bytes;
  }

  /** What the engine has asked to be told by now, it is told. */
  async settle(): Promise<void> {
    await Promise.all([...this.#watching].map(async (watched) => watched.settle()));
  }

  #tell(change: TreeChange, bytes: string | undefined): void {
    const isIgnored = [...this.#ignored].some((folder) => change.path.startsWith(`${folder}/`));
    if (isIgnored || change.path.startsWith('.git/')) return;
    for (const watched of this.#watching) watched.touched(change, bytes);
  }

  #change(path: string, at: Instant): TreeChange {
    return { path, from: at, until: instant(at + 1), isSame: false };
  }
}

class HandTree implements WatchedTree {
  readonly #listener: TreeListener;
  readonly #drop: () => void;
  readonly #bytes = new Map<string, string | undefined>();
  readonly #inputs = new Map<string, Inputs>();
  #pending = new Map<string, TreeChange>();
  #isOver = false;

  constructor(listener: TreeListener, drop: () => void) {
    this.#listener = listener;
    this.#drop = drop;
  }

  seen(file: string, bytes: string): void {
    this.#bytes.set(file, bytes);
  }

  touched(change: TreeChange, bytes: string | undefined): void {
    const { path } = change;
    const isKnown = [...this.#inputs.values()].some((inputs) => inputs.has(path));
    const before = this.#pending.get(path)?.isSame ?? true;
    const isSame = isKnown && before && this.#bytes.get(path) === bytes;
    const wasThere = this.#bytes.get(path) !== undefined;
    this.#bytes.set(path, bytes);
    if (bytes === undefined && !wasThere) return;
    if (bytes === undefined && this.#pending.has(path)) this.#pending.delete(path);
    else this.#pending.set(path, { ...change, isSame });
  }

  remember(inputs: Inputs): void {
    this.#inputs.set(inputs.key, inputs);
  }

  async settle(): Promise<void> {
    for (const path of this.#pending.keys()) this.#listener.touched?.(path);
    const changes = [...this.#pending.values()].filter(({ path }) => this.#listener.wants(path));
    this.#pending = new Map();
    if (!this.#isOver && changes.length > 0) this.#listener.changed(changes);
  }

  [Symbol.dispose](): void {
    if (!this.#isOver) this.#drop();
    this.#isOver = true;
  }
}
