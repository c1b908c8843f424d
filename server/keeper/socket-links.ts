import { type BoardConnection, connectBoard } from '../coordinator/board-connection.ts';
import { isNewerBuild } from '../coordinator/builds.ts';
import { type BoardServer, serveBoard } from '../coordinator/board-server.ts';
import type { PeerGroup, PeerRole } from '../coordinator/hello.ts';
import { readPass, removePass } from '../coordinator/token.ts';
import type { TransportLimits } from '../coordinator/limits.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { ProcessIdentity } from '../domain/task.ts';
import { StoreError } from '../engine/store-error.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { decodeEntries, decodeHalt, decodeSubscribed, decodeWake } from './answers.ts';
import { type AgentEnds, Desk } from './desk.ts';
import type { ReadLedger } from './ledger-feed.ts';
import {
  type ConnectResult,
  type DecidingRank,
  type LinkListener,
  LinkLost,
  type Links,
  type LinkServer,
} from './links.ts';
import { HALT, LEDGER, SUBSCRIBE, WAKE, YIELD } from './messages.ts';
import { RemoteCalls } from './remote-calls.ts';
import { errorFromPeer } from './remote-errors.ts';

export interface SocketLinksOptions {
  /** Of the board: there already, and this user's alone. */
  readonly directory: string;
  readonly role: PeerRole;
  /** Absent: as the role. */
  readonly group?: PeerGroup | undefined;
  /** The process of the agent whose server of tools this process is. */
  readonly agent?: ProcessIdentity | undefined;
  /** Looks whether agents have ended whose servers were killed. Absent: nobody looks. */
  readonly ends?: AgentEnds;
  /** What people see of this process. */
  readonly name: string;
  /** The version of Interlock that this process is. */
  readonly build: string;
  /** How much this process wants to decide. */
  readonly rank?: DecidingRank;
  readonly events: ReadLedger;
  /** What nobody was meant to throw. The links go on; whoever has them writes it down. */
  readonly onFault: (error: unknown) => void;
  /** Of one request. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<TransportLimits>;
}

/** Ways between the processes of a board over the socket in its directory. */
export class SocketLinks implements Links {
  readonly #options: SocketLinksOptions;
  readonly present = new Map<WorkerId, Worker>();

  constructor(options: SocketLinksOptions) {
    this.#options = options;
  }

  server(onYield: () => void): LinkServer {
    const { directory, build, rank = 'normal', events, onFault, ends, limits = {} } = this.#options;
    const desk = new Desk({ events, onFault, build, rank, onYield, ends });
    let listening: Promise<BoardServer> | undefined;
    return {
      open: async (calls) => {
        desk.open(calls);
        listening = serveBoard({ directory, build, handler: desk, onFault, limits });
        await listening;
      },
      tell: (entries) => desk.tell(entries),
      wake: (worker, task) => desk.wake(worker, task),
      halt: (sentence) => desk.halt(sentence),
      restore: async () => {
        const server = await listening;
        await server?.restore();
      },
      close: async () => {
        desk.close();
        // Whoever opened it was told that it could not be.
        const server = await listening?.catch(() => undefined);
        await server?.close();
      },
    };
  }

  cutOff(): void {
    const { directory } = this.#options;
    const pass = readPass(directory);
    if (pass !== undefined) removePass(directory, pass);
  }

  async connect(listener: LinkListener, after?: number): Promise<ConnectResult> {
    const {
      directory,
      role,
      group,
      agent,
      name,
      build,
      limits = {},
      timeoutMs = TIMEOUT_MS,
    } = this.#options;
    const life: Life = { state: 'connecting' };
    const result = await connectBoard({
      directory,
      role,
      group,
      agent,
      name,
      build,
      limits,
      timeoutMs,
      onNotification: (method, params) => this.#hear(listener, method, params),
      onClosed: ({ kind }) => {
        if (life.state === 'connected' && kind !== 'ours') listener.gone();
        life.state = 'over';
      },
    });
    if (result.kind === 'absent') return result;
    if (result.kind === 'refused' && result.refusal === 'unanswered') return { kind: 'silent' };
    if (result.kind === 'refused') return { kind: 'refused', message: result.message };
    const { connection } = result;
    const isSubscribed = after === undefined || (await subscribe(connection, after));
    // Whoever does not know yet that we are connected is told that nobody is there.
    if (!isSubscribed || life.state === 'over') {
      connection.close();
      return { kind: 'absent' };
    }
    life.state = 'connected';
    const calls = new RemoteCalls(connection, this.present);
    this.#greetAgain(calls);
    const takesPart = role === 'window' && after !== undefined;
    const { rank = 'normal' } = this.#options;
    const isNewer = isNewerBuild(build, { than: connection.build });
    if (takesPart && (isNewer || rank === 'first')) askToYield(connection, rank);
    return { kind: 'connected', link: { calls, close: () => connection.close() } };
  }

  #hear(listener: LinkListener, method: string, params: unknown): void {
    // A later coordinator may say more than we know of.
    if (method === LEDGER) listener.told(this.#understand(() => decodeEntries(params)) ?? []);
    if (method === WAKE) {
      const wake = this.#understand(() => decodeWake(params));
      if (wake !== undefined) listener.woken(wake.worker, wake.task);
    }
    if (method === HALT) {
      const sentence = this.#understand(() => decodeHalt(params));
      if (sentence !== undefined) listener.halted(sentence);
    }
  }

  #understand<T>(decode: () => T): T | undefined {
    try {
      return decode();
    } catch (error) {
      this.#options.onFault(error);
      return undefined;
    }
  }

  #greetAgain(calls: RemoteCalls): void {
    for (const worker of this.present.values())
      calls.greet(worker).catch((error: unknown) => {
        if (!isGone(error)) this.#options.onFault(error);
      });
  }
}

const TIMEOUT_MS = 30_000;

interface Life {
  state: 'connecting' | 'connected' | 'over';
}

/** Page after page, until whatever happens is told as it happens. `false`: it went away meanwhile. */
async function subscribe(connection: BoardConnection, from: number): Promise<boolean> {
  try {
    for (let after = from; ;) {
      const answer = decodeSubscribed(await connection.request(SUBSCRIBE, { after }));
      if (answer.isLive) return true;
      ({ after } = answer);
    }
  } catch (failure) {
    const error = errorFromPeer(failure);
    connection.close();
    if (isGone(error)) return false;
    throw error;
  }
}

/** One that does not know of it says so, and goes on; one that yields says goodbye. */
function askToYield(connection: BoardConnection, rank: DecidingRank): void {
  connection.request(YIELD, { rank }).catch(() => {});
}

function isGone(error: unknown): boolean {
  return error instanceof LinkLost || (error instanceof StoreError && error.reason === 'deposed');
}
