import type { Connection } from 'vscode-languageserver';
import type { BoardWorld } from '../board/ports.ts';
import { registerAgentHandlers } from './agent-handlers.ts';
import { registerDoctor } from './doctor.ts';
import { FEATURES } from './features.ts';
import { registerHosts } from './hosts.ts';
import type { LiveFiles } from './ownership/live-files.ts';
import { registerObservedActions } from './observed-actions.ts';
import { registerOwnershipHandlers } from './ownership/ownership-handlers.ts';
import { registerPersonHandlers } from './people/person-handlers.ts';
import { registerTaskHandlers } from './task-handlers.ts';
import type { Workspace } from './workspace.ts';

interface Served {
  readonly connection: Connection;
  readonly live: LiveFiles;
  readonly workspace: Workspace;
  readonly world: BoardWorld;
}

/** All that a client may ask for, beside what keeps the connection itself going. */
export function registerHandlers(served: Served): void {
  const { connection, live, workspace, world } = served;
  registerTaskHandlers(connection, workspace);
  registerDoctor(connection, workspace, world);
  registerHosts(connection, workspace, world);
  registerOwnershipHandlers(connection, live, workspace);
  registerObservedActions(connection, workspace);
  registerPersonHandlers(served);
  registerAgentHandlers(connection, live, workspace);
  for (const feature of FEATURES) feature.register(connection, workspace);
}
