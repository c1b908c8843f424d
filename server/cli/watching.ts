import type { Alarm } from '../engine/ports.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

const REDRAW_MS = 100;
/** Leases run out while nothing happens. */
const TICK_MS = 1000;
const HOME_AND_CLEAR = '\u001B[H\u001B[J';

/** Shows a text again each time it has changed, until Ctrl-C; on a screen in place of the last one. */
export class Watching implements Disposable {
  readonly #terminal: Terminal;
  readonly #alarm: Alarm;
  readonly #textNow: () => string;
  readonly #over = Promise.withResolvers<ExitCode>();
  #shown: string | undefined;
  #due: Disposable | undefined;
  /** Something has changed that is to be shown in a moment. */
  #isSoon = false;
  #hasEnded = false;

  constructor(terminal: Terminal, alarm: Alarm, textNow: () => string) {
    this.#terminal = terminal;
    this.#alarm = alarm;
    this.#textNow = textNow;
  }

  async untilInterrupted(): Promise<ExitCode> {
    this.#terminal.onInterrupt(() => this.#over.resolve(EXIT.interrupted));
    this.#terminal.onUnread(() => this.#over.resolve(EXIT.done));
    this.#show();
    return await this.#over.promise;
  }

  changed(): void {
    if (this.#isSoon || this.#hasEnded) return;
    this.#isSoon = true;
    this.#due?.[Symbol.dispose]();
    this.#due = this.#alarm.after(REDRAW_MS, () => this.#show());
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.#due?.[Symbol.dispose]();
  }

  #show(): void {
    const { screen } = this.#terminal;
    const text = this.#textNow();
    if (text !== this.#shown) {
      const again = this.#shown === undefined ? '' : '\n';
      this.#terminal.out(
        screen === undefined ? again + text : HOME_AND_CLEAR + cut(text, screen.size().rows),
      );
    }
    this.#shown = text;
    this.#isSoon = false;
    // Without a screen a line for each second that passes would be of no use.
    this.#due = screen === undefined ? undefined : this.#alarm.after(TICK_MS, () => this.#show());
  }
}

/** What does not fit would scroll the first lines away. */
function cut(text: string, rows: number): string {
  const lines = text.split('\n');
  if (lines.length <= rows || rows < 2) return text;
  return `${lines.slice(0, rows - 2).join('\n')}\n… ${lines.length - rows + 1} more lines`;
}
