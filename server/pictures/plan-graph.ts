import type { Graph, GraphEdge, GraphKey, GraphNode, GraphReply } from '../../protocol/graph.ts';
import { textWidth } from '../../picture/text-width.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import { displayText, inShort } from '../domain/display-text.ts';
import { componentsOf } from '../domain/graph/cycles.ts';
import { buildGraph, type TaskGraph } from '../domain/graph/graph.ts';
import { findHazards } from '../domain/paths/hazard-finder.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import { hazardPolicyOf } from '../domain/run.ts';
import type { PlanTask } from '../plans/plan.ts';
import { layOut } from './layout/layered.ts';
import { neighboursOf } from './neighbours.ts';

/** A picture of more is a grey wall, and takes seconds. */
const NODE_LIMIT = 1500;
const HAZARD_LIMIT = 300;
/** Letters of 12 that are bold take as much room as these. */
const BOLD_SIZE = 13;

interface GraphOptions extends GraphKey {
  readonly loaded: LoadedPlan;
  readonly rules: PathRules;
  /** Only this task and those near it. */
  readonly around?: string | undefined;
}

/** The order of a plan with a place for each task. */
export function graphOf(options: GraphOptions): GraphReply {
  const { loaded, around, plan } = options;
  const { tasks } = loaded.plan;
  const all = buildGraph(tasks);
  const name = displayText(plan);
  if (around !== undefined && !tasks.some(({ id }) => id === around))
    return refused(`There is no task "${displayText(around)}" in ${name}.`);
  if (around === undefined && tasks.length > NODE_LIMIT)
    return refused(
      `${name} has ${tasks.length} tasks, and a picture of more than ${NODE_LIMIT} shows nothing. ` +
        'Choose a task to see what is around it.',
    );
  const near = around === undefined ? undefined : neighboursOf(all, around);
  const shown = near === undefined ? tasks : tasks.filter(({ id }) => near.has(id));
  return { kind: 'graph', graph: drawn(shown, all, options) };
}

function refused(message: string): GraphReply {
  return { kind: 'refused', message };
}

type Line = Omit<GraphEdge, 'points' | 'detail'>;

function drawn(tasks: readonly PlanTask[], all: TaskGraph, options: GraphOptions): Graph {
  const { loaded, folderUri, plan, around } = options;
  const boxes = [...tasks.map((task) => boxOfTask(task, plan)), ...apart(tasks, all, loaded)];
  const numberOf = new Map(boxes.map(({ id }, number) => [id, number]));
  const lines = linesOf(tasks, all).filter(({ from }) => numberOf.has(from));
  const ordered = lines.filter(({ from, to }) => from !== to);
  const layout = layOut({
    sizes: boxes,
    edges: ordered.map(({ from, to }) => [numberOf.get(from)!, numberOf.get(to)!] as const),
  });
  const nodes = boxes.map((box, number): GraphNode => ({ ...box, ...layout.nodes[number]! }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const inOrder = ordered.map((line, number) => ({
    ...line,
    detail: '',
    points: layout.edges[number]!,
  }));
  const loops = lines
    .filter(({ from, to }) => from === to)
    .map((line) => ({ ...line, detail: '', points: loopAt(byId.get(line.from)!) }));
  const { hazards, hiddenHazardCount } = hazardsOf(tasks, all, { byId, options });
  return {
    folderUri,
    plan,
    ...(around !== undefined && { around }),
    width: layout.width,
    height: layout.height,
    nodes,
    edges: [...inOrder, ...loops, ...hazards],
    hiddenCount: all.ids.length - tasks.length,
    hiddenHazardCount,
  };
}

type Box = Omit<GraphNode, 'x' | 'y' | 'layer'>;

function boxOfTask({ id, title }: PlanTask, plan: string): Box {
  const said = inShort(displayText(title), 80);
  const task = { plan, id };
  return { id, kind: 'task', title: said === id ? '' : said, task, ...sizeOf(id, said) };
}

function sizeOf(id: string, title: string): { readonly width: number; readonly height: number } {
  const words = Math.max(textWidth(id, BOLD_SIZE), textWidth(title, 11));
  const width = Math.round(Math.min(240, Math.max(84, words + 46)));
  return { width, height: title === '' || title === id ? 28 : 42 };
}

/** What tasks wait for and what is no task of the plan: of another one, or of none. */
function apart(tasks: readonly PlanTask[], all: TaskGraph, { plan }: LoadedPlan): readonly Box[] {
  const names = new Set(tasks.flatMap(({ dependsOn, after }) => [...dependsOn, ...after]));
  return [...names]
    .filter((name) => !all.numberOf.has(name))
    .slice(0, NODE_LIMIT)
    .map((name): Box => {
      const found = plan.references.get(name);
      const size = sizeOf(name, '');
      const id = displayText(name) === name ? name : inShort(displayText(name));
      if (found === undefined) return { id, kind: 'missing', title: '', ...size };
      const task = { plan: found.plan, id: found.task };
      return { id, kind: 'elsewhere', title: '', task, ...size };
    });
}

function linesOf(tasks: readonly PlanTask[], all: TaskGraph): readonly Line[] {
  const components = componentsOf(all);
  return tasks.flatMap(({ id, dependsOn, after }) => {
    const to = all.numberOf.get(id);
    const needed = new Set<string>(dependsOn);
    return [...new Set([...dependsOn, ...after])].map((from): Line => {
      const earlier = all.numberOf.get(from);
      const isOnCycle =
        earlier !== undefined && to !== undefined && components[earlier] === components[to];
      return { kind: needed.has(from) ? 'depends_on' : 'after', from, to: id, isOnCycle };
    });
  });
}

function hazardsOf(
  tasks: readonly PlanTask[],
  all: TaskGraph,
  { byId, options }: { byId: ReadonlyMap<string, GraphNode>; options: GraphOptions },
): { readonly hazards: readonly GraphEdge[]; readonly hiddenHazardCount: number } {
  const policy = hazardPolicyOf(options.loaded.plan);
  const found = findHazards(tasks, all, options.rules).hazards.filter(
    ({ kind }) => policy[kind === 'write-write' ? 'writeWrite' : 'readWrite'] !== 'ignore',
  );
  const hazards = found.slice(0, HAZARD_LIMIT).map(({ first, second, example = '' }): GraphEdge => {
    const [one, other] = inColumns(byId.get(first)!, byId.get(second)!);
    return {
      kind: 'collides',
      from: one.id,
      to: other.id,
      isOnCycle: false,
      detail: inShort(displayText(example)),
      points: pointsBetween(one, other),
    };
  });
  return { hazards, hiddenHazardCount: found.length - hazards.length };
}

function inColumns(a: GraphNode, b: GraphNode): readonly [GraphNode, GraphNode] {
  return a.layer < b.layer || (a.layer === b.layer && a.y <= b.y) ? [a, b] : [b, a];
}

/** In one column it goes around on the right. */
function pointsBetween(one: GraphNode, other: GraphNode): readonly number[] {
  const start = [one.x + one.width, one.y + one.height / 2];
  const x = one.layer === other.layer ? other.x + other.width : other.x;
  return [...start, x, other.y + other.height / 2];
}

/** What waits for itself. */
function loopAt({ x, y, width }: GraphNode): readonly number[] {
  return [x + width - 30, y, x + width - 8, y];
}
