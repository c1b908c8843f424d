import { expect, test } from 'vitest';
import { EXAMINE } from '../../../protocol/doctor.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const PLAN = 'tasks:\n  a: { run: "true" }\n';

test('a client is told of the first folder, or of the one it names', async () => {
  const folder = await OpenFolder.open({ 'interlock.yaml': PLAN });
  const { connection } = folder.client;
  await folder.client.until(() => folder.client.states === 'a idle');
  const folderUri = folder.uri('').replace(/\/$/, '');
  for (const params of [{}, { folderUri }])
    expect(await connection.sendRequest(EXAMINE, params)).toEqual({
      folder: folder.path,
      checks: expect.arrayContaining([
        { name: 'sqlite', state: 'fine', found: expect.stringMatching(/^SQLite 3/) },
        { name: 'coordinator', state: 'fine', found: expect.stringMatching(/^test decides/) },
      ]),
    });
});

test('a folder that is not open is refused, and so is what is no folder', async () => {
  const { client } = await OpenFolder.open({ 'interlock.yaml': PLAN });
  const ask = async (folderUri: unknown): Promise<unknown> =>
    await client.connection.sendRequest(EXAMINE, { folderUri });
  await expect(ask('file:///elsewhere')).rejects.toThrow('This folder is not open.');
  await expect(ask(7)).rejects.toThrow('"folderUri" is a text.');
});
