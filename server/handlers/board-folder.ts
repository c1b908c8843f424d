import { pathToFileURL } from 'node:url';
import { type BoardFolderReply, FIND_BOARD_FOLDER } from '../../protocol/board-folder.ts';
import type { Feature } from './feature.ts';
import { folderIn } from './new-plans.ts';

/** Where a board is kept, for whoever wants to look into its files. */
export const boardFolderFeature: Feature = {
  capabilities: () => ({}),
  register(connection, workspace) {
    connection.onRequest<BoardFolderReply, void>(FIND_BOARD_FOLDER, (params: unknown) => {
      const folder = folderIn(params, workspace);
      if (folder === undefined) return { kind: 'refused', message: 'This folder is not open.' };
      const { path, isThere } = folder.board.stateFolder;
      return { kind: 'found', uri: pathToFileURL(path).href, path, isThere };
    });
  },
};
