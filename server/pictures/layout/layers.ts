/** What is to be laid out: nodes are numbers, and an edge goes from what comes first to what waits. */
export interface LayoutInput {
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  readonly edges: readonly (readonly [from: number, to: number])[];
}

/**
 * Nodes in their columns. Vertices are the nodes, by their numbers, and behind them the places that
 * long edges have in the columns between their ends.
 */
export interface LayeredGraph {
  readonly nodeCount: number;
  /** For each vertex. */
  readonly layerOf: readonly number[];
  /** For each vertex those one column further left, and further right. */
  readonly before: readonly (readonly number[])[];
  readonly behind: readonly (readonly number[])[];
  /** For each edge the vertices that it goes through, from left to right. */
  readonly chains: readonly {
    readonly vertices: readonly number[];
    /** It goes against the order, since it is part of a cycle. */
    readonly isReversed: boolean;
  }[];
}

/** Long edges of more than that have no places: they are a grey wall anyway, and take all memory. */
const PLACES_LIMIT = 20_000;

export function layersOf({ sizes, edges }: LayoutInput): LayeredGraph {
  const count = sizes.length;
  const directed = withoutCycles(count, edges);
  const nodeLayers = longestPaths(count, directed);
  const layerOf = [...nodeLayers];
  const before: number[][] = Array.from({ length: count }, () => []);
  const behind: number[][] = Array.from({ length: count }, () => []);
  const longest = longestWithPlaces(directed, nodeLayers);
  const chains = directed.map(({ from, to, isReversed }) => {
    const vertices = [from];
    // What waits for itself needs no place.
    if (from === to || nodeLayers[to]! - nodeLayers[from]! > longest)
      return { vertices: [from, to], isReversed };
    for (let layer = nodeLayers[from]! + 1; layer < nodeLayers[to]!; layer += 1) {
      vertices.push(layerOf.length);
      layerOf.push(layer);
      before.push([]);
      behind.push([]);
    }
    vertices.push(to);
    for (const [place, vertex] of vertices.slice(1).entries()) {
      before[vertex]!.push(vertices[place]!);
      behind[vertices[place]!]!.push(vertex);
    }
    return { vertices, isReversed };
  });
  return { nodeCount: count, layerOf, before, behind, chains };
}

/** Over how many columns an edge may go so that all of those have their places. */
function longestWithPlaces(edges: readonly DirectedEdge[], layers: readonly number[]): number {
  const counts: number[] = [];
  for (const { from, to } of edges) {
    const span = layers[to]! - layers[from]!;
    counts[span] = (counts[span] ?? 0) + 1;
  }
  let places = 0;
  for (const [span, count = 0] of counts.entries()) {
    places += count * Math.max(0, span - 1);
    if (places > PLACES_LIMIT) return Math.max(1, span - 1);
  }
  return counts.length;
}

interface DirectedEdge {
  readonly from: number;
  readonly to: number;
  readonly isReversed: boolean;
}

/** Turns around each edge that leads back to a node on the way to it. */
function withoutCycles(count: number, edges: LayoutInput['edges']): readonly DirectedEdge[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const [number, [from]] of edges.entries()) out[from]!.push(number);
  const [isEntered, isLeft] = [new Uint8Array(count), new Uint8Array(count)];
  const next = new Int32Array(count);
  const reversed = new Uint8Array(edges.length);
  for (let root = 0; root < count; root += 1) {
    const path = isEntered[root] === 1 ? [] : [root];
    isEntered[root] = 1;
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const edge = out[node]![next[node]!];
      next[node]! += 1;
      if (edge === undefined) {
        isLeft[node] = 1;
        path.pop();
        continue;
      }
      const to = edges[edge]![1];
      if (isEntered[to] === 0) {
        isEntered[to] = 1;
        path.push(to);
      } else if (isLeft[to] === 0) reversed[edge] = 1;
    }
  }
  return edges.map(([from, to], number) => {
    const isReversed = reversed[number] === 1;
    return isReversed ? { from: to, to: from, isReversed } : { from, to, isReversed };
  });
}

/** Each node one column behind the last one before it; what has nothing before it as near as may be. */
function longestPaths(count: number, edges: readonly DirectedEdge[]): readonly number[] {
  const layers = Array.from({ length: count }, () => 0);
  const left = new Int32Array(count);
  const behind: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    if (from === to) continue;
    left[to]! += 1;
    behind[from]!.push(to);
  }
  const isFirst = [...left].map((waits) => waits === 0);
  const queue = [...left.keys()].filter((node) => left[node] === 0);
  for (const node of queue)
    for (const to of behind[node]!) {
      layers[to] = Math.max(layers[to]!, layers[node]! + 1);
      left[to]! -= 1;
      if (left[to] === 0) queue.push(to);
    }
  for (const [node, first] of isFirst.entries()) {
    const nearest = behind[node]!.reduce(
      (least, to) => Math.min(least, layers[to]!),
      Number.POSITIVE_INFINITY,
    );
    if (first && Number.isFinite(nearest)) layers[node] = nearest - 1;
  }
  return layers;
}
