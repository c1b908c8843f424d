import { expect, test } from 'vitest';
import { LiveLine } from '../../../server/cli/live-line.ts';
import type { Screen } from '../../../server/cli/terminal.ts';
import type { Alarm } from '../../../server/engine/ports.ts';

const CLEAR = '\r\u001B[2K';
const SCREEN: Screen = { size: () => ({ columns: 10, rows: 5 }), hasColours: false };

interface Shown {
  readonly written: string[];
  readonly line: LiveLine;
  text: string;
  /** Lets the time until the next drawing pass. */
  readonly ring: () => void;
}

function shownOn(screen: Screen | undefined): Shown {
  const written: string[] = [];
  let due: (() => void) | undefined;
  const alarm: Alarm = {
    after: (_, callback) => {
      due = callback;
      return { [Symbol.dispose]: () => (due = undefined) };
    },
    soon: () => {},
  };
  const out = (text: string | Uint8Array): void => void written.push(String(text));
  const shown: Shown = {
    written,
    text: '',
    ring: () => due?.(),
    line: new LiveLine({ out, screen }, alarm, () => shown.text),
  };
  return shown;
}

test('the first change is drawn at once, the ones right after it together', () => {
  const shown = shownOn(SCREEN);
  for (const text of ['1 done', '2 done', '3 done']) {
    shown.text = text;
    shown.line.changed();
  }
  expect(shown.written).toEqual([`${CLEAR}1 done`]);
  shown.ring();
  expect(shown.written).toEqual([`${CLEAR}1 done`, `${CLEAR}3 done`]);
});

test('what is printed stays above the line, in one piece', () => {
  const shown = shownOn(SCREEN);
  shown.line.print('before\n');
  shown.text = 'now';
  shown.line.changed();
  shown.line.print('a: running\n');
  expect(shown.written).toEqual(['before\n', `${CLEAR}now`, `${CLEAR}a: running\nnow`]);
});

test('a line that is too long is cut, so that it stays one', () => {
  const shown = shownOn(SCREEN);
  shown.text = '0123456789ABC';
  shown.line.changed();
  expect(shown.written).toEqual([`${CLEAR}012345678`]);
});

test('at the end nothing of it is left, and nothing comes after', () => {
  const shown = shownOn(SCREEN);
  shown.text = 'now';
  shown.line.changed();
  shown.line[Symbol.dispose]();
  shown.ring();
  shown.line.changed();
  expect(shown.written).toEqual([`${CLEAR}now`, CLEAR]);
});

test('without a screen there are plain lines only', () => {
  const shown = shownOn(undefined);
  shown.text = 'now';
  shown.line.changed();
  shown.ring();
  shown.line.print('a: running\n');
  shown.line[Symbol.dispose]();
  expect(shown.written).toEqual(['a: running\n']);
});
