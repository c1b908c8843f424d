import { expect, test } from 'vitest';
import { OpenFile } from '../../../../server/handlers/ownership/open-file.ts';

const SAVED = 'one\ntwo\nthree';

/** A document whose client tells of unsaved changes, while somebody else has the file. */
class Typing {
  readonly file: OpenFile;
  #text: string;
  #version = 1;

  constructor({ isTold, isCovered = true }: { isTold: boolean; isCovered?: boolean }) {
    this.#text = SAVED;
    this.file = new OpenFile('file:///a', '/a', { text: SAVED, isTold });
    this.file.cover(isCovered);
  }

  get version(): number {
    return this.#version;
  }

  put(text: string): void {
    this.#text = text;
    this.#version += 1;
    const lineCount = text.split('\n').length;
    const version = this.#version;
    this.file.edited({ edits: [{ text }], text: () => this.#text, lineCount, version });
  }

  /** `unsaved, changed 1-2, saved over` */
  get seen(): string {
    const { state, changed, hasSavedOver } = this.file;
    const lines = changed.map(({ start, end }) => `${start}-${end}`).join(' ');
    const parts = [state, lines && `changed ${lines}`, hasSavedOver && 'saved over'];
    return parts.filter(Boolean).join(', ');
  }
}

test("a change is the user's when the client says so a moment later", () => {
  const typing = new Typing({ isTold: true });
  typing.put('one\nTWO\nthree');
  expect(typing.seen).toBe('clean');
  typing.file.told(true, typing.version);
  expect(typing.seen).toBe('unsaved, changed 1-2');
});

test("a change is the user's when the client says so a moment before, whatever was read anew", () => {
  const typing = new Typing({ isTold: true });
  typing.put('one\nfrom the disk\nthree');
  typing.file.told(true, typing.version + 1);
  typing.put('one\nfrom the disk\nTHREE');
  expect(typing.seen).toBe('unsaved, changed 2-3');
});

test('what was saved beside somebody stays changed, and is on the disk', () => {
  const typing = new Typing({ isTold: true });
  typing.put('one\nTWO\nthree');
  typing.file.told(true, typing.version);
  typing.file.told(false, typing.version);
  expect(typing.seen).toBe('clean');
  typing.file.saved();
  expect(typing.seen).toBe('saved, changed 1-2, saved over');
  typing.put('one\nTWO\nTHREE');
  typing.file.told(true, typing.version);
  expect(typing.seen).toBe('unsaved, changed 1-3');
});

test('what is undone to the saved text is not changed', () => {
  const typing = new Typing({ isTold: true });
  typing.put('one\nTWO\nthree');
  typing.file.told(true, typing.version);
  typing.put(SAVED);
  typing.file.told(false, typing.version);
  expect(typing.seen).toBe('clean');
});

test("what is reverted to another text on the disk is not the user's", () => {
  const typing = new Typing({ isTold: true });
  typing.put('one\nTWO\nthree');
  typing.file.told(true, typing.version);
  typing.put('another');
  typing.file.told(false, typing.version);
  expect(typing.seen).toBe('clean');
  typing.put('another!');
  typing.file.told(true, typing.version);
  expect(typing.seen).toBe('unsaved, changed 0-1');
});

test('whoever comes while there are changes finds those since the last save', () => {
  const typing = new Typing({ isTold: false, isCovered: false });
  typing.put('one\nTWO\nthree');
  typing.file.saved();
  typing.put('one\nTWO\nTHREE');
  expect(typing.seen).toBe('unsaved');
  typing.file.cover(true);
  expect(typing.seen).toBe('unsaved, changed 2-3');
  typing.file.cover(false);
  expect(typing.seen).toBe('unsaved');
});

test('a client that tells nothing has unsaved changes while the text is not the saved one', () => {
  const typing = new Typing({ isTold: false });
  typing.put('one\nTWO\nthree');
  expect(typing.seen).toBe('unsaved, changed 1-2');
  typing.put(SAVED);
  expect(typing.seen).toBe('clean');
  typing.file.readFromDisk('zero\none\ntwo\nthree');
  expect(typing.seen).toBe('unsaved, changed 0-0');
});
