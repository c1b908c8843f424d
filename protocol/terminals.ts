/**
 * Client to server, after each start and whenever the user changes their name, where the client can open
 * terminals that people type into: `TerminalsOffer`. Without it no task runs in a terminal of this client.
 */
export const OFFER_TERMINALS = 'terminals/offer';

export interface TerminalsOffer {
  /** What the user wants to be called on boards; absent: as the system calls them. */
  readonly userName?: string;
}

/** Server to client, when a task could start in a terminal now: `OpenTerminal`. */
export const OPEN_TERMINAL = 'terminals/open';

/**
 * The client opens a terminal, and in it the command line of Interlock:
 * `terminal ID --board=… --plan=… --run=… --attempt=… --as=… --stay`. That program claims the task,
 * if nobody else has, and runs what the plan says. None of these is for a shell.
 */
export interface OpenTerminal {
  readonly folderUri: string;
  /** The plan's path relative to the folder. */
  readonly plan: string;
  readonly id: string;
  /** The folder as the board knows it: an absolute path without links. */
  readonly board: string;
  readonly run: string;
  readonly attempt: number;
  /** Who is before the terminal. */
  readonly as: string;
}
