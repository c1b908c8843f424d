import { findCycles } from '../domain/graph/cycles.ts';
import { buildGraph, type GraphNode, type TaskGraph } from '../domain/graph/graph.ts';
import type { TaskId } from '../domain/ids.ts';

/** The tasks of one plan, by keys, with the plans that they wait for. */
export interface ClusterMember {
  readonly path: string;
  readonly nodes: readonly GraphNode[];
  readonly reaches: Iterable<string>;
}

/** Plans whose tasks wait for each other, directly or by way of others; mostly a plan is alone in its own. */
export interface TaskCluster {
  readonly paths: readonly string[];
  readonly graph: TaskGraph;
  readonly cycles: readonly (readonly TaskId[])[];
  readonly nodes: readonly (readonly GraphNode[])[];
}

/** Clusters in which nothing has changed are those of before. */
export function clustersOf(
  members: readonly ClusterMember[],
  before: ReadonlyMap<string, TaskCluster>,
): ReadonlyMap<string, TaskCluster> {
  const clusters = new Map<string, TaskCluster>();
  for (const together of groupsOf(members)) {
    const known = before.get(together[0]!.path);
    const cluster = known !== undefined && isOf(known, together) ? known : clusterOf(together);
    for (const { path } of together) clusters.set(path, cluster);
  }
  return clusters;
}

function isOf({ nodes }: TaskCluster, members: readonly ClusterMember[]): boolean {
  return (
    nodes.length === members.length &&
    members.every((member, index) => member.nodes === nodes[index])
  );
}

function clusterOf(members: readonly ClusterMember[]): TaskCluster {
  const nodes = members.map((member) => member.nodes);
  const graph = buildGraph(nodes.length === 1 ? nodes[0]! : nodes.flat());
  const cycles = findCycles(graph);
  const paths = members.map(({ path }) => path);
  return { paths, graph, cycles, nodes };
}

/** In the order of their first members. */
function groupsOf(members: readonly ClusterMember[]): readonly (readonly ClusterMember[])[] {
  const first = new Map<string, string>(members.map(({ path }) => [path, path]));
  const rootOf = (path: string): string => {
    let root = path;
    for (let next = first.get(root)!; next !== root; next = first.get(root)!) root = next;
    return root;
  };
  for (const { path, reaches } of members)
    for (const other of reaches) {
      if (!first.has(other)) continue;
      const [a, b] = [rootOf(path), rootOf(other)];
      if (a !== b) first.set(b, a);
    }
  const groups = new Map<string, ClusterMember[]>();
  for (const member of members) {
    const root = rootOf(member.path);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [member]);
    else group.push(member);
  }
  return [...groups.values()];
}
