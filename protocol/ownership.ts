/** Client to server: who writes these files and folders. `OwnershipQuery` to `OwnershipReply`. */
export const OWNERSHIP_OF = 'ownership/of';

/** Server to client, whenever other files may be written by somebody than were before: `OwnershipChanged`. */
export const OWNERSHIP_CHANGED = 'ownership/changed';

/** In one question; more of them are asked in several. */
export const OWNERSHIP_URIS_LIMIT = 1000;

export interface OwnershipQuery {
  /** Of files and of folders, at most 1000. */
  readonly uris: readonly string[];
}

export interface OwnershipReply {
  /** In the order of the question; `null` for what nobody writes. */
  readonly owned: readonly (OwnedPath | null)[];
}

/** A file that somebody writes, or a folder of which they may write something. */
export interface OwnedPath {
  /** Whether everybody who writes it is the person who asks. */
  readonly isOwn: boolean;
  /** Of a folder: they may write only a part of it. */
  readonly isPart: boolean;
  /** Who, for which task, since when and until when: a sentence for each of the first few. */
  readonly sentences: readonly string[];
}

export interface OwnershipChanged {
  /** While this is `false` nobody writes anything, and nothing need be asked. It is so until it is said. */
  readonly isAnythingOwned: boolean;
  /** Those of the URIs that were asked about which are others' now, or nobody's; absent: any may be. */
  readonly uris?: readonly string[];
}
