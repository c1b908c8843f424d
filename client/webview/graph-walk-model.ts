import type { Graph, GraphNode } from '../../protocol/graph.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Where an arrow key leads: left to what comes first, right to what waits for it, up and down in its
 * column. Where several lines go, along the one to the nearest; where none does, nowhere.
 */
export function stepFrom(
  graph: Graph,
  id: string | undefined,
  direction: Direction,
): string | undefined {
  const at = graph.nodes.find((node) => node.id === id) ?? undefined;
  if (at === undefined) return inOrder(graph.nodes)[0]?.id;
  if (direction === 'up' || direction === 'down') return inColumn(graph.nodes, at, direction);
  const ids = new Set(
    graph.edges.flatMap(({ kind, from, to }) => {
      if (kind === 'collides') return [];
      const [start, end] = direction === 'left' ? [to, from] : [from, to];
      return start === at.id && end !== at.id ? [end] : [];
    }),
  );
  return nearest(
    graph.nodes.filter((node) => ids.has(node.id)),
    at,
  )?.id;
}

function inColumn(
  nodes: readonly GraphNode[],
  at: GraphNode,
  direction: 'up' | 'down',
): string | undefined {
  const column = inOrder(nodes.filter(({ layer }) => layer === at.layer));
  const place = column.indexOf(at) + (direction === 'up' ? -1 : 1);
  return column[place]?.id;
}

function nearest(nodes: readonly GraphNode[], at: GraphNode): GraphNode | undefined {
  return nodes.toSorted(
    (a, b) =>
      Math.abs(middle(a) - middle(at)) - Math.abs(middle(b) - middle(at)) ||
      Math.abs(a.layer - at.layer) - Math.abs(b.layer - at.layer) ||
      (a.id < b.id ? -1 : 1),
  )[0];
}

function middle({ y, height }: GraphNode): number {
  return y + height / 2;
}

function inOrder(nodes: readonly GraphNode[]): readonly GraphNode[] {
  return nodes.toSorted((a, b) => a.layer - b.layer || a.y - b.y);
}

/** Those whose id or title has these words in it, in the order of the picture. */
export function findNodes(graph: Graph, words: string): readonly string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  return inOrder(graph.nodes)
    .filter(
      ({ id, title }) => id.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted),
    )
    .map(({ id }) => id);
}

/** How much of a picture is seen: `scale` times as large, with this corner at the left upper one. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALLEST = 0.05;
/** Letters of 12 are still letters. */
const READABLE = 0.5;
const LARGEST = 4;

/** All of it in the middle, and never larger than it is drawn. */
export function fitted(picture: Size, page: Size): Camera {
  const scale = Math.min(1, page.width / picture.width, page.height / picture.height);
  const kept = Math.max(SMALLEST, scale);
  return {
    scale: kept,
    x: (page.width - picture.width * kept) / 2,
    y: (page.height - picture.height * kept) / 2,
  };
}

/** What is seen first: all of it, or its beginning where nobody could read that. */
export function firstLook(picture: Size, page: Size): Camera {
  const all = fitted(picture, page);
  if (all.scale >= READABLE) return all;
  const room = page.height - picture.height * READABLE;
  return { scale: READABLE, x: 0, y: Math.max(0, room / 2) };
}

/** So much larger, with the point at x and y of the page where it was. */
export function scaledAt(
  camera: Camera,
  { factor, x, y }: { readonly factor: number; readonly x: number; readonly y: number },
): Camera {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, camera.scale * factor));
  const grown = scale / camera.scale;
  return { scale, x: x - (x - camera.x) * grown, y: y - (y - camera.y) * grown };
}

/** Moved as little as is needed for a node to be seen, and larger where it could not be read. */
export function following(camera: Camera, node: GraphNode, page: Size): Camera {
  const scale = Math.max(camera.scale, 0.5);
  const at =
    scale === camera.scale
      ? camera
      : scaledAt(camera, {
          factor: scale / camera.scale,
          x: camera.x + node.x * camera.scale,
          y: camera.y + node.y * camera.scale,
        });
  const margin = 24;
  const shift = (start: number, length: number, room: number): number => {
    if (start < margin) return margin - start;
    return start + length > room - margin ? room - margin - start - length : 0;
  };
  return {
    scale,
    x: at.x + shift(at.x + node.x * scale, node.width * scale, page.width),
    y: at.y + shift(at.y + node.y * scale, node.height * scale, page.height),
  };
}
