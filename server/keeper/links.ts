import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { Worker } from '../scheduler/model/workers.ts';

/**
 * How much a process wants to decide. An agent's server is stopped with its agent, so it decides only as
 * long as no other process does. It and a short command hand over to a window, `serve` or `run` as soon as
 * one is there.
 */
export type DecidingRank = 'first' | 'normal' | 'last';

const RANKS: Readonly<Record<DecidingRank, number>> = { first: 2, normal: 1, last: 0 };

export function isHigher(one: DecidingRank, other: DecidingRank): boolean {
  return RANKS[one] > RANKS[other];
}

/** Ways between the processes that take part in one board. */
export interface Links {
  /** Workers who are at the board through this process: each coordinator hears of them when it begins. */
  readonly present: Map<WorkerId, Worker>;
  /** For the one who decides; called back when a newer build asks to decide in its place. */
  server(onYield: () => void): LinkServer;
  /**
   * To the one who decides; told of all that happens after a place in the ledger. Who only asks needs
   * no place, and is told nothing.
   */
  connect(listener: LinkListener, after?: number): Promise<ConnectResult>;
  /** The way that leads to a process that was taken over leads nowhere from now on. */
  cutOff(): void;
}

export interface LinkServer {
  /** From now on others may ask. */
  open(calls: BoardCalls, revision: () => number): Promise<void>;
  tell(entries: readonly LedgerEntry[]): void;
  wake(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void;
  /** Nothing more is decided; whoever comes later is told, too. The sentence is complete. */
  halt(sentence: string): void;
  /** Somebody may have deleted what leads here: puts it back. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export interface LinkListener {
  told(entries: readonly LedgerEntry[]): void;
  woken(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void;
  /** Whoever decides is there, and decides nothing more. */
  halted(sentence: string): void;
  /** Whoever decided is not there any more. */
  gone(): void;
}

export type ConnectResult =
  | { readonly kind: 'connected'; readonly link: BoardLink }
  /** Nobody is there, or not yet. */
  | { readonly kind: 'absent' }
  /** It listens and does not answer: it is busy, or was stopped. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'refused'; readonly message: string };

export interface BoardLink {
  readonly calls: BoardCalls;
  close(): void;
}

/** The request did not get through, or nobody knows whether it did: it may be sent again. */
export class LinkLost extends Error {
  constructor(options?: ErrorOptions) {
    super('The process that decides for this board went away.', options);
    this.name = 'LinkLost';
  }
}
