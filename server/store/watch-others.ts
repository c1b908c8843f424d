import { type FSWatcher, watch } from 'node:fs';
import type { Database } from 'better-sqlite3';

interface Watched {
  readonly database: Database;
  /** The file that is written to after each commit. */
  readonly bell: string;
  /** The board has gone on in a copy, which is where commits are from then on. */
  readonly hasCopy: () => boolean;
}

/**
 * Only another process's commit is news: this one knows of its own. Watching is a convenience:
 * without it the view is right again at the next change of our own.
 */
export function watchOthers({ database, bell, hasCopy }: Watched, onHint: () => void): Disposable {
  const dataVersion = (): unknown => database.pragma('data_version', { simple: true });
  let seen = dataVersion();
  const watcher = watchFile(bell, () => {
    if (!database.open) return;
    const version = dataVersion();
    if (version === seen && !hasCopy()) return;
    seen = version;
    onHint();
  });
  watcher?.on('error', () => watcher.close());
  return { [Symbol.dispose]: () => watcher?.close() };
}

function watchFile(file: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(file, onChange);
  } catch {
    return undefined;
  }
}
