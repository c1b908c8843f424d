/** The user waits for the prompt. */
const HAND_OVER_MS = 1000;

type HandOver = () => Promise<void>;

/**
 * Ctrl-Z sends SIGTSTP to every process of a terminal's job, an agent's server included. Left alone, the
 * signal suspends a process wherever it is, in the middle of a transaction too. As an event it arrives
 * between two turns: the process gives up what others wait for, and then lets the signal do what it does by
 * default. That is nothing in a process group that no shell could continue.
 *
 * SIGSTOP cannot be handled. For that see decision 31.
 */
export class SuspendSignal {
  readonly #handOvers = new Set<HandOver>();
  readonly #suspend = (): void => void this.#handOverAndSuspend();
  #isSuspending = false;

  before(handOver: HandOver): Disposable {
    // Windows has no such signal.
    if (process.platform === 'win32') return { [Symbol.dispose]: () => {} };
    if (this.#handOvers.size === 0) process.on('SIGTSTP', this.#suspend);
    this.#handOvers.add(handOver);
    return {
      [Symbol.dispose]: () => {
        this.#handOvers.delete(handOver);
        if (this.#handOvers.size === 0) process.off('SIGTSTP', this.#suspend);
      },
    };
  }

  async #handOverAndSuspend(): Promise<void> {
    if (this.#isSuspending) return;
    this.#isSuspending = true;
    const isContinued = await this.#handOverUnlessContinued();
    if (!isContinued) {
      // Without a listener the signal has its default effect, before this call returns.
      process.off('SIGTSTP', this.#suspend);
      process.kill(process.pid, 'SIGTSTP');
      if (this.#handOvers.size > 0) process.on('SIGTSTP', this.#suspend);
    }
    this.#isSuspending = false;
  }

  /** SIGCONT that comes before this process is suspended would otherwise have no effect. */
  async #handOverUnlessContinued(): Promise<boolean> {
    let isContinued = false;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, HAND_OVER_MS);
    const onContinue = (): void => {
      isContinued = true;
    };
    process.once('SIGCONT', onContinue);
    const handOvers = [...this.#handOvers].map(async (handOver) => await handOver());
    await Promise.race([Promise.allSettled(handOvers), late.promise]);
    clearTimeout(timer);
    process.off('SIGCONT', onContinue);
    return isContinued;
  }
}
