import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { processRunner } from '../../../server/runners/process-runner.ts';
import { usingFolder } from '../../../server/system/folder-use.ts';
import { EndLog } from '../../support/end-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.skipIf(process.platform === 'win32')('a file where commands are kept is named', () => {
  const commandsFolder = path.join(temporaryFolder(), 'commands');
  writeFileSync(commandsFolder, 'x');
  const parts = { news: new EndLog(), logFile: () => '', logFolder: () => '', parentEnv: {} };
  const make = (): unknown => processRunner({ ...parts, commandsFolder });
  expect(() => usingFolder(commandsFolder, make)).toThrow(
    expect.objectContaining({
      name: 'StoreError',
      reason: 'world',
      message: `Interlock could not use the folder ${commandsFolder} (ENOTDIR). If something else has that name, delete it; make the folder above it writable, and free its disk.`,
    }),
  );
});

test('a mistake of ours stays what it is', () => {
  expect(() => usingFolder('/state', mistake)).toThrow(TypeError);
});

function mistake(): never {
  throw new TypeError('One is not two.');
}
