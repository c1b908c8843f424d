import type { LayeredGraph } from './layers.ts';

const NODE_GAP = 16;
/** An edge that goes by needs less room. */
const EDGE_GAP = 8;
const SWEEPS = 16;
/** How much a long edge wants to be straight, as against one between two nodes. */
const STRAIGHT = 8;

interface Placing {
  readonly graph: LayeredGraph;
  readonly order: readonly (readonly number[])[];
  /** For each vertex; an edge that goes by has none. */
  readonly heights: readonly number[];
}

/** The middle of each vertex: near its neighbours, in the order of its column, and clear of the others. */
export function placesIn(placing: Placing): Float64Array {
  const { graph, order } = placing;
  const centres = new Float64Array(graph.layerOf.length);
  for (const vertices of order) stack(vertices, placing, centres);
  const layers = [...order.keys()];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForth = sweep % 2 === 0;
    // In the last sweeps both sides count, so that nothing is drawn to one of them.
    const sides: readonly Side[] =
      sweep >= SWEEPS - 4 ? ['before', 'behind'] : [isForth ? 'before' : 'behind'];
    for (const layer of isForth ? layers : layers.toReversed())
      settle(order[layer]!, { ...placing, sides, centres });
  }
  return centres;
}

type Side = 'before' | 'behind';

function gapBetween(a: number, b: number, { heights }: Pick<Placing, 'heights'>): number {
  const [above, below] = [heights[a]!, heights[b]!];
  return above / 2 + below / 2 + (above === 0 || below === 0 ? EDGE_GAP : NODE_GAP);
}

function stack(vertices: readonly number[], placing: Placing, centres: Float64Array): void {
  let at = 0;
  for (const [place, vertex] of vertices.entries()) {
    if (place > 0) at += gapBetween(vertices[place - 1]!, vertex, placing);
    centres[vertex] = at;
  }
  for (const vertex of vertices) centres[vertex]! -= at / 2;
}

/** Vertices that want to be so close that they stand together. */
interface Block {
  /** Where its first vertex wants to be, as a mean. */
  wish: number;
  weight: number;
  count: number;
}

/**
 * Each vertex of a column as near to where it wants to be as the others allow. With what lies between
 * them taken away that is a rising line nearest to their wishes, which pooling neighbours gives exactly.
 */
function settle(
  vertices: readonly number[],
  placing: Placing & { readonly sides: readonly Side[]; readonly centres: Float64Array },
): void {
  const { centres } = placing;
  const offsets = new Float64Array(vertices.length);
  const blocks: Block[] = [];
  for (const [place, vertex] of vertices.entries()) {
    const above = vertices[place - 1];
    if (above !== undefined)
      offsets[place] = offsets[place - 1]! + gapBetween(above, vertex, placing);
    const { wish, weight } = wishOf(vertex, placing);
    let block: Block = { wish: wish - offsets[place]!, weight, count: 1 };
    for (
      let last = blocks.at(-1);
      last !== undefined && last.wish > block.wish;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      const both = last.weight + block.weight;
      const mean = (last.wish * last.weight + block.wish * block.weight) / both;
      block = { wish: mean, weight: both, count: last.count + block.count };
    }
    blocks.push(block);
  }
  let place = 0;
  for (const { wish, count } of blocks)
    for (const end = place + count; place < end; place += 1)
      centres[vertices[place]!] = wish + offsets[place]!;
}

/** The mean of its neighbours. Who has none on this side stays, unless others need the room. */
function wishOf(
  vertex: number,
  { graph, sides, centres }: { graph: LayeredGraph; sides: readonly Side[]; centres: Float64Array },
): { wish: number; weight: number } {
  let [sum, weight] = [0, 0];
  for (const side of sides)
    for (const other of graph[side][vertex]!) {
      const isStraight = vertex >= graph.nodeCount || other >= graph.nodeCount;
      const isGoingBy = vertex >= graph.nodeCount && other >= graph.nodeCount;
      const pull = isGoingBy ? STRAIGHT : isStraight ? 2 : 1;
      sum += centres[other]! * pull;
      weight += pull;
    }
  return weight === 0 ? { wish: centres[vertex]!, weight: 0.1 } : { wish: sum / weight, weight };
}
