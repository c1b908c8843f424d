import type { Graph, GraphKey } from '../../protocol/graph.ts';
import type { NodeState } from '../../picture/graph-picture.ts';
import type { Grouping } from '../../picture/timeline-rows.ts';
import type { RunKey } from '../../protocol/runs.ts';
import type { Timeline, TimelineChanged } from '../../protocol/timeline.ts';

/** What the page of a picture remembers, so that it comes back after the window was loaded anew. */
export type PictureState =
  | (RunKey & {
      readonly kind: 'timeline';
      readonly grouping?: Grouping;
      /** The part of the time that is seen; absent: all of it. */
      readonly seen?: { readonly from: number; readonly to: number };
    })
  | (GraphKey & { readonly kind: 'graph'; readonly around?: string });

/** By their ids; a task of which nothing is known has none. */
export type NodeStates = readonly (readonly [id: string, state: NodeState])[];

/** From the extension to the page. */
export type ToPage =
  /** The first one, as an answer to `ready`: which picture it is, and the words of the user's language. */
  | {
      readonly kind: 'begin';
      readonly state: PictureState;
      readonly words: Readonly<Record<string, string>> | undefined;
    }
  | { readonly kind: 'timeline'; readonly timeline: Timeline; readonly select?: string }
  | { readonly kind: 'timeline-changed'; readonly change: TimelineChanged }
  | {
      readonly kind: 'graph';
      readonly graph: Graph;
      readonly states: NodeStates;
      readonly select?: string;
    }
  /** Only those that are others now. */
  | { readonly kind: 'states'; readonly states: NodeStates }
  | { readonly kind: 'refused'; readonly message: string; readonly choice?: string }
  /** The user wants a file of it. */
  | { readonly kind: 'export' };

/** What can be done with a task of a picture. */
export type TaskAction = 'open' | 'open-and-focus' | 'log' | 'run' | 'why';

/** From the page to the extension. */
export type FromPage =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'task';
      readonly action: TaskAction;
      readonly plan: string;
      readonly id: string;
    }
  /** Only the task and what is near it; without one, all of the plan. */
  | { readonly kind: 'around'; readonly id?: string }
  /** Another run, or a task of a plan that is too large. */
  | { readonly kind: 'choose' }
  | { readonly kind: 'svg'; readonly name: string; readonly svg: string };
