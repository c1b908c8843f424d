import type { Feature } from './feature.ts';
import { pullsDiagnostics } from './pulled-diagnostics.ts';

/**
 * Diagnostics for clients that ask for them. All others are told without asking: a hazard begins
 * with somebody else, and whoever edits the file is to see it at once.
 */
export const diagnosticsFeature: Feature = {
  capabilities: (client) =>
    pullsDiagnostics(client)
      ? {
          diagnosticProvider: {
            identifier: 'interlock',
            interFileDependencies: true,
            workspaceDiagnostics: true,
          },
        }
      : {},
  register(connection, workspace) {
    const { diagnostics } = connection.languages;
    diagnostics.on(({ textDocument, previousResultId: known }) => {
      workspace.settle();
      const hasRelated = workspace.client.textDocument?.diagnostic?.relatedDocumentSupport === true;
      return workspace.pulled.report(workspace.uriToTell(textDocument.uri), { known, hasRelated });
    });
    diagnostics.onWorkspace(({ previousResultIds }) => {
      workspace.settle();
      const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
      const items = [...workspace.pulled.reports(known)].map(([uri, report]) => ({
        ...report,
        uri,
        version: workspace.versionOf(uri) ?? null,
      }));
      return { items };
    });
  },
};
