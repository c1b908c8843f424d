import type { Connection } from 'vscode-languageserver';
import type { BoardWorld } from '../../board/ports.ts';
import type { LiveFiles } from '../ownership/live-files.ts';
import type { Workspace } from '../workspace.ts';

/** What handlers need that speak for the person before a window. */
export interface PersonParts {
  readonly connection: Connection;
  readonly live: LiveFiles;
  readonly workspace: Workspace;
  readonly world: BoardWorld;
}
