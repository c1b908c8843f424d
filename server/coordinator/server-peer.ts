import type { Duplex } from 'node:stream';
import type { ProcessIdentity } from '../domain/task.ts';
import { after } from './deadline.ts';
import type { Violation } from './frames.ts';
import {
  agentOf,
  BYE,
  groupOf,
  HELLO,
  type HelloOutcome,
  type PeerGroup,
  type PeerRole,
} from './hello.ts';
import type { TransportLimits } from './limits.ts';
import {
  ERROR_CODES,
  type ErrorBody,
  errorOf,
  type Id,
  notificationOf,
  parseMessage,
  type Request,
  RequestError,
  resultOf,
} from './messages.ts';
import type { SharedFrames } from './shared-frames.ts';
import { Wire } from './wire.ts';

/** A window, a worker or an observer that has proved the token. */
export interface Peer {
  /** Counts up, and is used once for each coordinator. */
  readonly id: number;
  readonly role: PeerRole;
  readonly name: string;
  readonly build: string;
  /** The version that both speak. */
  readonly protocol: number;
  /** Of a server of tools: the process of its agent, where it is known. */
  readonly agent?: ProcessIdentity;
  /**
   * Keeps the order, with answers too. To one that has left it goes nowhere. One that does not read,
   * or is told more than a frame holds, is closed, so that nobody misses a part unknowingly; so tell
   * in parts, and never more than `outgoingBytes` in one tick.
   */
  notify(method: string, params: unknown): void;
  /** Says goodbye first. */
  close(): void;
}

/** What requests mean. Whatever it throws, only that request fails. */
export interface BoardHandler {
  joined(peer: Peer): void;
  /**
   * All requests of one read are handed over in one tick, and answers of one tick go out in one
   * write. Throw a `RequestError` for what the peer is to be told.
   */
  request(peer: Peer, method: string, params: unknown): Promise<unknown>;
  /** Once for each that joined, in a tick of its own. Requests under way are answered to nobody. */
  left(peer: Peer): void;
}

/** What the peers of one server have in common. */
export interface ServerPeerContext {
  readonly handler: BoardHandler;
  readonly limits: TransportLimits;
  /** What a handler threw that it was not meant to. */
  readonly onFault: (error: unknown) => void;
  readonly build: string;
  readonly judge: (params: unknown) => HelloOutcome;
  /** Seats one more of those that proved the token; nothing when all places are taken. */
  readonly seat: (peer: ServerPeer, group: PeerGroup) => number | undefined;
  readonly onClosed: (peer: ServerPeer) => void;
  /** It does not read as fast as it is told. */
  readonly onBacklog: () => void;
  readonly frames: SharedFrames;
}

const VIOLATIONS: Readonly<Record<Violation, string>> = {
  empty: 'This frame has no content.',
  'too-long': 'This frame is longer than a frame may be.',
  'not-utf8': 'This frame is not UTF-8.',
  'not-json': 'This frame is not JSON.',
  'too-deep': 'The JSON of this frame has too many levels.',
  'too-slow': 'This frame took too long to arrive.',
  truncated: 'This frame ends before its length.',
};

const TOO_LONG: ErrorBody = {
  code: ERROR_CODES.tooLong,
  message: 'This is longer than a frame may be.',
};

/**
 * One connection, as the coordinator sees it.
 *
 *     stranger --hello--> seated --closed--> gone
 *     stranger --anything else, another token, helloMs--> refused --closed--> gone
 *
 * Invariant: the handler hears of a peer only from `joined` to `left`.
 */
export class ServerPeer {
  readonly #wire: Wire;
  readonly #context: ServerPeerContext;
  readonly #helloDeadline: Disposable;
  readonly #inFlight = new Set<Id>();
  #peer: Peer | undefined;

  constructor(stream: Duplex, context: ServerPeerContext) {
    this.#context = context;
    const { limits } = context;
    this.#wire = new Wire(stream, {
      limits,
      firstFrameBytes: limits.strangerFrameBytes,
      listener: {
        onFrame: (value) => this.#hear(value),
        onViolation: (violation) =>
          this.#refuse(null, { code: ERROR_CODES.parseError, message: VIOLATIONS[violation] }),
        onBacklog: () => context.onBacklog(),
        onClosed: () => this.#gone(),
      },
    });
    this.#helloDeadline = after(limits.helloMs, () =>
      this.#refuse(null, { code: ERROR_CODES.unauthorised, message: 'The hello did not come.' }),
    );
  }

  sayBye(): void {
    if (this.#peer !== undefined) this.#wire.send(notificationOf(BYE, {}));
    this.#wire.end();
  }

  destroy(): void {
    this.#wire.destroy();
  }

  /** What waits for it to read it. */
  get backlogBytes(): number {
    return this.#wire.backlogBytes;
  }

  #hear(value: unknown): void {
    const message = parseMessage(value);
    if (this.#peer === undefined) {
      if (message.kind === 'request' && message.method === HELLO) this.#welcome(message);
      else
        this.#refuse(null, {
          code: ERROR_CODES.unauthorised,
          message: 'The first thing to say here is hello.',
        });
      return;
    }
    // Nobody here asks peers, or has a use for their notifications: both are for other versions.
    if (message.kind === 'request') this.#serve(this.#peer, message);
    else if (message.kind === 'invalid') this.#say(errorOf(message.id, message.error), message.id);
  }

  #welcome({ id, params }: Request): void {
    const { judge, seat, build, handler } = this.#context;
    const outcome = judge(params);
    if (outcome.kind === 'refused') {
      this.#refuse(id, outcome.error);
      return;
    }
    const place = seat(this, groupOf(outcome.hello));
    if (place === undefined) {
      const message = 'The board has as many connections as it may have. Close some of them.';
      this.#refuse(id, { code: ERROR_CODES.overloaded, message });
      return;
    }
    this.#helloDeadline[Symbol.dispose]();
    this.#wire.raiseLimit();
    const { role, name, build: peerBuild } = outcome.hello;
    const agent = agentOf(outcome.hello);
    const peer: Peer = {
      id: place,
      role,
      name,
      build: peerBuild,
      protocol: outcome.protocol,
      ...(agent !== undefined && { agent }),
      notify: (method, args) => this.#notify(method, args),
      close: () => this.sayBye(),
    };
    this.#peer = peer;
    this.#say(resultOf(id, { build, protocol: outcome.protocol, peer: place }), id);
    this.#guard(() => handler.joined(peer));
  }

  #serve(peer: Peer, { id, method, params }: Request): void {
    if (this.#inFlight.has(id)) {
      // Told without the id, so that nobody takes it for the answer to the first of the two.
      const message = 'There is a request under way that has the same id.';
      this.#say(errorOf(null, { code: ERROR_CODES.invalidRequest, message, data: { id } }), null);
      return;
    }
    if (method === HELLO) {
      const message = 'Hello was said before.';
      this.#say(errorOf(id, { code: ERROR_CODES.invalidRequest, message }), id);
      return;
    }
    const { requestsInFlight } = this.#context.limits;
    if (this.#inFlight.size >= requestsInFlight) {
      const message = `There are ${requestsInFlight} requests under way. Wait for an answer first.`;
      this.#say(errorOf(id, { code: ERROR_CODES.overloaded, message }), id);
      return;
    }
    this.#inFlight.add(id);
    void this.#answer(peer, { id, method, params });
  }

  async #answer(
    peer: Peer,
    { id, method, params }: Pick<Request, 'id' | 'method' | 'params'>,
  ): Promise<void> {
    let answer: unknown;
    try {
      answer = resultOf(id, await this.#context.handler.request(peer, method, params));
    } catch (error) {
      answer = errorOf(id, this.#bodyOf(error));
    }
    this.#inFlight.delete(id);
    try {
      this.#say(answer, id);
    } catch (error) {
      // What the handler answered cannot be written as JSON.
      this.#say(errorOf(id, this.#bodyOf(error)), id);
    }
  }

  #bodyOf(error: unknown): ErrorBody {
    if (error instanceof RequestError) return error;
    this.#context.onFault(error);
    return { code: ERROR_CODES.internalError, message: 'Interlock failed at this request.' };
  }

  #notify(method: string, params: unknown): void {
    const frame = this.#context.frames.notification(method, params);
    if (frame === undefined) this.#refuse(null, TOO_LONG);
    else this.#wire.sendBytes(frame);
  }

  /** What is too long is said to be; where nothing waits for an answer, the peer is closed. */
  #say(message: unknown, id: Id | null): void {
    if (this.#wire.send(message) !== 'too-long') return;
    if (id === null) this.#refuse(null, TOO_LONG);
    else this.#wire.send(errorOf(id, TOO_LONG));
  }

  #refuse(id: Id | null, error: ErrorBody): void {
    this.#wire.send(errorOf(id, error));
    this.#wire.end();
    this.#helloDeadline[Symbol.dispose]();
  }

  #gone(): void {
    this.#helloDeadline[Symbol.dispose]();
    this.#context.onClosed(this);
    const peer = this.#peer;
    if (peer !== undefined) this.#guard(() => this.#context.handler.left(peer));
  }

  #guard(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#context.onFault(error);
    }
  }
}
