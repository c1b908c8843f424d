import type { Feature } from './feature.ts';
import { foldsOf } from '../language/folding.ts';

export const foldingFeature: Feature = {
  capabilities: () => ({ foldingRangeProvider: true }),
  register(connection, workspace) {
    connection.onFoldingRanges(({ textDocument }) => {
      const document = workspace.documentAt(textDocument.uri);
      if (document === undefined) return [];
      const positions = document.places.positionsOf(document.file);
      return foldsOf(document.plan.plan).flatMap((range) => {
        const { start, end } = positions.range(range);
        return end.line > start.line ? [{ startLine: start.line, endLine: end.line }] : [];
      });
    });
  },
};
