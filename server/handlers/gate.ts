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

/** For what the messages of a client wait. */
interface Readiness {
  /** A text that came is still being read: whatever comes after it, comes after it. */
  readonly isReading: boolean;
  /** Plans are not all known yet: questions wait, texts do not. */
  readonly isLoading: boolean;
  onReady(listener: () => void): void;
}

/**
 * What a client sends goes through here before anybody else sees it. Whatever is not a message of
 * the protocol, or not at its time, is answered with why, and nobody behind has to expect it.
 *
 * new ──initialize──▶ open ──shutdown──▶ closed
 *
 * Long texts are read in slices. Until that has ended, messages wait here, in their order: those who
 * answer them see all that came before, and the process does what others ask of it in between.
 */
export class Gate implements MessageStrategy {
  #state: 'new' | 'open' | 'closed' = 'new';
  #isMet = false;
  #readiness: Readiness | undefined;
  readonly #waiting: { readonly message: Message; readonly next: Next }[] = [];
  #isPassing = false;

  waitFor(readiness: Readiness): void {
    this.#readiness = readiness;
    readiness.onReady(() => this.#passAll());
  }

  handleMessage(message: Message, next: Next): Result {
    if (isAtOnce(message)) return this.#pass(message, next);
    this.#waiting.push({ message, next });
    this.#passAll();
    return undefined;
  }

  #passAll(): void {
    // A message that is handed on may be what makes others ready.
    if (this.#isPassing) return;
    this.#isPassing = true;
    try {
      for (let first = this.#waiting[0]; first !== undefined; [first] = this.#waiting) {
        if (this.#mustWait(first.message)) break;
        this.#waiting.shift();
        void this.#pass(first.message, first.next);
      }
    } finally {
      this.#isPassing = false;
    }
  }

  #mustWait(message: Message): boolean {
    if (this.#readiness === undefined) return false;
    const { isReading, isLoading } = this.#readiness;
    return isReading || (isLoading && Message.isRequest(message));
  }

  #pass(message: Message, next: Next): Result {
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

/** Answers to our own questions, and the end, which waits for nothing. */
function isAtOnce(message: Message): boolean {
  if (Message.isRequest(message)) return message.method === 'shutdown';
  return !Message.isNotification(message) || message.method === 'exit';
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
