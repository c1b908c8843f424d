import type { Connection } from 'vscode-languageserver';
import type { BoardWorld } from '../../board/ports.ts';
import type { LiveFiles } from '../ownership/live-files.ts';
import { registerOwnerBadges } from '../ownership/owner-badges.ts';
import type { Workspace } from '../workspace.ts';

/** What handlers need that speak for the person before a window. */
export interface PersonParts {
  readonly connection: Connection;
  readonly live: LiveFiles;
  readonly workspace: Workspace;
  readonly world: BoardWorld;
}

/** What the person before a window is shown of the others at work, and does among them. */
export function registerPersonHandlers(parts: PersonParts): void {
  registerOwnerBadges(parts);
}
