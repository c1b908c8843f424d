/** What a client may pass as `initializationOptions`. Without it, nothing is trusted. */
export interface InitializationOptions {
  /** Whether the user trusts the workspace. Until then plans are read and nothing runs. */
  readonly isTrusted?: boolean;
  /** What the user wants to be called on boards; absent: as the system calls them. */
  readonly userName?: string;
  /** Whether the client says which documents have unsaved changes: `documents/unsaved`. */
  readonly tellsUnsaved?: boolean;
}

/** Client to server, when the user comes to trust the workspace. No parameters. */
export const TRUST_GRANTED = 'trust/granted';

/** Server to client, beside `window/showMessage`, when a folder's store does not work: `BoardProblem`. */
export const BOARD_PROBLEM = 'board/problem';

export interface BoardProblem {
  readonly folderUri: string;
  /** A sentence for the user that says what is wrong and what to do. */
  readonly message: string;
}
