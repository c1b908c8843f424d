import type { BoardHandler, Peer } from '../coordinator/server-peer.ts';
import { isNewerBuild } from '../coordinator/builds.ts';
import { assert } from '../domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { StoreError } from '../engine/store-error.ts';
import { encodeHalt, encodeWake } from './answers.ts';
import { LedgerFeed, FreshLines, type ReadLedger } from './ledger-feed.ts';
import {
  type BoardRequest,
  HALT,
  mayAsk,
  parseRequest,
  parseSubscription,
  perform,
  SUBSCRIBE,
  WAKE,
  YIELD,
} from './messages.ts';
import { errorForPeer, notAllowed, tooManyWorkers, unknownMethod } from './remote-errors.ts';

/** What a peer has to do with the board. */
interface Seat {
  readonly peer: Peer;
  readonly feed: LedgerFeed;
  /** Those who are at the board through this peer. */
  readonly workers: Set<WorkerId>;
  /** Paths of buffers with changes, by their ids: they are as lost as the window. */
  readonly buffers: Set<string>;
}

interface DeskOptions {
  readonly events: ReadLedger;
  readonly onFault: (error: unknown) => void;
  /** The version of Interlock that this process is. */
  readonly build: string;
  /** A newer one is to decide. */
  readonly onYield: () => void;
}

/** Where the peers of a board are served while this process decides. */
export class Desk implements BoardHandler {
  readonly #read: ReadLedger;
  readonly #onFault: (error: unknown) => void;
  readonly #build: string;
  readonly #onYield: () => void;
  readonly #seats = new Map<Peer, Seat>();
  #calls: BoardCalls | undefined;
  /** Why nothing more is decided. */
  #halt: string | undefined;
  #isClosed = false;

  constructor({ events, onFault, build, onYield }: DeskOptions) {
    this.#read = events;
    this.#onFault = onFault;
    this.#build = build;
    this.#onYield = onYield;
  }

  open(calls: BoardCalls): void {
    this.#calls = calls;
  }

  joined(peer: Peer): void {
    const feed = new LedgerFeed((method, params) => peer.notify(method, params), this.#read);
    this.#seats.set(peer, { peer, feed, workers: new Set(), buffers: new Set() });
  }

  /** Nothing is waited for before the board is asked, so that what comes together is written together. */
  async request(peer: Peer, method: string, params: unknown): Promise<unknown> {
    try {
      const seat = this.#seatOf(peer);
      if (!mayAsk(peer.role, method)) throw notAllowed(peer.role, method);
      if (method === SUBSCRIBE) return this.#subscribe(seat, parseSubscription(params).after);
      if (method === YIELD) return this.#yieldTo(peer);
      const request = parseRequest(method, params);
      if (request === undefined) throw unknownMethod(method);
      if (!notePresence(seat, request)) throw tooManyWorkers(WORKERS);
      return await perform(this.#board, request);
    } catch (error) {
      throw errorForPeer(error);
    }
  }

  left(peer: Peer): void {
    const { workers, buffers } = this.#seatOf(peer);
    this.#seats.delete(peer);
    for (const worker of workers)
      if (this.#seatsWith(worker).length === 0)
        void this.#say(async (board) => await board.leave(worker));
    for (const id of buffers) void this.#say(async (board) => await board.free(id));
  }

  tell(entries: readonly LedgerEntry[]): void {
    const listening = [...this.#seats.values()].filter(({ feed }) => feed.isLive);
    if (listening.length === 0) return;
    const news = new FreshLines(entries);
    for (const { feed, peer } of listening)
      try {
        feed.tell(news);
      } catch (error) {
        // It comes back, and is told then what it has missed.
        this.#onFault(error);
        peer.close();
      }
  }

  wake(worker: WorkerId, task: { readonly run: RunId; readonly task: TaskId }): void {
    const wake = encodeWake({ worker, task });
    for (const { peer } of this.#seatsWith(worker)) peer.notify(WAKE, wake);
  }

  halt(sentence: string): void {
    this.#halt = sentence;
    for (const { feed, peer } of this.#seats.values())
      if (feed.isLive) peer.notify(HALT, encodeHalt(sentence));
  }

  /** Whoever leaves from now on leaves because we do. */
  close(): void {
    this.#isClosed = true;
  }

  /** Only ever to a newer one: of any two, one stays. */
  #yieldTo({ build }: Peer): { readonly yields: boolean } {
    const yields = isNewerBuild(build, { than: this.#build });
    if (yields) this.#onYield();
    return { yields };
  }

  get #board(): BoardCalls {
    assert(this.#calls !== undefined, 'nobody can come before it is open');
    return this.#calls;
  }

  #subscribe({ feed, peer }: Seat, after: number): ReturnType<LedgerFeed['catchUp']> {
    const answer = feed.catchUp(after);
    if (answer.isLive && this.#halt !== undefined) peer.notify(HALT, encodeHalt(this.#halt));
    return answer;
  }

  #seatOf(peer: Peer): Seat {
    const seat = this.#seats.get(peer);
    assert(seat !== undefined, 'a peer has a seat from when it joins to when it leaves');
    return seat;
  }

  #seatsWith(worker: WorkerId): readonly Seat[] {
    return [...this.#seats.values()].filter(({ workers }) => workers.has(worker));
  }

  async #say(say: (board: BoardCalls) => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    try {
      await say(this.#board);
    } catch (error) {
      // Whoever decides next does not see it either, and that is as good.
      if (!(error instanceof StoreError && error.reason === 'deposed')) this.#onFault(error);
    }
  }
}

/** So many may be at the board through one peer. */
const WORKERS = 1000;
const BUFFERS = 1000;

/** Whoever claims is there, too. `false`: there are as many as there may be. */
function notePresence({ workers, buffers }: Seat, request: BoardRequest): boolean {
  if (request.method === 'board/free') buffers.delete(request.params.id);
  if (request.method === 'board/own') {
    const { id, isUnsaved } = request.params.request;
    // More than that end when their time is over.
    if (isUnsaved && buffers.size < BUFFERS) buffers.add(id);
  }
  if (request.method === 'board/leave') workers.delete(request.params.worker);
  if (request.method !== 'board/greet' && request.method !== 'board/claim') return true;
  const { id } = request.params.worker;
  if (workers.size >= WORKERS && !workers.has(id)) return false;
  workers.add(id);
  return true;
}
