import type { LayeredGraph } from './layers.ts';

/** More sweeps make it better by less each time. */
const SWEEPS = 12;
/** In large graphs crossings are more than anybody could follow anyway. */
const VERTEX_LIMIT = 20_000;

/**
 * The vertices of each column from top to bottom, so that few edges cross: each is moved to the middle
 * of its neighbours in the column next to it, from left to right and back, and the best order counts.
 */
export function crossOrder(graph: LayeredGraph): readonly (readonly number[])[] {
  let order = firstOrder(graph);
  let best = order;
  let fewest = crossingsOf(graph, order);
  const sweeps = graph.layerOf.length > VERTEX_LIMIT ? 2 : SWEEPS;
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep += 1) {
    order = swept(graph, order, sweep % 2 === 0 ? 'before' : 'behind');
    const crossings = crossingsOf(graph, order);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = order;
  }
  return best;
}

/** What belongs together comes together: in depth, from the nodes that come first. */
function firstOrder({ layerOf, before, behind }: LayeredGraph): number[][] {
  const depth = layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0);
  const order: number[][] = Array.from({ length: depth }, () => []);
  const isMet = new Uint8Array(layerOf.length);
  const isAlone = (vertex: number): number =>
    before[vertex]!.length === 0 && behind[vertex]!.length === 0 ? 1 : 0;
  const starts = [...layerOf.keys()].toSorted(
    (a, b) =>
      isAlone(a) - isAlone(b) ||
      before[a]!.length - before[b]!.length ||
      layerOf[a]! - layerOf[b]! ||
      a - b,
  );
  for (const start of starts) {
    const path = [start];
    for (let vertex = path.pop(); vertex !== undefined; vertex = path.pop()) {
      if (isMet[vertex] === 1) continue;
      isMet[vertex] = 1;
      order[layerOf[vertex]!]!.push(vertex);
      path.push(...behind[vertex]!.toReversed());
    }
  }
  return order;
}

function swept(
  graph: LayeredGraph,
  order: readonly (readonly number[])[],
  side: 'before' | 'behind',
): number[][] {
  const place = placesOf(graph, order);
  const moved = order.map((vertices) => [...vertices]);
  const layers = [...moved.keys()];
  for (const layer of side === 'before' ? layers : layers.toReversed()) {
    const middles = new Map(
      moved[layer]!.map((vertex, at) => [vertex, middleOf(graph[side][vertex]!, place) ?? at]),
    );
    moved[layer]!.sort((a, b) => middles.get(a)! - middles.get(b)! || place[a]! - place[b]!);
    for (const [at, vertex] of moved[layer]!.entries()) place[vertex] = at;
  }
  return moved;
}

/** Between the median and the mean: the one has fewer crossings, the other fewer ties. */
function middleOf(neighbours: readonly number[], place: Float64Array): number | undefined {
  if (neighbours.length === 0) return undefined;
  const places = neighbours.map((vertex) => place[vertex]!).toSorted((a, b) => a - b);
  const half = (places.length - 1) / 2;
  const median = (places[Math.floor(half)]! + places[Math.ceil(half)]!) / 2;
  const mean = places.reduce((sum, each) => sum + each, 0) / places.length;
  return 0.7 * median + 0.3 * mean;
}

function placesOf({ layerOf }: LayeredGraph, order: readonly (readonly number[])[]): Float64Array {
  const place = new Float64Array(layerOf.length);
  for (const vertices of order) for (const [at, vertex] of vertices.entries()) place[vertex] = at;
  return place;
}

/** How many pairs of edges cross, counted as how far the ends are out of order. */
export function crossingsOf(graph: LayeredGraph, order: readonly (readonly number[])[]): number {
  const place = placesOf(graph, order);
  let crossings = 0;
  for (const vertices of order) {
    const ends = vertices.flatMap((vertex) =>
      graph.behind[vertex]!.map((each) => place[each]!).toSorted((a, b) => a - b),
    );
    crossings += inversionsIn(ends);
  }
  return crossings;
}

/** By a tree of sums over the places. */
function inversionsIn(places: readonly number[]): number {
  const size = places.reduce((most, place) => Math.max(most, place + 1), 0);
  const sums = new Float64Array(size + 1);
  let inversions = 0;
  for (const [count, place] of places.entries()) {
    let before = 0;
    for (let at = place + 1; at > 0; at -= at & -at) before += sums[at]!;
    inversions += count - before;
    for (let at = place + 1; at <= size; at += at & -at) sums[at]! += 1;
  }
  return inversions;
}
