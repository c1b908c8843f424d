import { EndpointError } from '../coordinator/endpoint.ts';
import type { Engine } from '../engine/engine.ts';
import type { Alarm } from '../engine/ports.ts';
import type { LinkServer } from './links.ts';

interface Looked {
  readonly alarm: Alarm;
  readonly engine: Pick<Engine, 'ask'>;
  readonly server: Pick<LinkServer, 'restore'>;
  readonly listener: {
    noticed(sentence: string): void;
    faulted(error: unknown): void;
  };
}

const LOOK_MS = 5000;

/**
 * Looks from time to time whether this process still decides, which an idle one would not notice, and
 * then whether others find it: somebody may have deleted what leads here.
 */
export class SlowLook implements Disposable {
  readonly #looked: Looked;
  #due: Disposable | undefined;
  #isOver = false;
  /** The same is said once. */
  #said = '';

  constructor(looked: Looked) {
    this.#looked = looked;
    this.#lookLater();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#due?.[Symbol.dispose]();
  }

  #lookLater(): void {
    if (this.#isOver) return;
    this.#due = this.#looked.alarm.after(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (await this.#stillDecides()) await this.#restore();
    this.#lookLater();
  }

  /** Each turn begins with a look at whose the board is; what is wrong the engine says. */
  async #stillDecides(): Promise<boolean> {
    try {
      await this.#looked.engine.ask(() => {});
      return !this.#isOver;
    } catch {
      return false;
    }
  }

  async #restore(): Promise<void> {
    const { server, listener } = this.#looked;
    try {
      await server.restore();
      this.#said = '';
    } catch (error) {
      if (this.#isOver || String(error) === this.#said) return;
      this.#said = String(error);
      if (error instanceof EndpointError) listener.noticed(error.message);
      else listener.faulted(error);
    }
  }
}
