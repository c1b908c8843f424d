import type { Connection } from 'vscode-languageserver';
import {
  type OwnedPath,
  OWNERSHIP_CHANGED,
  OWNERSHIP_OF,
  OWNERSHIP_URIS_LIMIT,
  type OwnershipChanged,
  type OwnershipQuery,
  type OwnershipReply,
} from '../../../protocol/ownership.ts';
import type { BoardWorld, OpenBoard } from '../../board/ports.ts';
import { nowOn, type Writer, writersNow } from '../../board/writers-now.ts';
import { fieldsOf, refuseParams } from '../refuse-params.ts';
import { pathOfUri } from '../path-of-uri.ts';
import type { Workspace } from '../workspace.ts';
import type { FilePlace } from './file-places.ts';
import type { LiveFiles } from './live-files.ts';

/** Beyond that the client is told that any may have changed, and asks again about those it shows. */
const ASKED_LIMIT = 2000;
/** Nobody reads more of them beside a name. */
const SENTENCES_LIMIT = 5;
/** A timer cannot wait for much longer. */
const LONGEST_WAIT_MS = 2 ** 30;

interface OwnerBadgesParts {
  readonly connection: Connection;
  readonly live: LiveFiles;
  readonly workspace: Workspace;
  readonly world: Pick<BoardWorld, 'alarm'>;
}

export function registerOwnerBadges(parts: OwnerBadgesParts): void {
  const badges = new OwnerBadges(parts);
  parts.connection.onRequest(OWNERSHIP_OF, (params: unknown): OwnershipReply => {
    const { uris } = readQuery(params);
    return { owned: uris.map((uri) => badges.of(uri) ?? null) };
  });
}

interface AskedFile {
  readonly places: readonly FilePlace[];
  /** What was answered last, as text. */
  answer: string;
}

/**
 * Who writes the files that a client shows, open or not. Where nobody writes anything nothing is asked
 * of a board; else the client hears which of the files that it asked about have other owners now.
 */
class OwnerBadges {
  readonly #parts: OwnerBadgesParts;
  readonly #asked = new Map<string, AskedFile>();
  #owners: ReadonlySet<Writer> = new Set();
  #isTold = false;
  #isLookDue = false;
  #alarm: Disposable | undefined;

  constructor(parts: OwnerBadgesParts) {
    this.#parts = parts;
    parts.workspace.onNews(() => this.#lookSoon());
    parts.workspace.leaving.push((folder) => {
      for (const [uri, { places }] of this.#asked)
        if (places.some((place) => place.folder === folder)) this.#asked.delete(uri);
      this.#lookSoon();
    });
  }

  of(uri: string): OwnedPath | undefined {
    const file = this.#owners.size === 0 ? undefined : pathOfUri(uri);
    if (file === undefined) return undefined;
    const asked = this.#asked.get(uri) ?? { places: this.#parts.live.places.of(file), answer: '' };
    this.#asked.set(uri, asked);
    const owned = this.#look(asked);
    asked.answer = textOf(owned);
    return owned;
  }

  /** Of boards that are shared by folders the first one speaks. */
  #look({ places }: AskedFile): OwnedPath | undefined {
    const { live } = this.#parts;
    const trees = new Set<string>();
    const found = places.flatMap((place) => {
      const via = live.places.claimsAt(place);
      if (via === undefined || trees.has(via.tree)) return [];
      trees.add(via.tree);
      const whole = via.writing(place.path);
      const part = whole.length > 0 || this.#isFile(place) ? [] : via.writingBelow(place.path);
      const isPart = whole.length === 0;
      return (isPart ? part : whole).map((each) => ({ ...each, isPart, now: via.now }));
    });
    if (found.length === 0) return undefined;
    // Whoever else is there is what the person has to know first.
    const inOrder = found.toSorted((a, b) => Number(a.isOwn) - Number(b.isOwn));
    const sentences = inOrder
      .slice(0, SENTENCES_LIMIT)
      .map(({ claim, isOwn, now }) => live.text.badge({ claim, isOwn }, now));
    return {
      isOwn: found.every(({ isOwn }) => isOwn),
      isPart: found.every(({ isPart }) => isPart),
      sentences,
    };
  }

  /** Nothing is below it, whatever patterns could stand for. */
  #isFile({ folder, inTree, path }: FilePlace): boolean {
    return folder.hasFile(inTree === '' ? path : path.slice(inTree.length + 1));
  }

  #lookSoon(): void {
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    setImmediate(() => {
      this.#isLookDue = false;
      this.#compare();
    });
  }

  /** Mostly the news is of something else, and the owners are those that there were. */
  #compare(): void {
    const before = this.#owners;
    this.#owners = new Set(this.#boards().flatMap(writersNow));
    this.#lookAgain();
    if (isSame(before, this.#owners)) return;
    if (this.#asked.size > ASKED_LIMIT) this.#asked.clear();
    const isAnythingOwned = this.#owners.size > 0;
    // What nobody has asked about is not asked about again.
    const isAll = isAnythingOwned !== this.#isTold || this.#asked.size === 0;
    this.#isTold = isAnythingOwned;
    const uris = isAll ? undefined : this.#changedUris();
    if (!isAnythingOwned) this.#asked.clear();
    if (uris?.length === 0) return;
    const params: OwnershipChanged = { isAnythingOwned, ...(uris && { uris }) };
    void this.#parts.connection.sendNotification(OWNERSHIP_CHANGED, params);
  }

  #changedUris(): readonly string[] {
    return [...this.#asked].flatMap(([uri, asked]) =>
      textOf(this.#look(asked)) === asked.answer ? [] : [uri],
    );
  }

  #boards(): readonly OpenBoard[] {
    return this.#parts.workspace.folders.flatMap(({ board }) => board.live ?? []);
  }

  /** What ends by its time ends without a word. */
  #lookAgain(): void {
    this.#alarm?.[Symbol.dispose]();
    this.#alarm = undefined;
    const [first] = this.#boards();
    const ends = [...this.#owners].flatMap(({ until }) => until ?? []);
    if (first === undefined || ends.length === 0) return;
    const delayMs = Math.max(1, Math.min(...ends) - nowOn(first));
    const look = (): void => this.#lookSoon();
    this.#alarm = this.#parts.world.alarm.after(Math.min(delayMs, LONGEST_WAIT_MS), look);
  }
}

function isSame(some: ReadonlySet<Writer>, others: ReadonlySet<Writer>): boolean {
  return some.size === others.size && [...some].every((owner) => others.has(owner));
}

function textOf(owned: OwnedPath | undefined): string {
  return owned === undefined ? '' : JSON.stringify(owned);
}

function readQuery(params: unknown): OwnershipQuery {
  const { uris } = fieldsOf(params);
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  if (!isList) throw refuseParams('"uris" is a list of URIs.');
  if (uris.length > OWNERSHIP_URIS_LIMIT)
    throw refuseParams(`"uris" has at most ${OWNERSHIP_URIS_LIMIT} URIs.`);
  return { uris };
}
