import path from 'node:path';
import type { Diagnostic, DiagnosticRelatedInformation } from 'vscode-languageserver';
import { type FileClaimText, personName } from '../../board/file-claim-text.ts';
import type { FileClaim, FileClaims, WaitingTask } from '../../board/file-claims.ts';
import type { BoardWorld, OpenBoard } from '../../board/ports.ts';
import type { Instant } from '../../domain/time.ts';
import { BufferClaim } from './buffer-claim.ts';
import type { Folder } from '../folder.ts';
import type { FilePlace, FilePlaces } from './file-places.ts';
import { hazardDiagnostics, type PreparedHazards, prepareHazards } from './hazard-diagnostics.ts';
import type { Edited, OpenFile } from './open-file.ts';
import type { PlanPlaces } from './plan-places.ts';

export interface FollowingParts {
  readonly world: BoardWorld;
  readonly places: FilePlaces;
  readonly plans: PlanPlaces;
  readonly text: FileClaimText;
  readonly tell: (uri: string, diagnostics: readonly Diagnostic[]) => void;
  /** What the user had saved is not on the disk any more. */
  readonly overwritten: (file: FollowedFile, edit: OverwrittenEdit) => void;
  /** The file has been looked at: others may be there now, or nobody any more. */
  readonly looked: (file: FollowedFile) => void;
}

interface OverwrittenEdit {
  /** The tasks and people who were writing the file. */
  readonly by: readonly string[];
  /** The file as the user had saved it. */
  readonly text: string;
}

/** Somebody who is at work on a file, with the board that says so. */
export interface FoundClaim {
  readonly claim: FileClaim;
  readonly via: FileClaims;
  /** The file, as that board calls it. */
  readonly path: string;
}

interface HeldBuffer {
  /** What the board calls it. */
  readonly id: string;
  readonly claim: BufferClaim;
  readonly via: FileClaims;
  readonly path: string;
  /** The board that it is on, for as long as it is open. */
  readonly open: OpenBoard;
}

/** A file that the client has open: who else is at work on it, and what this window says of it. */
export class FollowedFile {
  readonly open: OpenFile;
  readonly #parts: FollowingParts;
  #places: readonly FilePlace[];
  #found: readonly FoundClaim[] = [];
  #prepared: PreparedHazards = {};
  #buffer: HeldBuffer | undefined;
  #starting: Promise<void> | undefined;
  #alarm: Disposable | undefined;
  /** Who else has written the file since it was saved here. */
  #writers: readonly string[] = [];
  #savedAt: Instant | undefined;
  #checking: Disposable | undefined;
  #isEnded = false;

  constructor(open: OpenFile, parts: FollowingParts) {
    this.open = open;
    this.#parts = parts;
    this.#places = parts.places.of(open.path);
  }

  get name(): string {
    return path.basename(this.open.path);
  }

  get isInFolder(): boolean {
    return this.#places.length > 0;
  }

  get found(): readonly FoundClaim[] {
    return this.#found;
  }

  /** What the board calls the claim of this window, whether it has one now or not. */
  get bufferId(): string | undefined {
    return this.#buffer?.id;
  }

  /** The claim of this window, while it has one. */
  get held(): HeldBuffer | undefined {
    return this.#buffer?.claim.isHeld === true ? this.#buffer : undefined;
  }

  /** Folders have come or gone, or files have been moved. */
  placeAnew(): void {
    this.#places = this.#parts.places.of(this.open.path);
    this.look();
    this.#holdAnew();
  }

  /** The person before this window is called otherwise from now on. */
  renamed(): void {
    this.#drop();
    this.look();
    this.followBuffer();
  }

  /** A folder is about to be closed: from then on its board is not to be asked anything. */
  leave(folder: Folder): void {
    this.#places = this.#places.filter((place) => place.folder !== folder);
    this.#letGo();
    this.look();
  }

  edited(edited: Edited): void {
    const { open } = this;
    const before = open.state;
    open.edited(edited);
    if (before !== 'unsaved' && open.state === 'unsaved') this.#compareWithDisk(edited.text());
    if (this.#found.length > 0) this.#tell();
    if (open.state !== 'unsaved' || before !== 'unsaved') this.#checkOverwritten();
    this.followBuffer();
  }

  told(isUnsaved: boolean, version: number): void {
    this.open.told(isUnsaved, version);
    if (this.#found.length > 0) this.#tell();
    this.followBuffer();
  }

  saved(): void {
    const now = this.#openBoard?.clock.now();
    const writers = this.#writersNow();
    if (writers.length === 0 && this.#isOldEdit) this.open.forgetEdit();
    this.#savedAt = now;
    this.#writers = writers;
    this.open.saved();
    if (this.#found.length > 0) this.#tell();
    // Whatever becomes of the file now, its person has written it.
    if (this.#buffer !== undefined) this.#buffer.claim.saved();
    else void this.#startBuffer().then(() => this.#buffer?.claim.saved());
  }

  /** Looks who is there now. */
  look(): void {
    if (this.#isEnded) return;
    this.#found = this.#lookAround();
    this.open.cover(this.#found.length > 0);
    this.#followWriters();
    this.#prepared = this.#prepare();
    this.#tell();
    this.#lookAgain();
    const buffer = this.#buffer;
    if (buffer?.claim.isHeld === true && !buffer.via.has(buffer.path)) buffer.claim.lost();
    if (buffer !== undefined) this.#takeBackLets(buffer);
    this.#parts.looked(this);
  }

  /** This task may start beside the file, this once. Answers whether this window has the file. */
  letStart(task: Pick<WaitingTask, 'run' | 'id'>): boolean {
    const { held } = this;
    const next = held?.via.attemptOf(task);
    if (held !== undefined && next !== undefined) held.claim.let([...held.claim.lets, next]);
    return held !== undefined;
  }

  /** An attempt that has been made, or never will be, is not to be let start any more. */
  #takeBackLets({ claim, via }: HeldBuffer): void {
    const left = claim.lets.filter(({ run, task, revision, attempt }) => {
      const now = via.attemptOf({ run, id: task });
      return now?.revision === revision && now.attempt === attempt;
    });
    if (left.length < claim.lets.length) claim.let(left);
  }

  /** This window takes the file as if somebody had begun to change it; done when the board has answered. */
  async take(): Promise<void> {
    await this.#startBuffer();
    await this.#buffer?.claim.touch();
  }

  /** A key was pressed, or what was changed was undone. */
  followBuffer(): void {
    const { state } = this.open;
    if (this.#buffer !== undefined) this.#buffer.claim.follow(state);
    else if (state === 'unsaved' && this.#starting === undefined)
      void this.#startBuffer().then(() => this.#followUnlessEnded());
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#alarm?.[Symbol.dispose]();
    this.#checking?.[Symbol.dispose]();
    this.#parts.tell(this.open.uri, []);
    await this.#starting;
    await this.#buffer?.claim.end();
  }

  /** Whoever comes long after the edit builds on it. */
  get #isOldEdit(): boolean {
    const now = this.#openBoard?.clock.now();
    return now === undefined || this.#savedAt === undefined || now - this.#savedAt > EDIT_MS;
  }

  #followWriters(): void {
    const news = this.#writersNow().filter((name) => !this.#writers.includes(name));
    if (news.length === 0) return;
    if (this.#isOldEdit) {
      this.open.forgetEdit();
      this.#writers = [];
    }
    this.#writers = [...this.#writers, ...news].slice(-WRITERS_LIMIT);
  }

  #writersNow(): readonly string[] {
    return this.#found.flatMap(({ claim }) => (claim.how === 'writes' ? nameOfWriter(claim) : []));
  }

  /**
   * The client has another text, by a key or because the file was written by somebody else. The disk
   * tells, in a moment: a client may be told of its own save only after that.
   */
  #checkOverwritten(): void {
    const open = this.#openBoard;
    if (open === undefined || this.#writers.length === 0 || this.#checking !== undefined) return;
    this.#checking = open.alarm.after(OVERWRITTEN_MS, () => {
      this.#checking = undefined;
      const onDisk = textOnDisk(this.#parts.world, this.open.path);
      const text = onDisk === undefined ? undefined : this.open.takeOverwritten(onDisk);
      if (text !== undefined) this.#parts.overwritten(this, { by: this.#writers, text });
    });
  }

  /** What was typed and not saved before the file was closed is gone. */
  #followUnlessEnded(): void {
    if (!this.#isEnded) this.#buffer?.claim.follow(this.open.state);
  }

  /** Where folders lie in each other, the board that they share is asked once. */
  #lookAround(): readonly FoundClaim[] {
    const trees = new Set<string>();
    const found: FoundClaim[] = [];
    for (const place of this.#places) {
      const via = this.#parts.places.claimsAt(place);
      if (via === undefined || trees.has(via.tree)) continue;
      trees.add(via.tree);
      for (const claim of via.on(place.path)) found.push({ claim, via, path: place.path });
    }
    return found;
  }

  #prepare(): PreparedHazards {
    const { plans, text } = this.#parts;
    const [first] = this.#found;
    if (first === undefined) return {};
    const pathOf = new Map(this.#found.map((each) => [each.claim, each.path]));
    const claims = this.#found.map(({ claim }) => claim);
    const placeOf = (claim: FileClaim): DiagnosticRelatedInformation | undefined =>
      plans.related(claim, pathOf.get(claim) ?? first.path);
    return prepareHazards(claims, { text, now: first.via.now, placeOf });
  }

  #tell(): void {
    const { changed, lines, hasSavedOver: isSaved } = this.open;
    const diagnostics = hazardDiagnostics(this.#prepared, { lines, changed, isSaved });
    this.#parts.tell(this.open.uri, diagnostics);
  }

  /** What ends by its time ends without a word. */
  #lookAgain(): void {
    this.#alarm?.[Symbol.dispose]();
    this.#alarm = undefined;
    const [first] = this.#found;
    const open = this.#openBoard;
    if (first === undefined || open === undefined) return;
    const { now } = first.via;
    const ends = this.#found.flatMap(({ claim: { until } }) =>
      until !== undefined && until > now ? [until] : [],
    );
    if (ends.length === 0) return;
    const delayMs = Math.min(Math.min(...ends) - now, LONGEST_WAIT_MS);
    this.#alarm = open.alarm.after(delayMs, () => this.look());
  }

  get #openBoard(): OpenBoard | undefined {
    return this.#places.map(({ folder }) => folder.board.live).find((open) => open !== undefined);
  }

  /** The client does not say whether a change is the user's: what is on the disk tells. */
  #compareWithDisk(text: string): void {
    if (this.#places.length === 0) return;
    if (textOnDisk(this.#parts.world, this.open.path) === text) this.open.readAnew();
  }

  /** Once for each file: what git ignores is nobody's. */
  async #startBuffer(): Promise<void> {
    if (isNobodys(this.open.path)) return;
    const { places } = this.#parts;
    const place = this.#places.find(({ folder }) => folder.board.isTrusted && folder.board.live);
    const via = place && places.claimsAt(place);
    const open = place?.folder.board.live;
    if (place === undefined || via === undefined || open === undefined) return;
    this.#starting ??= this.#unlessIgnored(() => {
      // It may have been closed in the meantime.
      if (place.folder.board.live !== open) return;
      const claim = new BufferClaim({
        now: () => via.now,
        after: (delayMs, callback) => open.alarm.after(delayMs, callback),
        own: async (until, isSaved, lets) => await via.own(place.path, { until, isSaved, lets }),
        free: async () => await via.free(place.path),
      });
      this.#buffer = { id: via.idOf(place.path), claim, via, path: place.path, open };
    });
    await this.#starting;
  }

  /** Where its folder was closed, or is another one now, so is the board that says whose it is. */
  #holdAnew(): void {
    this.#letGo();
    this.followBuffer();
  }

  #letGo(): void {
    const buffer = this.#buffer;
    const isThere = this.#places.some(
      ({ folder, path: inTree }) => folder.board.live === buffer?.open && inTree === buffer?.path,
    );
    if (!isThere) this.#drop();
  }

  #drop(): void {
    const buffer = this.#buffer;
    if (buffer === undefined) return;
    this.#buffer = undefined;
    this.#starting = undefined;
    void buffer.claim.end();
  }

  async #unlessIgnored(then: () => void): Promise<void> {
    const isIgnored = await this.#parts.world.isIgnored(this.open.path);
    if (!isIgnored) then();
  }
}

/** So many are named. */
const WRITERS_LIMIT = 5;
/** For so long after it was saved an edit is watched over when a task comes. */
const EDIT_MS = 300_000;
/** A client that saves tells so before that. */
const OVERWRITTEN_MS = 200;

function nameOfWriter({ owner, task, worker }: FileClaim): string {
  return owner.kind === 'person' ? personName(worker) : (task?.id ?? owner.task);
}

/** A timer cannot wait for much longer. */
const LONGEST_WAIT_MS = 2 ** 30;

/** Nobody plans for these, and tools write them all the time. */
function isNobodys(file: string): boolean {
  return file.split(path.sep).some((name) => name === '.git' || name === 'node_modules');
}

/** Nothing where it is not certain that this is all of its text. */
export function textOnDisk({ files }: BoardWorld, file: string): string | undefined {
  const text = files.read(path.dirname(file), path.basename(file));
  if (text === undefined || text.includes('\uFFFD')) return undefined;
  return Buffer.byteLength(text) > READ_LIMIT_BYTES ? undefined : text;
}

/** What is read of a plan is a little more than that, at most. */
const READ_LIMIT_BYTES = 1024 * 1024;
