/** What the user may change at any time. */
export interface ClientSettings {
  /** What the user wants to be called on boards; absent: as the system calls them. */
  readonly userName?: string;
  /** What the user's own settings say of hosts, as they say it; absent: there is no such setting. */
  readonly hosts?: unknown;
}

/** What a client may pass as `initializationOptions`. Without it, nothing is trusted. */
export interface InitializationOptions extends ClientSettings {
  /** Whether the user trusts the workspace. Until then plans are read and nothing runs. */
  readonly isTrusted?: boolean;
  /** Whether the client says which documents have unsaved changes: `documents/unsaved`. */
  readonly tellsUnsaved?: boolean;
}

/** Client to server, when the user comes to trust the workspace. No parameters. */
export const TRUST_GRANTED = 'trust/granted';

/** Client to server, whenever the user changes a setting: `ClientSettings`, all of them. */
export const SETTINGS_CHANGED = 'settings/changed';

/**
 * Server to client, once after the start when it has looked what became of the tasks that ran before,
 * and again when trust was granted: `BoardResumed`.
 */
export const BOARD_RESUMED = 'board/resumed';

/** Of all folders together, tasks that runners had when this server came; all zero where none ran. */
export interface BoardResumed {
  /** They run, and this server knows how they end. */
  readonly runningCount: number;
  /** They came to their end meanwhile, and how is known. */
  readonly finishedCount: number;
  /** Nobody knows how they ended; they are tried again, or wait for the user. */
  readonly lostCount: number;
}

/** Server to client, beside `window/showMessage`, when a folder's store does not work: `BoardProblem`. */
export const BOARD_PROBLEM = 'board/problem';

export interface BoardProblem {
  readonly folderUri: string;
  /** A sentence for the user that says what is wrong and what to do. */
  readonly message: string;
}
