import type { SelectionRange } from 'vscode-languageserver';
import { selectionsIn, selectionsInTask } from '../language/selection.ts';
import type { Span } from '../language/yaml/tree.ts';
import type { Feature } from './feature.ts';

export const selectionFeature: Feature = {
  capabilities: () => ({ selectionRangeProvider: true }),
  register(connection, workspace) {
    connection.onSelectionRanges(({ textDocument, positions }) => {
      const document = workspace.yamlAt(textDocument.uri);
      if (document === undefined) return null;
      const { plan, file, places, tree } = document;
      const text = places.positionsOf(file);
      return positions.map((position) => {
        const offset = text.offset(position);
        const spans =
          plan.kind === 'interlock'
            ? selectionsIn(tree(), offset)
            : selectionsInTask(plan, file, offset);
        const chain = (parent: SelectionRange | undefined, span: Span): SelectionRange => ({
          range: text.range(span),
          ...(parent && { parent }),
        });
        const chained = spans.toReversed().reduce(chain, undefined);
        return chained ?? { range: { start: position, end: position } };
      });
    });
  },
};
