import type { ClientChannel } from 'ssh2';
import { displayText, inShort } from '../../domain/display-text.ts';
import type { Channel, ChannelListener } from '../channel.ts';

const MOST_SAID = 1000;

/** A shell on a host. Bytes wait until somebody listens, and the end until they were told. */
export class SshChannel implements Channel {
  readonly #stream: ClientChannel;
  #listener: ChannelListener | undefined;
  #said = '';
  #why: string | undefined;
  #isOver = false;

  /** `onGone` is called when the host has closed it as well. */
  constructor(stream: ClientChannel, onGone: () => void) {
    this.#stream = stream;
    // What nobody reads would hold up the rest.
    stream.stderr.on('data', (bytes) => {
      this.#said = (this.#said + String(bytes)).slice(-MOST_SAID);
    });
    stream.on('error', () => {});
    stream.once('close', () => {
      onGone();
      this.#end();
    });
  }

  write(text: string | Buffer): void {
    // What is written to a stream that has ended stays in memory.
    if (this.#why === undefined && !this.#isOver) this.#stream.write(text);
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
    if (this.#isOver) listener.onClosed(this.#reason());
    else this.#stream.on('data', listener.onBytes);
  }

  close(): void {
    if (this.#isOver) return;
    this.lose('it was closed');
    this.#stream.end();
    this.#stream.close();
    // A host that is gone never says that it has closed it too.
    queueMicrotask(() => this.#end());
  }

  /** The connection has ended; what has come until then is told first. */
  lose(why: string): void {
    this.#why ??= why;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#listener !== undefined) this.#stream.off('data', this.#listener.onBytes);
    this.#stream.resume();
    this.#listener?.onClosed(this.#reason());
  }

  #reason(): string {
    if (this.#why !== undefined) return this.#why;
    const said = inShort(displayText(this.#said));
    return said === '' ? 'its shell has ended' : `its shell has ended: ${said}`;
  }
}
