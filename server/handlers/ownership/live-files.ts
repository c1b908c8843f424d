import type { ClientSettings, InitializationOptions } from '../../../protocol/initialization.ts';
import type { EditOverwritten, UnsavedChanged } from '../../../protocol/documents.ts';
import type { BoardWorld } from '../../board/ports.ts';
import { FileClaimText } from '../../board/file-claim-text.ts';
import type { FileClaim, WaitingTask } from '../../board/file-claims.ts';
import { editorWindow, type EditorWindow } from '../../board/window.ts';
import type { Instant } from '../../domain/time.ts';
import type { LedgerEntry } from '../../engine/store-port.ts';
import type { TextEdit } from '../../language/text-lines.ts';
import { pathOfUri } from '../path-of-uri.ts';
import type { Workspace } from '../workspace.ts';
import { FilePlaces } from './file-places.ts';
import { FollowedFile, type FollowingParts, textOnDisk } from './followed-file.ts';
import { OpenFile } from './open-file.ts';
import { PersonNotices, type ShowMessage } from './person-notices.ts';
import { PlanPlaces } from './plan-places.ts';

/** A document as the client has it. */
export interface LiveDocument {
  readonly uri: string;
  readonly version: number;
  readonly lineCount: number;
  getText(): string;
}

interface LiveFilesParts {
  readonly workspace: Workspace;
  readonly world: BoardWorld;
  readonly show: ShowMessage;
  /** To a client of ours, which offers to bring back what was overwritten. */
  readonly tellOverwritten: (edit: EditOverwritten) => void;
}

/**
 * Every file that the client has open: who else is at work on it is told as soon as it is known, and
 * what has unsaved changes is this person's on the board.
 */
export class LiveFiles {
  readonly plans: PlanPlaces;
  readonly #workspace: Workspace;
  readonly #world: BoardWorld;
  readonly #notices: PersonNotices;
  readonly #files = new Map<string, FollowedFile>();
  /** Files that were closed, of which the board is still to hear. */
  readonly #ending = new Set<Promise<void>>();
  /** Documents with unsaved changes, by the word of the client; it may come before they are opened. */
  readonly #unsaved = new Set<string>();
  #options: InitializationOptions = {};
  #parts: (FollowingParts & { readonly window: EditorWindow }) | undefined;
  #isLookDue = false;
  #areAllDue = false;
  readonly #dueBuffers = new Set<string>();

  readonly #tellOverwritten: LiveFilesParts['tellOverwritten'];

  constructor({ workspace, world, show, tellOverwritten }: LiveFilesParts) {
    this.#tellOverwritten = tellOverwritten;
    this.#workspace = workspace;
    this.#world = world;
    this.#notices = new PersonNotices(show);
    this.plans = new PlanPlaces(world, () => workspace.folders);
    workspace.reader = () => this.window.person;
    workspace.onNews((entries) => this.#news(entries));
    workspace.leaving.push((folder) => {
      for (const file of this.#files.values()) file.leave(folder);
    });
  }

  configure(options: InitializationOptions): void {
    this.#options = options;
  }

  /** What is this person's on boards is theirs under the new name from now on. */
  rename({ userName }: ClientSettings): void {
    const { userName: before, ...others } = this.#options;
    if (userName === before) return;
    this.#options = { ...others, ...(userName !== undefined && { userName }) };
    if (this.#parts === undefined) return;
    const window = editorWindow(this.#world, userName);
    this.#parts = { ...this.#parts, window };
    this.#parts.places.rename(window);
    for (const file of this.#files.values()) file.renamed();
  }

  get(uri: string): FollowedFile | undefined {
    return this.#files.get(uri);
  }

  get text(): FileClaimText {
    return this.#following.text;
  }

  /** Which folders a file is in, as the person before this window sees their boards. */
  get places(): FilePlaces {
    return this.#following.places;
  }

  get window(): EditorWindow {
    return this.#following.window;
  }

  /** Who else is at work on a file, open or not; nothing where no board knows of it. */
  othersOn(
    uri: string,
  ): { readonly claims: readonly FileClaim[]; readonly now: Instant } | undefined {
    const file = pathOfUri(uri);
    const { places } = this.#following;
    for (const place of file === undefined ? [] : places.of(file)) {
      const claims = places.claimsAt(place);
      if (claims !== undefined) return { claims: claims.on(place.path), now: claims.now };
    }
    return undefined;
  }

  opened(document: LiveDocument): void {
    const file = pathOfUri(document.uri);
    if (file === undefined) return;
    const isTold = this.#options.tellsUnsaved === true;
    const open = new OpenFile(document.uri, file, { text: document.getText(), isTold });
    const followed = new FollowedFile(open, this.#following);
    this.closed(document.uri);
    this.#files.set(document.uri, followed);
    const isUnsaved = this.#unsaved.has(document.uri);
    // An editor may bring back what was not saved the last time.
    if (followed.isInFolder && (isUnsaved || !isTold)) {
      const saved = textOnDisk(this.#world, file);
      if (saved !== undefined) open.readFromDisk(saved);
    }
    followed.look();
    if (isUnsaved) followed.told(true, document.version);
    else if (open.state === 'unsaved') followed.followBuffer();
  }

  edited(document: LiveDocument, edits: readonly TextEdit[]): void {
    const { lineCount, version } = document;
    const text = (): string => document.getText();
    this.#files.get(document.uri)?.edited({ edits, lineCount, version, text });
  }

  told({ uri, isUnsaved, version }: UnsavedChanged): void {
    if (isUnsaved) this.#unsaved.add(uri);
    else this.#unsaved.delete(uri);
    this.#files.get(uri)?.told(isUnsaved, version);
  }

  saved(uri: string): void {
    this.#files.get(uri)?.saved();
  }

  closed(uri: string): void {
    const file = this.#files.get(uri);
    this.#files.delete(uri);
    if (file === undefined) return;
    this.#notices.forget(file);
    const ending = file.end().finally(() => void this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Folders have come or gone, or files have been moved. */
  placeAnew(): void {
    this.#parts?.places.forget();
    for (const file of this.#files.values()) file.placeAnew();
  }

  /** Lets a task start beside a file of this window, this once; answers whether it has the file. */
  letStart(bufferId: string, task: Pick<WaitingTask, 'run' | 'id'>): boolean {
    const file = [...this.#files.values()].find((each) => each.bufferId === bufferId);
    return file?.letStart(task) === true;
  }

  /** Tells once when nobody else writes the file any more. */
  tellWhenFree(file: FollowedFile): void {
    this.#notices.tellWhenFree(file);
  }

  /** What this window had is free before it is gone. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    await Promise.allSettled([...this.#ending, ...files.map(async (file) => await file.end())]);
  }

  get #following(): FollowingParts & { readonly window: EditorWindow } {
    if (this.#parts !== undefined) return this.#parts;
    const [workspace, world] = [this.#workspace, this.#world];
    const window = editorWindow(world, this.#options.userName);
    this.#parts = {
      world,
      window,
      places: new FilePlaces(world, workspace, window),
      plans: this.plans,
      text: new FileClaimText(),
      tell: (uri, diagnostics) =>
        workspace.diagnostics.set(workspace.uriToTell(uri), 'ownership', diagnostics),
      looked: (file) => this.#notices.looked(file),
      overwritten: ({ open: { uri }, name }, { by, text }) => {
        const who = by.join(', ');
        if (this.#options.tellsUnsaved === true) this.#tellOverwritten({ uri, by: who, text });
        else this.#notices.overwritten(name, who);
      },
    };
    return this.#parts;
  }

  /** What happens at once is looked at once. */
  #news(entries: readonly LedgerEntry[]): void {
    if (this.#files.size === 0) return;
    const { window } = this.#following;
    for (const { event } of entries)
      if (event.kind === 'releaseAsked')
        this.#notices.asked(event, { window, files: [...this.#files.values()] });
    const buffers = buffersIn(entries, window);
    if (buffers === undefined) this.#areAllDue = true;
    for (const id of buffers ?? []) this.#dueBuffers.add(id);
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    setImmediate(() => this.#look());
  }

  #look(): void {
    const [all, due] = [this.#areAllDue, new Set(this.#dueBuffers)];
    this.#isLookDue = false;
    this.#areAllDue = false;
    this.#dueBuffers.clear();
    for (const file of this.#files.values()) if (all || due.has(file.bufferId ?? '')) file.look();
    this.#notices.askForWaiting([...this.#files.values()]);
  }
}

/** The buffers of this window, where nothing else has happened: a thousand of them may come at once. */
function buffersIn(
  entries: readonly LedgerEntry[],
  window: EditorWindow,
): readonly string[] | undefined {
  const ids = entries.map(({ event }) =>
    event.kind === 'pathsOwned' || event.kind === 'pathsFreed' ? event.id : '',
  );
  return ids.length > 0 && ids.every((id) => id.startsWith(`buffer/${window.id}/`))
    ? ids
    : undefined;
}
