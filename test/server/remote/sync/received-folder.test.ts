import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { whileRoom } from '../../../../server/remote/sync/received-folder.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MIB = 1024 * 1024;

test('a folder that fills without end is not filled further', async () => {
  const folder = temporaryFolder();
  let written = 0;
  const fill = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      // What is written after the limit is only what comes until somebody looks.
      if (written < 64 * MIB) await appendFile(path.join(folder, 'file'), Buffer.alloc(MIB));
      written += MIB;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw signal.reason;
  };
  await expect(whileRoom(folder, undefined, fill, 4 * MIB)).rejects.toThrow(
    'what came back has more than 4 MiB',
  );
});

test('what is stopped by others is not said to be too large', async () => {
  const reason = new Error('stopped');
  const stopped = whileRoom(temporaryFolder(), AbortSignal.abort(reason), fillNothing);
  await expect(stopped).rejects.toBe(reason);
});

async function fillNothing(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
}
