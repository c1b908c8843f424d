import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('each task folds from its id to its last line', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'interlock.yaml');
  writeFileSync(file, 'tasks:\n  a:\n    run: x\n    title: A\n  b: { run: y }\n');
  const client = clientInMemory(realWorld('test', { XDG_STATE_HOME: folder }));
  await client.start(folder);
  const folds = await client.connection.sendRequest('textDocument/foldingRange', {
    textDocument: { uri: pathToFileURL(file).href },
  });
  expect(folds).toEqual([{ startLine: 1, endLine: 4 }]);
});
