import * as l10n from '@vscode/l10n';
import type { Graph } from '../protocol/graph.ts';
import type { TaskViewState } from '../protocol/tasks.ts';
import { displayName } from './display-text.ts';
import { moved, type PictureFile, svgFile } from './document.ts';
import { edgeShapes, type NodeState, nodeShape } from './graph-picture.ts';
import { type Shape, shape } from './shape.ts';
import { signOf, stateWord } from './state-signs.ts';
import { textWidth } from './text-width.ts';

const HEAD_HEIGHT = 34;
const LEGEND_HEIGHT = 56;
const LEGEND_ROW = 24;
const LEAST_WIDTH = 560;
const MARGIN = 16;

export interface GraphFileOptions {
  /** How tasks stand, by their ids. */
  readonly states: ReadonlyMap<string, NodeState>;
  readonly colours: Pick<PictureFile, 'palette' | 'darkPalette'>;
}

/** The graph of a plan as a file of SVG, with what its lines and signs mean. */
export function graphFile(graph: Graph, { states, colours }: GraphFileOptions): string {
  const plan = displayName(graph.plan);
  const title =
    graph.around === undefined
      ? l10n.t('Tasks of {0}', plan)
      : l10n.t('Tasks of {0} around {1}', plan, graph.around);
  const description = l10n.t('{0} tasks. What comes first is on the left.', graph.nodes.length);
  const lines = [inLine(lineItems()), inLine(stateItems([...states.values()]))];
  const legendWidth = Math.max(...lines.map((line) => line.width));
  const width = Math.max(LEAST_WIDTH, graph.width, legendWidth + 2 * MARGIN);
  const height = HEAD_HEIGHT + graph.height + LEGEND_HEIGHT;
  const shapes = [
    shape('text', { x: MARGIN, y: 22, class: 'strong' }, [title]),
    moved(
      shape('g', {}, [
        ...graph.edges.map(edgeShapes),
        ...graph.nodes.map((node) => nodeShape(node, states.get(node.id))),
      ]),
      0,
      HEAD_HEIGHT,
    ),
    moved(
      shape(
        'g',
        {},
        lines.map((line, row) => moved(shape('g', {}, line.shapes), 0, row * LEGEND_ROW)),
      ),
      MARGIN,
      HEAD_HEIGHT + graph.height,
    ),
  ];
  return svgFile({ title, description, width, height, ...colours }, shapes);
}

interface Item {
  readonly sample: Shape;
  readonly wide: number;
  readonly words: string;
}

/** What the kinds of lines mean. */
export function lineItems(): readonly Item[] {
  return [
    { sample: lineSample(''), wide: 34, words: l10n.t('must complete first') },
    { sample: lineSample('after'), wide: 34, words: l10n.t('must merely finish first') },
    { sample: lineSample('collides'), wide: 34, words: l10n.t('may touch the same files') },
    { sample: lineSample('cycle'), wide: 34, words: l10n.t('part of a cycle') },
  ];
}

function lineSample(kind: string): Shape {
  return shape('path', { class: `edge ${kind}`, d: 'M0 8h28' });
}

function stateItems(states: readonly NodeState[]): readonly Item[] {
  const kinds: readonly TaskViewState[] = [...new Set(states.map(({ state }) => state))].toSorted();
  return kinds.map((state) => ({
    sample: shape('g', { class: `state-${state}` }, [
      shape('path', { class: 'sign', d: signOf(state), transform: 'translate(0 2)' }),
    ]),
    wide: 18,
    words: stateWord(state),
  }));
}

function inLine(items: readonly Item[]): {
  readonly shapes: readonly Shape[];
  readonly width: number;
} {
  let x = 0;
  const shapes = items.map(({ sample, wide, words }) => {
    const text = shape('text', { x: wide, y: 12, class: 'small muted' }, [words]);
    const item = moved(shape('g', {}, [sample, text]), Math.round(x), 0);
    x += wide + textWidth(words, 11) + 16;
    return item;
  });
  return { shapes, width: x };
}
