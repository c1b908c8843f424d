import type { Alarm } from '../engine/ports.ts';
import type { Terminal } from './terminal.ts';

/** As often as anybody can see. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001B[2K';

/**
 * A line at the bottom of the screen that says how it is now, under everything that is printed. Where
 * nobody looks there is none.
 */
export class LiveLine implements Disposable {
  readonly #terminal: Pick<Terminal, 'out' | 'screen'>;
  readonly #alarm: Alarm;
  readonly #textNow: (columns: number) => string;
  #shown = '';
  #due: Disposable | undefined;
  #isOver = false;

  constructor(
    terminal: Pick<Terminal, 'out' | 'screen'>,
    alarm: Alarm,
    /** Asked only when it is drawn. */
    textNow: (columns: number) => string,
  ) {
    this.#terminal = terminal;
    this.#alarm = alarm;
    this.#textNow = textNow;
  }

  /** Lines that stay, above it. */
  print(lines: string): void {
    if (lines === '') return;
    const [clear, again] = this.#shown === '' ? ['', ''] : [CLEAR_LINE, this.#shown];
    this.#terminal.out(clear + lines + again);
  }

  /** What it says may have changed. The first change is shown at once, those after it together. */
  changed(): void {
    if (this.#terminal.screen === undefined || this.#isOver || this.#due !== undefined) return;
    this.#draw();
    this.#due = this.#alarm.after(REDRAW_MS, () => {
      this.#due = undefined;
      if (!this.#isOver) this.#draw();
    });
  }

  /** Until it changes. */
  hide(): void {
    if (this.#shown !== '') this.#terminal.out(CLEAR_LINE);
    this.#shown = '';
  }

  [Symbol.dispose](): void {
    this.#due?.[Symbol.dispose]();
    this.#isOver = true;
    this.hide();
  }

  #draw(): void {
    const columns = this.#terminal.screen?.size().columns ?? 0;
    const text = this.#textNow(columns).slice(0, Math.max(0, columns - 1));
    if (text === this.#shown) return;
    this.#terminal.out(CLEAR_LINE + text);
    this.#shown = text;
  }
}
