import {
  type FoldingRange,
  type FoldingRangeClientCapabilities,
  FoldingRangeKind,
} from 'vscode-languageserver';
import { type Fold, foldsOfTasks, foldsOfTree } from '../language/folding.ts';
import type { Positions } from '../plans/positions.ts';
import type { Feature } from './feature.ts';

export const foldingFeature: Feature = {
  capabilities: () => ({ foldingRangeProvider: true }),
  register(connection, workspace) {
    connection.onFoldingRanges(({ textDocument }) => {
      const document = workspace.documentAt(textDocument.uri);
      if (document === undefined) return [];
      const { plan, file, places, tree } = document;
      const folds = plan.kind === 'interlock' ? foldsOfTree(tree()) : foldsOfTasks(plan, file);
      const support = workspace.client.textDocument?.foldingRange;
      return toFoldingRanges(folds, places.positionsOf(file), support);
    });
  },
};

/** Only what spans lines, from each line once; where the client has a limit, the deepest are left out. */
function toFoldingRanges(
  folds: readonly Fold[],
  positions: Positions,
  support: FoldingRangeClientCapabilities | undefined,
): FoldingRange[] {
  const byLine = new Map<number, { readonly depth: number; readonly range: FoldingRange }>();
  for (const { start, end, isComment, depth } of folds) {
    const [from, to] = [positions.at(start), positions.at(end)];
    if (to.line <= from.line || byLine.has(from.line)) continue;
    const lines = { startLine: from.line, endLine: to.line };
    // An editor that folds from character to character leaves the first line as it is.
    const ends = support?.lineFoldingOnly === true ? {} : { endCharacter: to.character };
    const kind = isComment ? { kind: FoldingRangeKind.Comment } : {};
    byLine.set(from.line, { depth, range: { ...lines, ...ends, ...kind } });
  }
  const limit = typeof support?.rangeLimit === 'number' ? support.rangeLimit : byLine.size;
  return [...byLine.values()]
    .toSorted((a, b) => a.depth - b.depth)
    .slice(0, limit)
    .map(({ range }) => range)
    .toSorted((a, b) => a.startLine - b.startLine);
}
