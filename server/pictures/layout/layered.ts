import { layersOf, type LayoutInput } from './layers.ts';
import { crossOrder } from './order.ts';
import { placesIn } from './places.ts';

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Of each node its left upper corner, and its column. */
  readonly nodes: readonly { readonly x: number; readonly y: number; readonly layer: number }[];
  /** Of each edge the points that it goes through, x and y in turn. */
  readonly edges: readonly (readonly number[])[];
}

const COLUMN_GAP = 64;
const MARGIN = 16;

/**
 * Columns from left to right: each node stands behind all that come before it, in an order with few
 * crossings, and near its neighbours. An edge over several columns has a place in each of them, so
 * that it goes between the nodes and not through them.
 *
 * Invariant: equal inputs give equal layouts.
 */
export function layOut(input: LayoutInput): Layout {
  const { sizes } = input;
  const graph = layersOf(input);
  const order = crossOrder(graph);
  const heights = graph.layerOf.map((_, vertex) => sizes[vertex]?.height ?? 0);
  const centres = placesIn({ graph, order, heights });
  const lefts = columnLefts(order, (vertex) => sizes[vertex]?.width ?? 0);
  const top = centres.reduce(
    (least, centre, vertex) => Math.min(least, centre - heights[vertex]! / 2),
    Number.POSITIVE_INFINITY,
  );
  const shift = MARGIN - (Number.isFinite(top) ? top : 0);
  const nodes = sizes.map(({ height }, node) => ({
    x: lefts[graph.layerOf[node]!]!.left,
    y: Math.round(centres[node]! + shift - height / 2),
    layer: graph.layerOf[node]!,
  }));
  const edges = graph.chains.map(({ vertices, isReversed }) => {
    const points = vertices.flatMap((vertex, place) => {
      const column = lefts[graph.layerOf[vertex]!]!;
      const y = Math.round(centres[vertex]! + shift);
      const width = sizes[vertex]?.width ?? column.width;
      const isFirst = place === 0;
      const isLast = place === vertices.length - 1;
      return [...(isFirst ? [] : [column.left, y]), ...(isLast ? [] : [column.left + width, y])];
    });
    return isReversed ? reversed(points) : points;
  });
  const last = lefts.at(-1);
  const bottom = nodes.reduce((most, { y }, node) => Math.max(most, y + sizes[node]!.height), 0);
  const lowest = edges.reduce(
    (most, points) =>
      points.reduce((low, value, at) => (at % 2 === 1 ? Math.max(low, value) : low), most),
    bottom,
  );
  const width = last === undefined ? 2 * MARGIN : last.left + last.width + MARGIN;
  return { width, height: lowest + MARGIN, nodes, edges };
}

function columnLefts(
  order: readonly (readonly number[])[],
  widthOf: (vertex: number) => number,
): readonly { readonly left: number; readonly width: number }[] {
  let left = MARGIN;
  return order.map((vertices) => {
    const width = vertices.reduce((most, vertex) => Math.max(most, widthOf(vertex)), 0);
    const column = { left, width };
    left += width + COLUMN_GAP;
    return column;
  });
}

function reversed(points: readonly number[]): readonly number[] {
  const turned: number[] = [];
  for (let at = points.length - 2; at >= 0; at -= 2) turned.push(points[at]!, points[at + 1]!);
  return turned;
}
