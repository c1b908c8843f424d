import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';

/** Resolves when a file in an existing folder holds a text. */
export async function untilFile(file: string, text = ''): Promise<void> {
  const holds = (): boolean => existsSync(file) && readFileSync(file, 'utf8').includes(text);
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const watcher = watch(path.dirname(file), () => {
      if (!holds()) return;
      watcher.close();
      resolve();
    });
    // It may have come between the first look and the watch.
    if (!holds()) return;
    watcher.close();
    resolve();
  });
}
