import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { FIND_BOARD_FOLDER } from '../../../protocol/board-folder.ts';
import { OpenFolder } from '../../support/open-folder.ts';

test('the folder of a board is told, and whether it is there', async () => {
  const folder = await OpenFolder.open({ 'notes.md': '' });
  const folderUri = pathToFileURL(folder.path).href;
  const ask = async (): Promise<{ uri: string }> =>
    await folder.client.connection.sendRequest(FIND_BOARD_FOLDER, { folderUri });
  const { uri } = await ask();
  const path = fileURLToPath(uri);
  expect(await ask()).toEqual({ kind: 'found', uri, path, isThere: false });
  mkdirSync(path, { recursive: true });
  expect(await ask()).toEqual({ kind: 'found', uri, path, isThere: true });
});

test('a folder that is not open has no board to be shown', async () => {
  const { client } = await OpenFolder.open({ 'notes.md': '' });
  const refused = { kind: 'refused', message: 'This folder is not open.' };
  for (const params of [{ folderUri: 'file:///nowhere' }, { folderUri: 7 }, {}])
    expect(await client.connection.sendRequest(FIND_BOARD_FOLDER, params)).toEqual(refused);
});
