/** Client to server: the picture of a plan's order. `GraphParams` to `GraphReply`. */
export const SHOW_GRAPH = 'graph/show';

/** Client to server, when nobody looks at the graph of a plan any more: `GraphKey`. */
export const LEAVE_GRAPH = 'graph/leave';

/** Server to client, when a graph that was asked for would be another one now: `GraphKey`. Ask again. */
export const GRAPH_CHANGED = 'graph/changed';

export interface GraphKey {
  /** The workspace folder, as the client named it. */
  readonly folderUri: string;
  /** The plan's path relative to the folder. */
  readonly plan: string;
}

export interface GraphParams extends GraphKey {
  /** Only this task and those near it; absent: all of the plan. */
  readonly around?: string;
}

export type GraphReply =
  | { readonly kind: 'graph'; readonly graph: Graph }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

/** A plan's tasks, each with its place; what comes first is on the left. */
export interface Graph extends GraphKey {
  readonly around?: string;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Tasks of the plan that are not in the picture. */
  readonly hiddenCount: number;
  /** Pairs of tasks that may collide and are not in the picture, because there are too many. */
  readonly hiddenHazardCount: number;
}

/** `x` and `y` are its left upper corner. */
export interface GraphNode {
  /** As edges call it: an id of the plan, or what a task calls one of another plan. */
  readonly id: string;
  readonly kind: 'task' | 'elsewhere' | 'missing';
  readonly title: string;
  /** The task that it stands for; absent when there is none. */
  readonly task?: { readonly plan: string; readonly id: string };
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Which column it is in, from the left. */
  readonly layer: number;
}

/** From what comes first to what waits for it; of a hazard, neither comes first. */
export interface GraphEdge {
  readonly kind: 'depends_on' | 'after' | 'collides';
  readonly from: string;
  readonly to: string;
  /** It is part of a cycle: nothing on it can start. */
  readonly isOnCycle: boolean;
  /** A path both would touch, of a hazard where one is known. */
  readonly detail: string;
  /** It goes through these, as x and y in turn. */
  readonly points: readonly number[];
}
