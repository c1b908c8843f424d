import type { TaskKey } from './tasks.ts';

/** Server to client, whenever a worker comes, goes, or changes how it looks: `WorkersChanged`. */
export const WORKERS_CHANGED = 'workers/changed';

/** Client to server, when the user does something about a worker: `WorkerAction` to `WorkerReply`. */
export const ACT_ON_WORKER = 'workers/act';

/** Client to server, when the user takes something from whoever has it: `TakeHold` to `WorkerReply`. */
export const TAKE_HOLD = 'workers/take';

/** Names one worker of one folder's board. */
export interface WorkerKey {
  /** The workspace folder, as the client named it. */
  readonly folderUri: string;
  /** `agent/claude-1`, `person/kim`, `runner/local`; `configured/claude` is an agent that a runner can start. */
  readonly id: string;
}

/** Whatever can hold a claim, ready to be shown. Times are milliseconds since 1970, by the board's clock. */
export interface WorkerView extends WorkerKey {
  readonly kind: 'runner' | 'host' | 'agent' | 'person' | 'terminal';
  readonly name: string;
  /** The person before this window, in whichever of their windows. */
  readonly isYou: boolean;
  readonly state: 'idle' | 'busy' | 'away';
  /** It keeps what it has, and is given nothing new. */
  readonly isDrained: boolean;
  /** What is wrong with it, as a clause; empty where nothing is. */
  readonly trouble: string;
  readonly uses: readonly Use[];
  /** What else there is to say, a clause each. */
  readonly remarks: readonly string[];
  readonly capabilities: readonly string[];
  /** When it was last heard of; absent: it has not been. */
  readonly heardAt?: number;
  readonly holds: readonly Hold[];
  /** Of a host of the user's settings. */
  readonly host?: HostView;
}

/** The way to a host, as it is now. */
export interface HostView {
  /** What the user would write after `ssh`. */
  readonly ssh: string;
  /** `idle`: no task needs it, so nobody is connected to it; `unhealthy`: what it had is given to others. */
  readonly state:
    | 'idle'
    | 'connecting'
    | 'reachable'
    | 'reconnecting'
    | 'unreachable'
    | 'unhealthy';
  /** A clause; empty where all is well. */
  readonly why: string;
  /** Since when it is so, where somebody has seen it change. */
  readonly since?: number;
  /** As `Linux x86_64`. */
  readonly system?: string;
  readonly hasTmux?: boolean;
}

/** What is taken of something there is. */
export interface Use {
  /** `places`, `memory`, which is counted in bytes, or what the plan calls it. */
  readonly what: string;
  readonly used: number;
  readonly of: number;
}

/** A task or paths that a worker has. */
export interface Hold {
  /** The same for as long as it is the same claim. */
  readonly key: string;
  /** The task, or the paths that were taken without one. */
  readonly name: string;
  readonly what: 'task' | 'paths' | 'unsaved' | 'saved';
  /** Absent of paths, and of tasks of folders that are not open. */
  readonly task?: TaskKey;
  readonly title: string;
  readonly writes: readonly string[];
  readonly since: number;
  /** The end of its lease, unless it is renewed; absent: until it is released. */
  readonly expiresAt?: number;
  /** What happens when it is taken away, as a sentence; absent: it cannot be. */
  readonly takingMeans?: string;
}

/** The board of one folder, as far as it is about those who work there. */
export interface BoardView {
  readonly folderUri: string;
  /** Who decides for it; absent: nobody does now. */
  readonly decider?: string;
  /** It is the server of this client. */
  readonly isDecidingHere: boolean;
  readonly isPaused: boolean;
  readonly load: string;
}

export interface WorkersChanged {
  /** The board's clock when this was said. */
  readonly now: number;
  readonly changed: readonly WorkerView[];
  readonly removed: readonly WorkerKey[];
  /** All of them. */
  readonly boards: readonly BoardView[];
}

export interface WorkerAction extends WorkerKey {
  /** `wake`: whoever is idle is told again of what could be taken. */
  readonly action: 'drain' | 'undrain' | 'wake';
}

export interface TakeHold extends WorkerKey {
  readonly key: string;
}

export interface WorkerReply {
  /** Why nothing was done, as a sentence for the user; absent when it was. */
  readonly refusal?: string;
}
