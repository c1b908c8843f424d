/** Client to server, when the user wants to see where a board is kept: `FolderParams` to `BoardFolderReply`. */
export const FIND_BOARD_FOLDER = 'board/folder';

export type BoardFolderReply =
  /** Nothing has happened on the board yet where it is not there. */
  | {
      readonly kind: 'found';
      readonly uri: string;
      readonly path: string;
      readonly isThere: boolean;
    }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };
