import type { Duplex } from 'node:stream';
import { after } from './deadline.ts';
import { BYE } from './hello.ts';
import type { TransportLimits } from './limits.ts';
import { type ErrorBody, type Id, parseMessage, requestOf } from './messages.ts';
import { Wire } from './wire.ts';

/** Why a request has no result. */
export type FailureReason =
  /** Nobody knows whether it was carried out: ask for its operation once connected again. */
  | { readonly kind: 'closed' }
  /** The coordinator is busy, or stopped; nor is it known whether it will be carried out. */
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** It was not sent. */
  | { readonly kind: 'too-long' }
  | { readonly kind: 'answer'; readonly code: number; readonly data: unknown };

export class RequestFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.reason = reason;
  }
}

export type ClosedReason =
  /** This side closed. */
  | { readonly kind: 'ours' }
  /** The coordinator stops, or wants us gone. */
  | { readonly kind: 'bye' }
  /** Its process died, or sent what nobody understands, or one side did not read. */
  | { readonly kind: 'lost' }
  /** It said what we did wrong. */
  | { readonly kind: 'refused'; readonly message: string };

export interface ClientWireOptions {
  readonly limits: TransportLimits;
  /** In the order they were sent; the first ones may come before whoever connects knows that it is. */
  readonly onNotification: (method: string, params: unknown) => void;
  /** Once, whoever closed. All requests under way have failed before. */
  readonly onClosed: (reason: ClosedReason) => void;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: RequestFailure) => void;
  readonly timer: Disposable;
}

/** Requests, their answers, and notifications, as a peer sees them. */
export class ClientWire {
  readonly #wire: Wire;
  readonly #options: ClientWireOptions;
  readonly #pending = new Map<Id, PendingRequest>();
  #lastId = 0;
  #reason: ClosedReason = { kind: 'lost' };

  constructor(stream: Duplex, options: ClientWireOptions) {
    this.#options = options;
    this.#wire = new Wire(stream, {
      limits: options.limits,
      firstFrameBytes: options.limits.frameBytes,
      listener: {
        onFrame: (value) => this.#hear(value),
        onViolation: () => this.#wire.destroy(),
        onClosed: () => {
          this.#failAll();
          options.onClosed(this.#reason);
        },
      },
    });
  }

  async request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const sent = this.#wire.send(requestOf(id, method, params));
    if (sent === 'closed') throw closedFailure();
    if (sent === 'too-long') {
      const message = `The request "${method}" is longer than a frame may be.`;
      throw new RequestFailure({ kind: 'too-long' }, message);
    }
    return await new Promise((resolve, reject) => {
      const timer = after(timeoutMs, () => {
        const message = `The coordinator did not answer "${method}" within ${timeoutMs} ms. It may be busy or stopped.`;
        this.#settle(id)?.reject(new RequestFailure({ kind: 'timeout', timeoutMs }, message));
      });
      this.#pending.set(id, { resolve, reject, timer });
    });
  }

  close(): void {
    this.#leave({ kind: 'ours' });
  }

  #hear(value: unknown): void {
    const message = parseMessage(value);
    switch (message.kind) {
      case 'result':
        // Nobody waits any more for an answer that comes after its timeout.
        this.#settle(message.id)?.resolve(message.result);
        return;
      case 'error':
        this.#hearError(message.id, message.error);
        return;
      case 'notification':
        if (message.method === BYE) this.#leave({ kind: 'bye' });
        else this.#options.onNotification(message.method, message.params);
        return;
      default:
        // A later coordinator may say more than we know of.
        return;
    }
  }

  /** An error that answers no request is about the connection; the coordinator closes it mostly. */
  #hearError(id: Id | null, { code, message, data }: ErrorBody): void {
    if (id === null) this.#reason = { kind: 'refused', message };
    else this.#settle(id)?.reject(new RequestFailure({ kind: 'answer', code, data }, message));
  }

  #settle(id: Id): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.timer[Symbol.dispose]();
    return pending;
  }

  #leave(reason: ClosedReason): void {
    if (!this.#wire.isOpen) return;
    this.#reason = reason;
    this.#wire.end();
    this.#failAll();
  }

  #failAll(): void {
    for (const id of this.#pending.keys()) this.#settle(id)?.reject(closedFailure());
  }
}

function closedFailure(): RequestFailure {
  return new RequestFailure(
    { kind: 'closed' },
    'The connection to the coordinator of the board is closed.',
  );
}
