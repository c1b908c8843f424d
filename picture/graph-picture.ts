import * as l10n from '@vscode/l10n';
import type { GraphEdge, GraphNode } from '../protocol/graph.ts';
import type { TaskViewState } from '../protocol/tasks.ts';
import { type Shape, shape } from './shape.ts';
import { signOf, stateWord } from './state-signs.ts';
import { fitText } from './text-width.ts';

const TIP = 6;

/** How a task stands, and a clause that says more of it. */
export interface NodeState {
  readonly state: TaskViewState;
  readonly detail: string;
}

/** A node at its place: a sign for its state, its id, and its title below. */
export function nodeShape(node: GraphNode, state: NodeState | undefined): Shape {
  const { id, kind, title, x, y, width, height } = node;
  const isTask = kind === 'task';
  const room = { size: isTask ? 13 : 12, width: width - (isTask ? 38 : 20) };
  const left = isTask ? 28 : 10;
  const name = shape('text', { x: left, y: 18, class: isTask ? 'name strong' : 'name muted' }, [
    fitText(id, room),
  ]);
  const shown = state?.state ?? 'idle';
  const parts = [
    shape('title', {}, [nodeWords(node, state)]),
    shape('rect', { class: isTask ? 'node' : 'node apart', width, height, rx: 4 }),
    ...(isTask
      ? [shape('path', { class: 'sign', d: signOf(shown), transform: 'translate(9 8)' })]
      : []),
    name,
  ];
  if (title !== '')
    parts.push(
      shape('text', { x: left, y: 34, class: 'more small muted' }, [
        fitText(title, { size: 11, width: width - left - 12 }),
      ]),
    );
  const attributes = { class: `state-${shown}`, transform: `translate(${x} ${y})` };
  return shape('g', attributes, parts);
}

/** What a screen reader, and whoever points at it, is told of a node. */
export function nodeWords({ id, kind, title }: GraphNode, state: NodeState | undefined): string {
  if (kind === 'missing') return l10n.t('{0}: there is no such task', id);
  if (kind === 'elsewhere') return l10n.t('{0}: a task of another plan', id);
  const words = state === undefined ? [] : [stateWord(state.state), state.detail];
  return [id, title, ...words].filter((each) => each !== '').join(', ');
}

/** A line from what comes first to what waits for it; of a hazard, one between the two. */
export function edgeShapes(edge: GraphEdge): Shape {
  const { kind, isOnCycle, points } = edge;
  const classes = ['edge', kind === 'depends_on' ? '' : kind, isOnCycle ? 'cycle' : ''];
  const path = shape('path', {
    class: classes.filter((each) => each !== '').join(' '),
    d: pathOf(edge),
  });
  const told = shape('title', {}, [edgeWords(edge)]);
  if (kind === 'collides') return shape('g', { class: 'line' }, [told, path]);
  const [x, y] = [points.at(-2)!, points.at(-1)!];
  const isLoop = edge.from === edge.to;
  const side = x >= (points.at(-4) ?? 0) ? -1 : 1;
  const d = isLoop ? `M${x} ${y}l-4-${TIP}h8z` : `M${x} ${y}l${side * TIP}-4v8z`;
  const tip = shape('path', { class: isOnCycle ? 'tip cycle' : 'tip', d });
  return shape('g', { class: 'line' }, [told, path, tip]);
}

function edgeWords({ kind, from, to, isOnCycle, detail }: GraphEdge): string {
  if (kind === 'collides')
    return detail === ''
      ? l10n.t('{0} and {1} may touch the same files, and nothing says which goes first', from, to)
      : l10n.t('{0} and {1} both touch {2}, and nothing says which goes first', from, to, detail);
  const words =
    kind === 'after'
      ? l10n.t('{0} waits until {1} has finished', to, from)
      : l10n.t('{0} waits until {1} has completed', to, from);
  return isOnCycle ? l10n.t('{0}: a cycle, so that none of it can start', words) : words;
}

/** Curves from column to column, straight where it goes through one. */
function pathOf({ kind, from, to, points }: GraphEdge): string {
  const [x1, y1, x2, y2] = [points[0]!, points[1]!, points.at(-2)!, points.at(-1)!];
  if (from === to) return `M${x1} ${y1}C${x1} ${y1 - 26} ${x2} ${y2 - 26} ${x2} ${y2}`;
  if (kind === 'collides' && Math.abs(x2 - x1) < 300 && isSameColumn(points)) {
    const out = Math.max(x1, x2) + Math.min(48, 18 + Math.abs(y2 - y1) / 12);
    return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2} ${y2}`;
  }
  const parts = [`M${x1} ${y1}`];
  for (let at = 2; at < points.length; at += 2) {
    const [left, top, right, bottom] = points.slice(at - 2, at + 2);
    const middle = Math.round((left! + right!) / 2);
    parts.push(
      top === bottom
        ? `H${right!}`
        : `C${middle} ${top!} ${middle} ${bottom!} ${right!} ${bottom!}`,
    );
  }
  return parts.join('');
}

/** It leaves and arrives on the right. */
function isSameColumn(points: readonly number[]): boolean {
  return points.length === 4 && points[2]! - points[0]! < 40;
}
