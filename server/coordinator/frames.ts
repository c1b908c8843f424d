/** What is wrong with a stream of bytes that is no sequence of frames. */
export type Violation =
  | 'empty'
  | 'too-long'
  | 'not-utf8'
  | 'not-json'
  | 'too-deep'
  | 'too-slow'
  | 'truncated';

export type Decoded =
  | { readonly kind: 'frame'; readonly value: unknown }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'violation'; readonly violation: Violation };

export const HEADER_BYTES = 4;
const DEPTH_LIMIT = 64;

const INCOMPLETE: Decoded = { kind: 'incomplete' };
const NOTHING = Buffer.alloc(0);
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * Bytes in, frames out: a length of 4 bytes, little-endian, and as many bytes of UTF-8 JSON.
 *
 * Invariant: it holds at most twice of what has arrived of one frame and one read, whatever length a
 * header claims. After a violation it holds nothing and takes nothing more.
 */
export class FrameDecoder {
  readonly #frameMs: number;
  #limitBytes: number;
  /** What has arrived and was not taken lies from `#start` to `#end`. */
  #bytes: Buffer = NOTHING;
  #start = 0;
  #end = 0;
  /** When the first byte arrived of the frame that is next. */
  #beganMs = 0;
  #arrivedMs = 0;
  #violation: Violation | undefined;
  // By default it would leave out a byte order mark, which is no part of JSON.
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  constructor({ limitBytes, frameMs }: { readonly limitBytes: number; readonly frameMs: number }) {
    this.#limitBytes = limitBytes;
    this.#frameMs = frameMs;
  }

  /** Counts for the next frame that is taken, though its bytes may have arrived. */
  raiseLimit(limitBytes: number): void {
    this.#limitBytes = limitBytes;
  }

  /** Take all frames before the next push. The bytes must not change any more. */
  push(bytes: Buffer, nowMs: number): void {
    if (this.#violation !== undefined || bytes.length === 0) return;
    this.#arrivedMs = nowMs;
    if (this.#start < this.#end) {
      this.#append(bytes);
      return;
    }
    // Most reads are whole frames, and are parsed where they lie.
    this.#bytes = bytes;
    this.#start = 0;
    this.#end = bytes.length;
    this.#beganMs = nowMs;
  }

  take(): Decoded {
    if (this.#violation !== undefined) return { kind: 'violation', violation: this.#violation };
    const heldBytes = this.#end - this.#start;
    if (heldBytes < HEADER_BYTES) return this.#waitForMore();
    const length = this.#bytes.readUInt32LE(this.#start);
    if (length === 0) return this.#fail('empty');
    if (length > this.#limitBytes) return this.#fail('too-long');
    if (heldBytes < HEADER_BYTES + length) return this.#waitForMore();
    const body = this.#start + HEADER_BYTES;
    const payload = this.#bytes.subarray(body, body + length);
    this.#start = body + length;
    // Had it begun in an earlier read, what lies before it would have been taken then.
    this.#beganMs = this.#arrivedMs;
    if (this.#start === this.#end) this.#letGo();
    return this.#parse(payload);
  }

  /** The stream is over. */
  end(): Violation | undefined {
    if (this.#violation === undefined && this.#start < this.#end) this.#fail('truncated');
    return this.#violation;
  }

  /** By when the frame that has begun must be whole. */
  get deadlineMs(): number | undefined {
    return this.#start < this.#end ? this.#beganMs + this.#frameMs : undefined;
  }

  /** Time has passed, and everything that arrived was pushed. */
  expire(nowMs: number): Violation | undefined {
    if (this.deadlineMs !== undefined && nowMs >= this.deadlineMs) this.#fail('too-slow');
    return this.#violation;
  }

  /** Memory, not what was sent. */
  get heldBytes(): number {
    return this.#bytes.length;
  }

  /** A peer that goes on in small pieces is too slow too; whether it is shows with each of them. */
  #waitForMore(): Decoded {
    return this.expire(this.#arrivedMs) === undefined ? INCOMPLETE : this.take();
  }

  #append(bytes: Buffer): void {
    const heldBytes = this.#end - this.#start;
    const neededBytes = heldBytes + bytes.length;
    if (this.#end + bytes.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(neededBytes, 2 * heldBytes));
      this.#bytes.copy(larger, 0, this.#start, this.#end);
      this.#bytes = larger;
      this.#start = 0;
      this.#end = heldBytes;
    }
    bytes.copy(this.#bytes, this.#end);
    this.#end += bytes.length;
  }

  #parse(payload: Buffer): Decoded {
    let text: string;
    try {
      text = this.#utf8.decode(payload);
    } catch {
      return this.#fail('not-utf8');
    }
    if (isTooDeep(payload)) return this.#fail('too-deep');
    try {
      return { kind: 'frame', value: JSON.parse(text) };
    } catch {
      return this.#fail('not-json');
    }
  }

  #fail(violation: Violation): Decoded {
    this.#violation = violation;
    this.#letGo();
    return { kind: 'violation', violation };
  }

  #letGo(): void {
    this.#bytes = NOTHING;
    this.#start = 0;
    this.#end = 0;
  }
}

/** The parts of a message that make one write; nothing when it is longer than a frame may be. */
export function textOfFrame(message: unknown, limitBytes: number): FrameText | undefined {
  const text = JSON.stringify(message);
  const bytes = Buffer.byteLength(text);
  return bytes > limitBytes ? undefined : { text, bytes };
}

export interface FrameText {
  readonly text: string;
  readonly bytes: number;
}

/** As it is sent, length included: one that many are sent is encoded once, and its bytes are shared. */
export function bytesOfFrame(message: unknown, limitBytes: number): Buffer | undefined {
  const frame = textOfFrame(message, limitBytes);
  return frame && joinFrames([frame]);
}

export function joinFrames(frames: readonly FrameText[]): Buffer {
  const total = frames.reduce((sum, { bytes }) => sum + HEADER_BYTES + bytes, 0);
  const joined = Buffer.allocUnsafe(total);
  let at = 0;
  for (const { text, bytes } of frames) {
    at = joined.writeUInt32LE(bytes, at);
    at += joined.write(text, at);
  }
  return joined;
}

/** Looked at before it is parsed, so that depth costs neither memory nor stack. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > DEPTH_LIMIT) return true;
  }
  return false;
}
