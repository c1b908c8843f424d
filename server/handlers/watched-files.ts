import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  type FileSystemWatcher,
  WatchKind,
} from 'vscode-languageserver';

const PLAN_FILES = ['**/{interlock,*.interlock}.{yaml,yml}', '**/.vscode/tasks.json'];
/** The tasks of a board may be in a folder of any name. */
const BOARD_FILES = ['**/config.yml', '**/*.md'];
const WATCHERS: readonly FileSystemWatcher[] = [
  ...[...PLAN_FILES, ...BOARD_FILES].map((globPattern) => ({ globPattern })),
  // Of a folder that is removed with all that is in it, editors tell only that.
  { globPattern: '**', kind: WatchKind.Delete },
];

/** A client that watches files is asked for those that plans are made of. */
export async function registerForWatchedFiles(
  { client }: Connection,
  { workspace }: ClientCapabilities,
): Promise<void> {
  if (workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
  await client.register(DidChangeWatchedFilesNotification.type, { watchers: [...WATCHERS] });
}
