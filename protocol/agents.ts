/** Client to server, when a model of the editor asks how a task is and why: `TaskKey` to `TaskAnswer`. */
export const EXPLAIN_TASK = 'agents/explain';

/** Client to server, when a model of the editor asks who is at work on files: `FilesAsked` to `FilesAnswer`. */
export const FIND_OWNERS = 'agents/owners';

export interface TaskAnswer {
  /** How it is, and one for each thing that is in its way; empty where there is no such task. */
  readonly sentences: readonly string[];
}

export interface FilesAsked {
  /** At most 200. */
  readonly uris: readonly string[];
}

export interface FilesAnswer {
  /** In the order in which they were asked for. */
  readonly files: readonly FileAnswer[];
}

export interface FileAnswer {
  readonly uri: string;
  /** Whether nobody else writes it in this working tree. */
  readonly mayWrite: boolean;
  /** Who else writes or reads it, since when and until when. */
  readonly sentences: readonly string[];
}
