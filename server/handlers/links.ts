import type { DocumentLink } from 'vscode-languageserver';
import { linksOf } from '../language/links.ts';
import { vocabularyOf } from '../language/vocabulary.ts';
import type { Feature } from './feature.ts';

/** As many files are looked for as a disk answers before anybody notices. */
const FILE_LIMIT = 1000;

export const linksFeature: Feature = {
  capabilities: () => ({ documentLinkProvider: { resolveProvider: false } }),
  register(connection, workspace) {
    connection.onDocumentLinks(({ textDocument }): DocumentLink[] => {
      const document = workspace.yamlAt(textDocument.uri);
      const words = document && vocabularyOf(document.plan, document.file);
      if (document === undefined || words === undefined) return [];
      const { file, places, folder, tree } = document;
      const positions = places.positionsOf(file);
      const hasTooltips = workspace.client.textDocument?.documentLink?.tooltipSupport === true;
      const known = new Map<string, boolean>();
      const isThere = (path: string): boolean => {
        const isFile =
          known.get(path) ?? (known.size < FILE_LIMIT && folder?.hasFile(path) === true);
        known.set(path, isFile);
        return isFile;
      };
      return linksOf(tree(), words).flatMap((link) => {
        if (link.kind === 'file' && !isThere(link.path)) return [];
        const range = positions.range(link);
        if (link.kind === 'url') return [{ range, target: link.url }];
        const tooltip = hasTooltips ? { tooltip: `Open ${link.path}` } : {};
        return [{ range, target: places.uriOf(link.path), ...tooltip }];
      });
    });
  },
};
