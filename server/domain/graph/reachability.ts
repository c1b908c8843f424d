import { componentsOf } from './cycles.ts';
import { type Edges, nodesAt, type TaskGraph } from './graph.ts';

/** What a graph needs to have for this. */
type Ordered = Pick<TaskGraph<string>, 'ids' | 'predecessors' | 'successors'>;

/** How many columns are worked out together. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const WORDS = BLOCK / 32;
/** Past it the block that was built first is forgotten, and worked out again when it is asked for. */
const WORDS_LIMIT = 16 * 1024 * 1024;

/**
 * Which tasks are ordered, directly or by way of others: the transitive closure of a graph, worked
 * out a block of columns at a time, when one is first asked for.
 *
 * Tasks on one cycle count as one step. Steps stand in an order in which each leads only to later
 * ones, and those that are joined in any way stand together; so a block has rows only for the steps
 * before it that are joined with it. Of 10 000 tasks all blocks take 6 MB at most.
 */
export class Reachability {
  readonly #successors: Edges;
  /** The step of each node, and the nodes of all steps, one step after the other. */
  readonly #stepOf: Int32Array;
  readonly #nodes: Int32Array;
  readonly #starts: Int32Array;
  /** Of each step, the first that it is joined with in any way. */
  readonly #joinedFrom: Int32Array;
  readonly #blocks: (Block | undefined)[] = [];
  /** The numbers of those that are there, in the order in which they were built. */
  readonly #built: number[] = [];
  #words = 0;

  constructor(graph: Ordered) {
    this.#successors = graph.successors;
    const { stepOf, nodes, starts, joinedFrom } = stepsOf(graph);
    this.#stepOf = stepOf;
    this.#nodes = nodes;
    this.#starts = starts;
    this.#joinedFrom = joinedFrom;
  }

  /** Whether one of two nodes comes after the other. Those on one cycle come after each other. */
  isOrdered(a: number, b: number): boolean {
    const [stepA, stepB] = [this.#stepOf[a]!, this.#stepOf[b]!];
    if (stepA === stepB) return a !== b;
    const [early, late] = stepA < stepB ? [stepA, stepB] : [stepB, stepA];
    if (early < this.#joinedFrom[late]!) return false;
    const number = late >> BLOCK_BITS;
    const { firstRow, bits } = this.#blocks[number] ?? this.#build(number);
    const word = bits[(early - firstRow) * WORDS + ((late & (BLOCK - 1)) >> 5)]!;
    return ((word >>> (late & 31)) & 1) === 1;
  }

  /** From the last row upwards: a step reaches what it leads to, and what that reaches. */
  #build(number: number): Block {
    const firstColumn = number * BLOCK;
    const end = Math.min(firstColumn + BLOCK, this.#starts.length - 1);
    const firstRow = this.#joinedFrom[firstColumn]!;
    const bits = this.#newBits((end - firstRow) * WORDS);
    for (let step = end - 1; step >= firstRow; step -= 1) {
      const row = (step - firstRow) * WORDS;
      for (const next of this.#stepsAfter(step)) {
        if (next >= end) continue;
        takeOver(bits, row, (next - firstRow) * WORDS);
        if (next >= firstColumn) bits[row + ((next & (BLOCK - 1)) >> 5)]! |= 1 << (next & 31);
      }
    }
    const block = { firstRow, bits };
    this.#blocks[number] = block;
    this.#built.push(number);
    return block;
  }

  /** Forgets blocks until there is room for this one. */
  #newBits(words: number): Int32Array {
    this.#words += words;
    while (this.#words > WORDS_LIMIT && this.#built.length > 0) {
      const oldest = this.#built.shift()!;
      this.#words -= this.#blocks[oldest]!.bits.length;
      this.#blocks[oldest] = undefined;
    }
    return new Int32Array(words);
  }

  #stepsAfter(step: number): readonly number[] {
    const after: number[] = [];
    for (let at = this.#starts[step]!; at < this.#starts[step + 1]!; at += 1)
      for (const node of nodesAt(this.#successors, this.#nodes[at]!)) {
        const next = this.#stepOf[node]!;
        if (next !== step) after.push(next);
      }
    return after;
  }
}

function takeOver(bits: Int32Array, row: number, other: number): void {
  for (let word = 0; word < WORDS; word += 1) bits[row + word]! |= bits[other + word]!;
}

interface Block {
  readonly firstRow: number;
  /** For each row one bit for each column. */
  readonly bits: Int32Array;
}

interface Steps {
  readonly stepOf: Int32Array;
  readonly nodes: Int32Array;
  readonly starts: Int32Array;
  readonly joinedFrom: Int32Array;
}

function stepsOf(graph: Ordered): Steps {
  const components = componentsOf(graph);
  const joined = joinedParts(graph.successors);
  const nodes = Int32Array.from(components.keys()).toSorted(
    (a, b) => joined[a]! - joined[b]! || components[b]! - components[a]! || a - b,
  );
  const stepOf = new Int32Array(nodes.length);
  const starts: number[] = [];
  const joinedFrom: number[] = [];
  for (const [at, node] of nodes.entries()) {
    const before = at === 0 ? undefined : nodes[at - 1]!;
    if (before === undefined || components[node] !== components[before]) {
      const isJoined = before !== undefined && joined[node] === joined[before];
      joinedFrom.push(isJoined ? joinedFrom.at(-1)! : starts.length);
      starts.push(at);
    }
    stepOf[node] = starts.length - 1;
  }
  starts.push(nodes.length);
  return {
    stepOf,
    nodes,
    starts: Int32Array.from(starts),
    joinedFrom: Int32Array.from(joinedFrom),
  };
}

/** For each node the first one that it is joined with by edges, whichever way they lead. */
function joinedParts({ offsets, nodes }: Edges): Int32Array {
  const first = Int32Array.from({ length: offsets.length - 1 }, (_, node) => node);
  for (let node = 0; node < first.length; node += 1)
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge += 1) {
      const [a, b] = [rootOf(node), rootOf(nodes[edge]!)];
      first[Math.max(a, b)] = Math.min(a, b);
    }
  for (let node = 0; node < first.length; node += 1) first[node] = rootOf(node);
  return first;

  function rootOf(node: number): number {
    let at = node;
    while (first[at] !== at) {
      first[at] = first[first[at]!]!;
      at = first[at]!;
    }
    return at;
  }
}
