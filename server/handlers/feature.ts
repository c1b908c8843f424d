import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver';
import type { Workspace } from './workspace.ts';

/** Something that a client may ask of the text of a plan. */
export interface Feature {
  /** What is offered to this client; what it could not use is left out. */
  capabilities(client: ClientCapabilities): ServerCapabilities;
  register(connection: Connection, workspace: Workspace): void;
}
