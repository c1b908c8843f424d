import {
  type Connection,
  ErrorCodes,
  Message,
  type MessageStrategy,
  type NotificationMessage,
  type RequestMessage,
  ResponseError,
} from 'vscode-languageserver';
import { readInitialize } from './initialize-params.ts';
import { mistakeIn } from './message-shapes.ts';

type Next = Parameters<MessageStrategy['handleMessage']>[1];
type Result = ReturnType<MessageStrategy['handleMessage']>;

/** What is refused goes on under this name, to whoever answers for it. */
const REFUSED = 'interlock/refused';

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/**
 * What a client sends goes through here before anybody else sees it. Whatever is not a message of
 * the protocol, or not at its time, is answered with why, and nobody behind has to expect it.
 *
 * new ──initialize──▶ open ──shutdown──▶ closed
 */
export class Gate implements MessageStrategy {
  #state: 'new' | 'open' | 'closed' = 'new';
  #isMet = false;

  handleMessage(message: Message, next: Next): Result {
    if (Message.isRequest(message)) return this.#request(byName(message), next);
    if (Message.isNotification(message)) return this.#notification(byName(message), next);
    return next(message);
  }

  #request(message: RequestMessage, next: Next): Result {
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) return next(refused(message, refusal));
    if (message.method === 'shutdown') this.#state = 'closed';
    if (message.method !== 'initialize') return next(message);
    this.#state = 'open';
    const initialize: RequestMessage = { ...message, params: readInitialize(message.params) };
    return next(initialize);
  }

  /** Of what has no answer, only mistakes are told; what comes too early or too late is nothing. */
  #notification(message: NotificationMessage, next: Next): Result {
    if (message.method === 'exit') return next(message);
    if (this.#state !== 'open') return undefined;
    if (message.method === 'initialized') {
      if (this.#isMet) return undefined;
      this.#isMet = true;
    }
    const mistake = mistakeIn(message.method, message.params);
    if (mistake === undefined) return next(message);
    return next(refused(message, { code: ErrorCodes.InvalidParams, message: mistake }));
  }

  #refusalOf({ method, params }: RequestMessage): Refusal | undefined {
    if (this.#state === 'closed')
      return { code: ErrorCodes.InvalidRequest, message: 'The server has been shut down.' };
    if (this.#state === 'new') {
      if (method === 'initialize') return undefined;
      return { code: ErrorCodes.ServerNotInitialized, message: 'Send "initialize" first.' };
    }
    if (method === 'initialize')
      return { code: ErrorCodes.InvalidRequest, message: '"initialize" is sent once.' };
    const mistake = mistakeIn(method, params);
    return mistake === undefined ? undefined : { code: ErrorCodes.InvalidParams, message: mistake };
  }
}

/**
 * All that is sent here has its parameters by their names. Of a list each would be handed on as it is,
 * and `null` has no field to be read.
 */
function byName<T extends RequestMessage | NotificationMessage>(message: T): T {
  const { params }: { readonly params?: unknown } = message;
  return params === null || Array.isArray(params) ? { ...message, params: {} } : message;
}

/** Answers for what a gate has refused. */
export function registerRefusals(connection: Connection): void {
  connection.onRequest(REFUSED, ({ code, message }: Refusal) => new ResponseError(code, message));
  connection.onNotification(REFUSED, ({ message }: Refusal) => connection.console.warn(message));
}

function refused<T extends RequestMessage | NotificationMessage>(message: T, refusal: Refusal): T {
  const params: Refusal = { ...refusal, message: `${message.method}: ${refusal.message}` };
  return { ...message, method: REFUSED, params };
}
