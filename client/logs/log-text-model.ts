import * as l10n from '@vscode/l10n';

const HEAD_LENGTH = 1024 * 1024;
const TAIL_LENGTH = 9 * 1024 * 1024;
/** How much more there may be before the middle is let go of: not with each piece. */
const SLACK_LENGTH = 1024 * 1024;

// oxlint-disable-next-line no-control-regex -- the control characters are what is taken away
const COLOURS = /\u001B\[[\d;:]*[mK]/g;

/** What an editor shows of the output of an attempt: without colours, its beginning and its end. */
export class LogDocumentText {
  #text = '';
  #leftOut = 0;

  /** Answers whether that changes anything. */
  add(text: string): boolean {
    const before = this.#text.length;
    this.#text += text.replaceAll(COLOURS, '').replaceAll('\r', '\n');
    const extra = this.#text.length - HEAD_LENGTH - TAIL_LENGTH;
    const isLonger = this.#text.length > before;
    if (extra <= SLACK_LENGTH) return isLonger;
    this.#leftOut += extra;
    this.#text = this.#text.slice(0, HEAD_LENGTH) + this.#text.slice(-TAIL_LENGTH);
    return isLonger;
  }

  get text(): string {
    if (this.#leftOut === 0) return this.#text;
    const gap = `\n… ${l10n.t('{0} characters left out', this.#leftOut)} …\n`;
    return this.#text.slice(0, HEAD_LENGTH) + gap + this.#text.slice(HEAD_LENGTH);
  }
}
