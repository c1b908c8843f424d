import { changedLines, type LineRange } from '../../language/changed-lines.ts';
import { linesOf, type TextEdit, TextLines } from '../../language/text-lines.ts';

/** A document as it is after some edits. */
export interface Edited {
  readonly edits: readonly TextEdit[];
  readonly text: () => string;
  readonly lineCount: number;
  readonly version: number;
}

export type BufferState =
  /** As it is on the disk. */
  | 'clean'
  | 'unsaved'
  /** Saved since it was last clean for no other reason. */
  | 'saved';

/**
 * A document of the client: whether it has unsaved changes and, while somebody else has the file,
 * which lines were changed. Without that its lines are not looked at.
 *
 * Some clients tell when a document has unsaved changes, and then a change without them is a file that
 * was read anew. They tell a moment after the first change, and a moment before a save: until then a
 * change counts as read anew, and that is taken back.
 */
export class OpenFile {
  readonly uri: string;
  readonly path: string;
  readonly #isTold: boolean;
  #text: () => string;
  #version: number | undefined;
  #saved: string;
  #state: BufferState = 'clean';
  /** What `lines` are compared with: what was there when the other one came, or was read since. */
  #base: readonly string[] | undefined;
  #lines: TextLines | undefined;
  #changed: readonly LineRange[] | undefined;
  #hasSavedOver = false;
  /** What the user has saved, with what was on the disk before their first change. */
  #savedEdit: SavedEdit | undefined;
  /** What counted before a change that may have been none of the user. */
  #before: Memory | undefined;

  /** `isTold`: the client says when it has unsaved changes. */
  constructor(uri: string, path: string, { text, isTold }: { text: string; isTold: boolean }) {
    this.uri = uri;
    this.path = path;
    this.#text = () => text;
    this.#saved = text;
    this.#isTold = isTold;
  }

  get state(): BufferState {
    return this.#state;
  }

  /** Whether lines that were changed beside somebody else are on the disk. */
  get hasSavedOver(): boolean {
    return this.#hasSavedOver && this.#state !== 'unsaved';
  }

  /** From the first changed character, and gone again with the last. */
  get changed(): readonly LineRange[] {
    if (this.#base === undefined || this.#lines === undefined) return [];
    this.#changed ??= changedLines(this.#base, this.#lines.all);
    return this.#changed;
  }

  get lines(): readonly string[] {
    return this.#lines?.all ?? [];
  }

  /** What is on the disk, where it is known to be something else than the document was opened with. */
  readFromDisk(saved: string): void {
    this.#saved = saved;
    this.#base = this.#base && linesOf(saved);
    this.#changed = undefined;
    if (!this.#isTold) this.#state = this.#isAsSaved() ? 'clean' : 'unsaved';
  }

  edited({ edits, text, lineCount, version }: Edited): void {
    this.#text = text;
    this.#version = version;
    this.#changed = undefined;
    for (const edit of edits) this.#lines?.edit(edit);
    // Where a line ends in two characters and one of them was edited.
    if (this.#lines !== undefined && this.#lines.all.length !== lineCount)
      this.#lines = new TextLines(linesOf(text()));
    if (!this.#isTold) this.#state = this.#isAsSaved() ? 'clean' : 'unsaved';
    else if (this.#state !== 'unsaved') this.readAnew();
  }

  /** The client says whether there were unsaved changes in a version of the document. */
  told(isUnsaved: boolean, version: number): void {
    if (isUnsaved && this.#state !== 'unsaved') {
      // It says so before the change that brings them: what was read anew until then was.
      if (version === this.#version) this.#takeBack();
      else this.#before = undefined;
      this.#state = 'unsaved';
    } else if (!isUnsaved && this.#state === 'unsaved') {
      this.#state = 'clean';
      if (!this.#isAsSaved()) this.readAnew();
    }
  }

  /** The text is that of the disk, and the user has not changed it. */
  readAnew(): void {
    this.#before = this.#memory;
    this.#saved = this.#text();
    this.#base = this.#lines && [...this.#lines.all];
    this.#hasSavedOver = false;
    this.#changed = undefined;
    if (!this.#isTold) this.#state = 'clean';
  }

  saved(): void {
    this.#takeBack();
    const text = this.#text();
    if (text !== this.#saved) {
      const before = this.#savedEdit?.before ?? this.#saved;
      this.#savedEdit = { before, after: text };
    }
    this.#saved = text;
    this.#state = 'saved';
    this.#hasSavedOver = this.changed.length > 0;
  }

  /** What was saved until now is nothing that could be lost any more. */
  forgetEdit(): void {
    this.#savedEdit = undefined;
  }

  /** What the user saved, if lines of it are not in the text that is on the disk now; told once. */
  takeOverwritten(onDisk: string): string | undefined {
    const edit = this.#savedEdit;
    if (edit === undefined || onDisk === edit.after) return undefined;
    const lines = linesOf(edit.after);
    const left = new Set(linesOf(onDisk));
    const isLost = changedLines(linesOf(edit.before), lines).some(({ start, end }) =>
      lines.slice(start, end).some((line) => line.trim() !== '' && !left.has(line)),
    );
    if (!isLost) return undefined;
    this.#savedEdit = undefined;
    return edit.after;
  }

  /** Somebody else has the file from now on, or nobody. */
  cover(isCovered: boolean): void {
    if (isCovered === (this.#lines !== undefined)) return;
    this.#changed = undefined;
    this.#hasSavedOver = false;
    this.#before = undefined;
    this.#base = isCovered ? linesOf(this.#saved) : undefined;
    this.#lines = this.#base && new TextLines(this.#linesLike(this.#base));
  }

  get #memory(): Memory {
    return { saved: this.#saved, base: this.#base, hasSavedOver: this.#hasSavedOver };
  }

  #takeBack(): void {
    if (this.#before === undefined) return;
    const { saved, base, hasSavedOver } = this.#before;
    this.#before = undefined;
    this.#saved = saved;
    this.#base = this.#lines && (base ?? linesOf(saved));
    this.#hasSavedOver = hasSavedOver;
    this.#changed = undefined;
  }

  /** The same strings where they are the same: two of them are compared at a glance. */
  #linesLike(saved: readonly string[]): readonly string[] {
    return this.#isAsSaved() ? saved : linesOf(this.#text());
  }

  #isAsSaved(): boolean {
    const text = this.#text();
    return text.length === this.#saved.length && text === this.#saved;
  }
}

interface SavedEdit {
  readonly before: string;
  readonly after: string;
}

interface Memory {
  readonly saved: string;
  readonly base: readonly string[] | undefined;
  readonly hasSavedOver: boolean;
}
