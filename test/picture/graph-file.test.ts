import { expect, test } from 'vitest';
import { graphFile } from '../../picture/graph-file.ts';
import { LIGHT } from '../../picture/palette.ts';
import { textWidth } from '../../picture/text-width.ts';

test('the legend of a small graph is in the picture as a whole', () => {
  const graph = {
    folderUri: '',
    plan: 'interlock.yaml',
    nodes: [],
    edges: [],
    width: 90,
    hiddenCount: 0,
    hiddenHazardCount: 0,
    height: 40,
  };
  const svg = graphFile(graph, { states: new Map(), colours: { palette: LIGHT } });
  const width = Number(/width="(\d+)"/.exec(svg)?.[1]);
  const words = ['must complete first', 'must merely finish first', 'may touch the same files'];
  const last = words.reduce((x, word) => x + 34 + textWidth(word, 11) + 16, 16);
  expect(width).toBeGreaterThan(last + 34 + textWidth('part of a cycle', 11));
});
