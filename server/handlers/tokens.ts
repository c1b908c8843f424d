import {
  type Range,
  SemanticTokensBuilder,
  SemanticTokenModifiers,
  type SemanticTokens,
  SemanticTokenTypes,
} from 'vscode-languageserver';
import { referenceResolver } from '../language/plan-in-folder.ts';
import { vocabularyOf } from '../language/vocabulary.ts';
import { type Token, tokensOf } from '../language/tokens.ts';
import type { Feature } from './feature.ts';
import type { Workspace } from './workspace.ts';

const TYPES: Readonly<Record<Token['kind'], string>> = {
  task: SemanticTokenTypes.function,
  plan: SemanticTokenTypes.namespace,
  agent: SemanticTokenTypes.class,
  limit: SemanticTokenTypes.variable,
};
const LEGEND = {
  tokenTypes: Object.values(TYPES),
  tokenModifiers: [SemanticTokenModifiers.declaration],
};

/** Of the words that a grammar cannot know: whether an id, an agent or a limit is there. */
export const tokensFeature: Feature = {
  capabilities: () => ({
    semanticTokensProvider: { legend: LEGEND, full: true, range: true },
  }),
  register(connection, workspace) {
    const { semanticTokens } = connection.languages;
    semanticTokens.on(({ textDocument }) => tokensIn(workspace, textDocument.uri));
    semanticTokens.onRange(({ textDocument, range }) =>
      tokensIn(workspace, textDocument.uri, range),
    );
  },
};

function tokensIn(workspace: Workspace, uri: string, range?: Range): SemanticTokens {
  const document = workspace.yamlAt(uri);
  const words = document && vocabularyOf(document.plan, document.file);
  if (document === undefined || words === undefined) return { data: [] };
  const positions = document.places.positionsOf(document.file);
  const from = range === undefined ? 0 : positions.offset(range.start);
  const to = range === undefined ? document.text.length : positions.offset(range.end);
  const builder = new SemanticTokensBuilder();
  for (const token of tokensOf(document, document.tree(), referenceResolver(document.plans))) {
    if (token.end < from || token.start > to) continue;
    const { line, character } = positions.at(token.start);
    const type = LEGEND.tokenTypes.indexOf(TYPES[token.kind]);
    builder.push(line, character, token.end - token.start, type, token.isDeclaration ? 1 : 0);
  }
  // Its other part is a name for the answer, which is for those who tell only what changed since.
  return { data: builder.build().data };
}
