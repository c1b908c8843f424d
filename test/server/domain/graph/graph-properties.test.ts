import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCycles } from '../../../../server/domain/graph/cycles.ts';
import {
  buildGraph,
  closureOf,
  longestPaths,
  nodesAt,
  type Edges,
  type GraphNode,
} from '../../../../server/domain/graph/graph.ts';
import type { TaskId } from '../../../../server/domain/ids.ts';
import { Reachability } from '../../../../server/domain/graph/reachability.ts';
import { taskId } from '../../../support/snapshots.ts';

const RUNS = { numRuns: 1000 };
const DIRECTIONS = ['predecessors', 'successors'] as const;

/** Some of these are more than there are tasks, so those tasks do not exist. */
const mentions = fc.array(fc.nat(9), { maxLength: 3 });
const drafts = fc.array(fc.record({ dependsOn: mentions, after: mentions }), { maxLength: 8 });
const anyNodes = drafts.map((all) => nodesOf(all, () => true));
/** Each task waits only for those before it. */
const acyclicNodes = drafts.map((all) => nodesOf(all, (other, index) => other < index));
/** With enough tasks for cycles that meet in more ways than one. */
const tangledNodes = fc
  .array(fc.record({ dependsOn: fc.array(fc.nat(19), { maxLength: 2 }), after: mentions }), {
    minLength: 12,
    maxLength: 20,
  })
  .map((all) => nodesOf(all, () => true));

interface Draft {
  readonly dependsOn: readonly number[];
  readonly after: readonly number[];
}

function nodesOf(
  all: readonly Draft[],
  isKept: (other: number, index: number) => boolean,
): readonly GraphNode[] {
  return all.map(({ dependsOn, after }, index) => {
    const ids = (others: readonly number[]): TaskId[] =>
      others.filter((other) => isKept(other, index)).map((other) => taskId(`t${other}`));
    return { id: taskId(`t${index}`), dependsOn: ids(dependsOn), after: ids(after) };
  });
}

/** For each pair how many edges lead from the first back to the second, at least one; by Floyd and Warshall. */
function distancesOf(nodes: readonly GraphNode[]): readonly (readonly number[])[] {
  const distances = nodes.map(({ dependsOn, after }) =>
    nodes.map(({ id }) => (dependsOn.includes(id) || after.includes(id) ? 1 : Infinity)),
  );
  for (const [middle, through] of distances.entries())
    for (const row of distances)
      for (const [end, rest] of [...through].entries())
        row[end] = Math.min(row[end]!, row[middle]! + rest);
  return distances;
}

function edgePairs(edges: Edges): readonly (readonly [number, number, number])[] {
  return Array.from(edges.offsets.subarray(1), (_, node) => node).flatMap((node) =>
    Array.from(nodesAt(edges, node), (other, index) => {
      const mustComplete = edges.mustComplete[edges.offsets[node]! + index]!;
      return [node, other, mustComplete] as const;
    }),
  );
}

test('an edge is what a task lists, once, and stands at both of its ends', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const { predecessors, successors, missing } = buildGraph(nodes);
      const listed = nodes.flatMap(({ id, dependsOn, after }, number) =>
        [...new Set([...dependsOn, ...after])].map((waitsFor) => ({
          task: id,
          waitsFor,
          edge: [
            number,
            nodes.findIndex((node) => node.id === waitsFor),
            dependsOn.includes(waitsFor) ? 1 : 0,
          ] as const,
        })),
      );
      const known = listed.filter(({ edge }) => edge[1] !== -1);
      expect(edgePairs(predecessors)).toStrictEqual(known.map(({ edge }) => edge));
      expect(edgePairs(successors)).toStrictEqual(
        known
          .map(
            ({ edge: [later, earlier, mustComplete] }) => [earlier, later, mustComplete] as const,
          )
          .toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
      );
      expect(missing).toStrictEqual(
        listed
          .filter(({ edge }) => edge[1] === -1)
          .map(({ task, waitsFor }) => ({ task, waitsFor })),
      );
    }),
    RUNS,
  );
});

test('what is listed again changes nothing', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const again = nodes.map(({ id, dependsOn, after }) => ({
        id,
        dependsOn: [...dependsOn, ...dependsOn],
        after: [...after, ...dependsOn, ...after],
      }));
      expect(buildGraph(again)).toStrictEqual(buildGraph(nodes));
    }),
    RUNS,
  );
});

test('a closure is what edges lead to', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const graph = buildGraph(nodes);
      const distances = distancesOf(nodes);
      for (const start of nodes.keys())
        for (const direction of DIRECTIONS) {
          const reached = nodes
            .map((_, other) => other)
            .filter((other) => Number.isFinite(between(start, other, direction)));
          const closure = [...closureOf(graph, start, direction)];
          expect(closure.toSorted((a, b) => a - b)).toStrictEqual(reached);
        }

      function between(start: number, other: number, direction: string): number {
        return direction === 'predecessors' ? distances[start]![other]! : distances[other]![start]!;
      }
    }),
    RUNS,
  );
});

test('two tasks are ordered when one is in a closure of the other', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const graph = buildGraph(nodes);
      const order = new Reachability(graph);
      for (const start of nodes.keys()) {
        const closures = DIRECTIONS.map((direction) => closureOf(graph, start, direction));
        const others = new Set(closures.flat());
        others.delete(start);
        const ordered = [...nodes.keys()].filter((other) => order.isOrdered(start, other));
        expect(ordered).toStrictEqual([...others].toSorted((a, b) => a - b));
      }
    }),
    RUNS,
  );
});

test('there is a cycle exactly when not every task can be sorted behind what it waits for', () => {
  fc.assert(
    fc.property(fc.oneof(anyNodes, acyclicNodes), (nodes) => {
      const hasCycle = findCycles(buildGraph(nodes)).length > 0;
      expect(hasCycle).toBe(unsortable(nodes).length > 0);
    }),
    RUNS,
  );
});

/** What is left when whoever waits for nobody that is left is taken away, again and again. */
function unsortable(nodes: readonly GraphNode[]): readonly GraphNode[] {
  let left = nodes;
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const ids = new Set(left.map(({ id }) => id));
    left = left.filter(({ dependsOn, after }) =>
      [...dependsOn, ...after].some((id) => ids.has(id)),
    );
  }
  return left;
}

test('a cycle follows who waits for whom, and none through its first task is shorter', () => {
  fc.assert(
    fc.property(fc.oneof(anyNodes, tangledNodes), (nodes) => {
      const byId = new Map(nodes.map((node) => [node.id, node]));
      const distances = distancesOf(nodes);
      for (const cycle of findCycles(buildGraph(nodes))) {
        for (const [index, id] of cycle.entries()) {
          const { dependsOn = [], after = [] } = byId.get(id) ?? {};
          expect([...dependsOn, ...after]).toContain(cycle[(index + 1) % cycle.length]);
        }
        const first = nodes.findIndex(({ id }) => id === cycle[0]);
        expect(cycle).toHaveLength(distances[first]![first]!);
        expect(new Set(cycle).size).toBe(cycle.length);
      }
    }),
    RUNS,
  );
});

test('cycles go through every task that is on one, each from the first that is not on another', () => {
  fc.assert(
    fc.property(fc.oneof(anyNodes, tangledNodes), (nodes) => {
      const distances = distancesOf(nodes);
      const onCycle = nodes.filter((_, number) => Number.isFinite(distances[number]![number]!));
      const covered = new Set<TaskId>();
      for (const cycle of findCycles(buildGraph(nodes))) {
        expect(cycle[0]).toBe(onCycle.find(({ id }) => !covered.has(id))?.id);
        for (const id of cycle) covered.add(id);
      }
      expect(covered).toStrictEqual(new Set(onCycle.map(({ id }) => id)));
    }),
    RUNS,
  );
});

test('the longest path is the heaviest of all chains, and a chain into a cycle does not count', () => {
  const weight = fc.nat(20).map((tenths) => tenths / 2);
  fc.assert(
    fc.property(
      fc.oneof(acyclicNodes, anyNodes),
      fc.array(weight, { minLength: 8, maxLength: 8 }),
      (nodes, all) => {
        const weights = all.slice(0, nodes.length);
        const expected = heaviestChains(nodes, weights);
        expect([...longestPaths(buildGraph(nodes), weights)]).toStrictEqual(expected);
      },
    ),
    RUNS,
  );
});

/** Walks every chain of waiting tasks from every task. */
function heaviestChains(
  nodes: readonly GraphNode[],
  weights: readonly number[],
): readonly number[] {
  const distances = distancesOf(nodes);
  const isEndless = (start: number): boolean =>
    nodes.some((_, on) => {
      const leads = start === on || Number.isFinite(distances[on]![start]!);
      return leads && Number.isFinite(distances[on]![on]!);
    });
  return weights.map((own, start) => {
    if (isEndless(start)) return own;
    let heaviest = 0;
    const chains = [{ end: start, sum: own }];
    for (const { end, sum } of chains) {
      heaviest = Math.max(heaviest, sum);
      for (const [waiting, row] of distances.entries())
        if (row[end] === 1) chains.push({ end: waiting, sum: sum + weights[waiting]! });
    }
    return heaviest;
  });
}
