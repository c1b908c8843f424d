import { bytesOfFrame } from './frames.ts';
import { notificationOf } from './messages.ts';

interface Encoded {
  readonly method: string;
  /** Nothing when it is longer than a frame may be. */
  readonly bytes: Buffer | undefined;
}

/** Notifications as bytes. What goes to many, with the same parameters, is encoded once for all. */
export class SharedFrames {
  readonly #limitBytes: number;
  readonly #encoded = new WeakMap<object, Encoded>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  notification(method: string, params: unknown): Buffer | undefined {
    if (typeof params !== 'object' || params === null) return this.#encode(method, params);
    const known = this.#encoded.get(params);
    if (known?.method === method) return known.bytes;
    const bytes = this.#encode(method, params);
    this.#encoded.set(params, { method, bytes });
    return bytes;
  }

  #encode(method: string, params: unknown): Buffer | undefined {
    return bytesOfFrame(notificationOf(method, params), this.#limitBytes);
  }
}
