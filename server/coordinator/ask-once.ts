import { connect } from 'node:net';
import { after, monotonicMs } from './deadline.ts';
import { EndpointError, isEndpointThere } from './endpoint.ts';
import { FrameDecoder, joinFrames, textOfFrame } from './frames.ts';
import { HELLO, PROTOCOL } from './hello.ts';
import { TRANSPORT_LIMITS } from './limits.ts';
import { isRecord, requestOf } from './messages.ts';
import { type Pass, readPass } from './token.ts';

/*
 * One request of a process that ends with its answer, such as the hook of an agent.
 *
 * It does what `connectBoard` and a request over it do, and loads a third of that: hello and the request go
 * out in one write, so that there is one answer to wait for and not two. A coordinator takes the request only
 * if it accepts the hello. Who needs to know why it was not accepted uses `connectBoard`.
 */

export interface OneRequest<Answer> {
  /** Of the board. */
  readonly directory: string;
  /** What people see of this process. */
  readonly name: string;
  /** The version of Interlock that this process is. */
  readonly build: string;
  readonly method: string;
  readonly params: unknown;
  /** Reads the answer; throws where it is none. */
  readonly decode: (result: unknown) => Answer;
  /** From the connection to the answer. */
  readonly timeoutMs: number;
}

export type OneAnswer<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** No coordinator takes the request. */
  | { readonly kind: 'absent' }
  /** It does not answer, or what it answers cannot be read. Whether it takes the request is not known. */
  | { readonly kind: 'silent' };

/** A coordinator may begin while we connect; two of them within that time is no accident. */
const TRIES = 3;
const [HELLO_ID, REQUEST_ID] = [1, 2];

/** Asks the coordinator of a board, as a worker. After an answer, the connection is left to the end of the process. */
export async function askOnce<Answer>(request: OneRequest<Answer>): Promise<OneAnswer<Answer>> {
  const { directory } = request;
  for (let tried = 1; ; tried += 1) {
    const pass = readPass(directory);
    if (pass === undefined || !isTrusted(pass, directory)) return { kind: 'absent' };
    const answer = await askWith(pass, request);
    const isStale = answer.kind === 'absent' && readPass(directory)?.token !== pass.token;
    if (!isStale || tried === TRIES) return answer;
  }
}

function isTrusted({ endpoint }: Pass, directory: string): boolean {
  try {
    return isEndpointThere(endpoint, directory);
  } catch (error) {
    if (error instanceof EndpointError) return false;
    throw error;
  }
}

async function askWith<Answer>(
  { token, endpoint }: Pass,
  request: OneRequest<Answer>,
): Promise<OneAnswer<Answer>> {
  const { name, build, method, params, decode, timeoutMs } = request;
  const { frameBytes, frameMs } = TRANSPORT_LIMITS;
  const hello = { token, role: 'worker', name, build, protocol: PROTOCOL };
  const greeting = textOfFrame(requestOf(HELLO_ID, HELLO, hello), frameBytes);
  const question = textOfFrame(requestOf(REQUEST_ID, method, params), frameBytes);
  if (greeting === undefined || question === undefined) return { kind: 'absent' };
  const decoder = new FrameDecoder({ limitBytes: frameBytes, frameMs });
  return await new Promise((resolve) => {
    const socket = connect(endpoint);
    const timer = after(timeoutMs, () => settle({ kind: 'silent' }));
    const settle = (answer: OneAnswer<Answer>): void => {
      timer[Symbol.dispose]();
      if (answer.kind !== 'answered') socket.destroy();
      resolve(answer);
    };
    // Whatever broke, `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => settle({ kind: 'absent' }));
    socket.on('data', (bytes: Buffer) => {
      decoder.push(bytes, monotonicMs());
      const answer = nextAnswer(decoder, decode);
      if (answer !== undefined) settle(answer);
    });
    socket.write(joinFrames([greeting, question]));
  });
}

/** Undefined: it has not come yet. */
function nextAnswer<Answer>(
  decoder: FrameDecoder,
  decode: (result: unknown) => Answer,
): OneAnswer<Answer> | undefined {
  for (;;) {
    const decoded = decoder.take();
    if (decoded.kind === 'incomplete') return undefined;
    if (decoded.kind === 'violation' || !isRecord(decoded.value)) return { kind: 'absent' };
    const { id, result, error } = decoded.value;
    if (error !== undefined) return { kind: 'absent' };
    // It may say what happens to the board, too.
    if (id === REQUEST_ID) return read(result, decode);
  }
}

function read<Answer>(result: unknown, decode: (result: unknown) => Answer): OneAnswer<Answer> {
  try {
    return { kind: 'answered', answer: decode(result) };
  } catch {
    return { kind: 'silent' };
  }
}
