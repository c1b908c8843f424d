import { type Cursor, Heap, type Slots } from '../../domain/heap.ts';

/** What decides the order of tasks, in arrays by their numbers. */
interface Order {
  readonly ids: readonly string[];
  readonly pathMs: Float64Array;
  readonly readySince: Float64Array;
  readonly slots: Slots<number>;
}

/**
 * Tasks of one run in the order in which they start: the longest remaining path, then who is ready
 * longest, then the id. They stand here by their numbers, and are put in order without a look at
 * anything but arrays: so much has room in the caches of a processor, and 100 000 objects have not.
 */
export class ReadyTasks<Task extends { readonly number: number }> {
  readonly #tasks: readonly Task[];
  readonly #heap: Heap<number>;

  constructor(tasks: readonly Task[], { ids, pathMs, readySince, slots }: Order) {
    const isBefore = (a: number, b: number): boolean => {
      const [since, other] = [readySince[a]!, readySince[b]!];
      return since === other ? ids[a]! < ids[b]! : since < other;
    };
    this.#tasks = tasks;
    this.#heap = new Heap({ keyOf: (number) => -pathMs[number]!, isBefore }, slots);
  }

  get size(): number {
    return this.#heap.size;
  }

  peek(): Task | undefined {
    return this.#find(this.#heap.peek());
  }

  push({ number }: Task): void {
    this.#heap.push(number);
  }

  remove({ number }: Task): void {
    this.#heap.remove(number);
  }

  /** Nothing may come or go until the cursor is done with. */
  cursor(): Cursor<Task> {
    const cursor = this.#heap.cursor();
    return { next: () => this.#find(cursor.next()) };
  }

  *inOrder(): Generator<Task, void> {
    for (const number of this.#heap.inOrder()) yield this.#tasks[number]!;
  }

  #find(number: number | undefined): Task | undefined {
    return number === undefined ? undefined : this.#tasks[number];
  }
}
