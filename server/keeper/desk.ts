import type { BoardHandler, Peer } from '../coordinator/server-peer.ts';
import { isNewerBuild } from '../coordinator/builds.ts';
import { assert } from '../domain/assert.ts';
import type { RunId, TaskId, WorkerId } from '../domain/ids.ts';
import type { ProcessIdentity } from '../domain/task.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { StoreError } from '../engine/store-error.ts';
import { type AgentEnd, GRACE_MS } from '../scheduler/requests/leave.ts';
import { encodeHalt, encodeWake } from './answers.ts';
import { type DecidingRank, isHigher } from './links.ts';
import { LedgerFeed, FreshLines, type ReadLedger } from './ledger-feed.ts';
import {
  type BoardRequest,
  HALT,
  mayAsk,
  parseRequest,
  parseSubscription,
  parseYield,
  perform,
  SUBSCRIBE,
  WAKE,
  YIELD,
} from './messages.ts';
import {
  errorForPeer,
  notAllowed,
  notPresent,
  tooManyWorkers,
  unknownMethod,
} from './remote-errors.ts';

/** What a peer has to do with the board. */
interface Seat {
  readonly peer: Peer;
  readonly feed: LedgerFeed;
  /** Those who are at the board through this peer. */
  readonly workers: Set<WorkerId>;
  /** Of these, agents whose servers of tools this is. */
  readonly agents: Set<WorkerId>;
  /** Claims that their servers renew over this connection, by their terms. */
  readonly renewed: Map<number, WorkerId>;
  /** Paths that were taken over this connection, by their ids. */
  readonly owned: Set<string>;
  /** Paths of buffers with changes, by their ids: they are as lost as the window. */
  readonly buffers: Set<string>;
}

/** Whether the process of an agent has ended. */
export interface AgentEnds extends Disposable {
  /** Calls back once, if that process ends within the time. */
  watch(agent: ProcessIdentity, forMs: number, onEnded: () => void): void;
}

interface DeskOptions {
  readonly events: ReadLedger;
  readonly onFault: (error: unknown) => void;
  /** The version of Interlock that this process is. */
  readonly build: string;
  readonly rank: DecidingRank;
  /** A newer one is to decide. */
  readonly onYield: () => void;
  readonly ends?: AgentEnds | undefined;
}

/** Where the peers of a board are served while this process decides. */
export class Desk implements BoardHandler {
  readonly #read: ReadLedger;
  readonly #onFault: (error: unknown) => void;
  readonly #build: string;
  readonly #rank: DecidingRank;
  readonly #onYield: () => void;
  readonly #ends: AgentEnds | undefined;
  readonly #seats = new Map<Peer, Seat>();
  #calls: BoardCalls | undefined;
  /** Why nothing more is decided. */
  #halt: string | undefined;
  #isClosed = false;

  constructor({ events, onFault, build, rank, onYield, ends }: DeskOptions) {
    this.#read = events;
    this.#onFault = onFault;
    this.#build = build;
    this.#rank = rank;
    this.#onYield = onYield;
    this.#ends = ends;
  }

  open(calls: BoardCalls): void {
    this.#calls = calls;
  }

  joined(peer: Peer): void {
    const feed = new LedgerFeed((method, params) => peer.notify(method, params), this.#read);
    this.#seats.set(peer, {
      peer,
      feed,
      workers: new Set(),
      agents: new Set(),
      renewed: new Map(),
      owned: new Set(),
      buffers: new Set(),
    });
  }

  /** Nothing is waited for before the board is asked, so that what comes together is written together. */
  async request(peer: Peer, method: string, params: unknown): Promise<unknown> {
    try {
      const seat = this.#seatOf(peer);
      if (!mayAsk(peer.role, method)) throw notAllowed(peer.role, method);
      if (method === SUBSCRIBE) return this.#subscribe(seat, parseSubscription(params).after);
      if (method === YIELD) return this.#yieldTo(peer, parseYield(params));
      const request = parseRequest(method, params);
      if (request === undefined) throw unknownMethod(method);
      if (!maySayIt(seat, request)) throw notPresent(peer.role);
      if (!notePresence(seat, request)) throw tooManyWorkers(WORKERS);
      return await perform(this.#board, request);
    } catch (error) {
      throw errorForPeer(error);
    }
  }

  left(peer: Peer): void {
    const seat = this.#seatOf(peer);
    const { workers, buffers } = seat;
    this.#seats.delete(peer);
    for (const worker of workers)
      if (this.#seatsWith(worker).length === 0) this.#workerLeft(worker, seat);
    for (const id of buffers) void this.#say(async (board) => await board.free(id));
  }

  /** A server that was killed with its agent could not say that the agent has ended. */
  #workerLeft(worker: WorkerId, seat: Seat): void {
    const end = agentEndOf(seat, worker);
    void this.#say(async (board) => await board.leave(worker, end));
    const { agent } = seat.peer;
    if (end === undefined || end.terms.length === 0 || agent === undefined) return;
    const ended: AgentEnd = { ...end, left: 'ended', isLater: true };
    this.#ends?.watch(agent, GRACE_MS, () => {
      void this.#say(async (board) => await board.leave(worker, ended));
    });
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
    this.#ends?.[Symbol.dispose]();
  }

  /** To a newer build, or to a process that wants to decide more: of any two, one does not yield. */
  #yieldTo({ build }: Peer, rank: DecidingRank): { readonly yields: boolean } {
    const isNewer = isNewerBuild(build, { than: this.#build });
    const isOlder = isNewerBuild(this.#build, { than: build });
    const yields = isNewer || (!isOlder && isHigher(rank, this.#rank));
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

/** A worker's own connection speaks for the workers that are at the board through it, and for no other. */
function maySayIt({ peer, workers, owned }: Seat, { method, params }: BoardRequest): boolean {
  if (peer.role !== 'worker') return true;
  switch (method) {
    case 'board/leave':
      return params.agent === undefined || workers.has(params.worker);
    case 'board/told':
      return workers.has(params.worker);
    case 'board/free':
      return owned.has(params.id);
    case 'board/say': {
      const { by } = params.request;
      return by.kind === 'worker' && workers.has(by.worker);
    }
    default:
      return true;
  }
}

/** Whoever claims is there, too. `false`: there are as many as there may be. */
function notePresence(seat: Seat, request: BoardRequest): boolean {
  const { workers, agents, owned, buffers } = seat;
  noteRenewal(seat, request);
  if (request.method === 'board/free') {
    buffers.delete(request.params.id);
    owned.delete(request.params.id);
  }
  if (request.method === 'board/own') {
    const { id, isUnsaved } = request.params.request;
    // More than that end when their time is over.
    if (owned.size < BUFFERS) owned.add(id);
    if (isUnsaved && buffers.size < BUFFERS) buffers.add(id);
  }
  if (request.method === 'board/leave') {
    workers.delete(request.params.worker);
    agents.delete(request.params.worker);
  }
  if (request.method !== 'board/greet' && request.method !== 'board/claim') return true;
  const { id, kind } = request.params.worker;
  if (workers.size >= WORKERS && !workers.has(id)) return false;
  workers.add(id);
  // A command that claims once, and leaves, does not greet.
  if (request.method === 'board/greet' && kind === 'agent') agents.add(id);
  return true;
}

/** The newest claims that one connection renews. */
const RENEWED = 1000;

function noteRenewal({ renewed }: Seat, request: BoardRequest): void {
  if (request.method !== 'board/say') return;
  const { term, by, says } = request.params.request;
  if (by.kind !== 'worker') return;
  if (says.kind === 'renew' && says.isAutomatic === true) {
    // The last one to be renewed is at the end.
    renewed.delete(term);
    renewed.set(term, by.worker);
    const [oldest] = renewed.keys();
    if (renewed.size > RENEWED && oldest !== undefined) renewed.delete(oldest);
  } else if (says.kind !== 'renew' && says.kind !== 'progressed') renewed.delete(term);
}

/** What ends with the connection of an agent's server; undefined if the connection was none. */
function agentEndOf({ agents, renewed }: Seat, worker: WorkerId): AgentEnd | undefined {
  if (!agents.has(worker)) return undefined;
  const own = [...renewed].filter(([, by]) => by === worker);
  return { terms: own.map(([term]) => term), left: 'unknown' };
}
