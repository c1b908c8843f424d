import type { Duplex } from 'node:stream';
import { after, monotonicMs } from './deadline.ts';
import {
  FrameDecoder,
  type FrameText,
  HEADER_BYTES,
  joinFrames,
  textOfFrame,
  type Violation,
} from './frames.ts';
import type { TransportLimits } from './limits.ts';

export interface WireListener {
  /** One frame. Those of one read are told one after another, in the same tick. */
  readonly onFrame: (value: unknown) => void;
  /** What arrives is no sequence of frames. Nothing more is read. */
  readonly onViolation: (violation: Violation) => void;
  /** The other side does not read as fast as it is sent; this much waits for it. */
  readonly onBacklog?: () => void;
  /** Nothing more arrives and nothing more is sent. Told once, in a tick of its own. */
  readonly onClosed: () => void;
}

export type SendResult = 'sent' | 'too-long' | 'closed';

/**
 * A stream as frames in both directions.
 *
 *     open --end--> ending --read by the other side, or lingerMs--> closed
 *     open, ending --destroy, the stream breaks, the other side does not read--> closed
 *
 * What is sent in one tick goes out together. While it is ending, what arrives is thrown away:
 * with unread bytes in the socket the other side might lose the last thing it was told.
 */
export class Wire {
  readonly #stream: Duplex;
  readonly #limits: TransportLimits;
  readonly #listener: WireListener;
  readonly #decoder: FrameDecoder;
  #state: 'open' | 'ending' | 'closed' = 'open';
  #queued: (FrameText | Buffer)[] = [];
  #queuedBytes = 0;
  #deadline: { readonly atMs: number; readonly timer: Disposable } | undefined;
  #linger: Disposable | undefined;

  constructor(
    stream: Duplex,
    options: {
      readonly limits: TransportLimits;
      readonly firstFrameBytes: number;
      readonly listener: WireListener;
    },
  ) {
    this.#stream = stream;
    this.#limits = options.limits;
    this.#listener = options.listener;
    const { frameMs } = options.limits;
    this.#decoder = new FrameDecoder({ limitBytes: options.firstFrameBytes, frameMs });
    stream.on('data', (bytes: Buffer) => this.#read(bytes));
    stream.on('end', () => this.#readEnd());
    // Whatever broke, `close` follows; that the other side is gone is all there is to know.
    stream.on('error', () => {});
    stream.once('close', () => this.#close());
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  raiseLimit(): void {
    this.#decoder.raiseLimit(this.#limits.frameBytes);
  }

  /** Whoever does not read what it is sent is closed; it can connect anew and ask what it missed. */
  send(message: unknown): SendResult {
    if (this.#state !== 'open') return 'closed';
    const frame = textOfFrame(message, this.#limits.frameBytes);
    if (frame === undefined) return 'too-long';
    return this.#queue(frame, HEADER_BYTES + frame.bytes);
  }

  /** A whole frame, which others may be sent as well. */
  sendBytes(frame: Buffer): SendResult {
    return this.#state === 'open' ? this.#queue(frame, frame.length) : 'closed';
  }

  /** What waits for the other side to read it. */
  get backlogBytes(): number {
    return this.#queuedBytes + this.#stream.writableLength;
  }

  #queue(frame: FrameText | Buffer, bytes: number): SendResult {
    if (this.backlogBytes > this.#limits.outgoingBytes) {
      this.destroy();
      return 'closed';
    }
    // It runs once all that is ready in this tick was answered.
    if (this.#queued.length === 0) process.nextTick(() => this.#flush());
    this.#queued.push(frame);
    this.#queuedBytes += bytes;
    return 'sent';
  }

  /** Closes as soon as the other side has read everything, and in bounded time. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#flush();
    this.#state = 'ending';
    this.#disarm();
    this.#linger = after(this.#limits.lingerMs, () => this.destroy());
    this.#stream.end();
  }

  /** `close` of the stream follows, in a later tick. */
  destroy(): void {
    this.#stream.destroy();
    if (this.#state === 'open') this.#state = 'ending';
    this.#disarm();
    this.#queued = [];
    this.#queuedBytes = 0;
  }

  #flush(): void {
    if (this.#state !== 'open' || this.#queued.length === 0) return;
    const frames = this.#queued;
    this.#queued = [];
    this.#queuedBytes = 0;
    this.#stream.cork();
    for (const bytes of bytesOf(frames)) this.#stream.write(bytes);
    this.#stream.uncork();
    if (this.#stream.writableLength > 0) this.#listener.onBacklog?.();
  }

  #read(bytes: Buffer): void {
    if (this.#state !== 'open') return;
    this.#decoder.push(bytes, monotonicMs());
    while (this.isOpen) {
      const decoded = this.#decoder.take();
      if (decoded.kind === 'violation') this.#listener.onViolation(decoded.violation);
      if (decoded.kind !== 'frame') break;
      this.#listener.onFrame(decoded.value);
    }
    this.#arm();
  }

  #readEnd(): void {
    const violation = this.isOpen ? this.#decoder.end() : undefined;
    if (violation !== undefined) this.#listener.onViolation(violation);
    this.end();
  }

  /** There is a timer only while a frame has begun and is not whole, which is seldom. */
  #arm(): void {
    const atMs = this.isOpen ? this.#decoder.deadlineMs : undefined;
    if (atMs === this.#deadline?.atMs) return;
    this.#disarm();
    if (atMs === undefined) return;
    const timer = after(Math.max(0, atMs - monotonicMs()), () => this.#expire());
    this.#deadline = { atMs, timer };
  }

  #expire(): void {
    this.#disarm();
    const violation = this.isOpen ? this.#decoder.expire(monotonicMs()) : undefined;
    if (violation !== undefined) this.#listener.onViolation(violation);
    // A timer may be a little early.
    else this.#arm();
  }

  #disarm(): void {
    this.#deadline?.timer[Symbol.dispose]();
    this.#deadline = undefined;
  }

  #close(): void {
    this.#state = 'closed';
    this.#disarm();
    this.#linger?.[Symbol.dispose]();
    this.#listener.onClosed();
  }
}

/** What is shared is written as it is; the frames between are joined. */
function* bytesOf(frames: readonly (FrameText | Buffer)[]): Generator<Buffer, void> {
  let between: FrameText[] = [];
  for (const frame of frames) {
    if (!Buffer.isBuffer(frame)) {
      between.push(frame);
      continue;
    }
    if (between.length > 0) yield joinFrames(between);
    between = [];
    yield frame;
  }
  if (between.length > 0) yield joinFrames(between);
}
