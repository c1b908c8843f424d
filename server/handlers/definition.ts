import type { Location, LocationLink } from 'vscode-languageserver';
import { definitionAt } from '../language/definition.ts';
import type { Feature } from './feature.ts';
import { spotAt } from './spots.ts';
import type { Workspace } from './workspace.ts';

const TOP = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export const definitionFeature: Feature = {
  capabilities: () => ({ definitionProvider: true }),
  register(connection, workspace) {
    connection.onDefinition(({ textDocument, position }) => {
      const link = linkAt(workspace, textDocument.uri, position);
      if (link === undefined) return null;
      if (workspace.client.textDocument?.definition?.linkSupport === true) return [link];
      const location: Location = { uri: link.targetUri, range: link.targetSelectionRange };
      return location;
    });
  },
};

function linkAt(
  workspace: Workspace,
  uri: string,
  position: { line: number; character: number },
): LocationLink | undefined {
  const document = workspace.documentAt(uri);
  if (document === undefined) return undefined;
  const { places, folder, plans, tree } = document;
  const found = definitionAt(plans, spotAt(document, position), tree);
  if (found === undefined) return undefined;
  const originSelectionRange = places.positionsOf(document.file).range(found.origin);
  if (found.kind === 'path') {
    if (folder?.hasFile(found.path) !== true) return undefined;
    const targetUri = places.uriOf(found.path);
    return { originSelectionRange, targetUri, targetRange: TOP, targetSelectionRange: TOP };
  }
  const positions = places.positionsOf(found.file);
  return {
    originSelectionRange,
    targetUri: places.uriOf(found.file),
    targetRange: positions.range(found.range),
    targetSelectionRange: positions.range(found.name),
  };
}
