import { DocumentHighlightKind } from 'vscode-languageserver';
import { idAt, type IdPlace, placesOf, taskOf } from '../language/task-mentions.ts';
import type { Position } from '../plans/positions.ts';
import type { Feature } from './feature.ts';
import { locationOf, spotAt } from './spots.ts';
import type { PlanDocument } from './workspace.ts';

export const referencesFeature: Feature = {
  capabilities: () => ({ referencesProvider: true, documentHighlightProvider: true }),
  register(connection, workspace) {
    connection.onReferences(({ textDocument, position, context }) => {
      const document = workspace.documentAt(textDocument.uri);
      if (document === undefined) return [];
      return placesOfTask(document, position)
        .filter(({ isDeclaration }) => context.includeDeclaration || !isDeclaration)
        .map((place) => locationOf(document.places, place));
    });
    connection.onDocumentHighlight(({ textDocument, position }) => {
      const document = workspace.documentAt(textDocument.uri);
      if (document === undefined) return [];
      const { file, places } = document;
      return placesOfTask(document, position)
        .filter((place) => place.file === file)
        .map(({ range, isDeclaration }) => ({
          range: places.positionsOf(file).range(range),
          kind: isDeclaration ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
        }));
    });
  },
};

function placesOfTask(document: PlanDocument, position: Position): readonly IdPlace[] {
  const place = idAt(spotAt(document, position));
  const target = place && taskOf(document.plans, place);
  return target === undefined ? [] : placesOf(document.plans, target);
}
