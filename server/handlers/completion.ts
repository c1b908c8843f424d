import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
  type MarkupKind,
  type Range,
} from 'vscode-languageserver';
import type { Cursor } from '../language/completion/spot.ts';
import { complete } from '../language/completion/completion.ts';
import type { FolderEntry, Suggestion, Surroundings } from '../language/completion/suggestion.ts';
import { namesUnder } from '../language/completion/keys.ts';
import type { Feature } from './feature.ts';
import { toMarkup } from './markup.ts';
import { cursorAt } from './spots.ts';
import type { PlanDocument } from './workspace.ts';

const KINDS: Readonly<Record<Suggestion['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  word: CompletionItemKind.EnumMember,
  task: CompletionItemKind.Reference,
  name: CompletionItemKind.Value,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
  new: CompletionItemKind.Snippet,
};

export const completionFeature: Feature = {
  capabilities: () => ({
    completionProvider: { triggerCharacters: ['/', '[', '{', ',', ' ', '!'] },
  }),
  register(connection, workspace) {
    connection.onCompletion(async ({ textDocument, position }) => {
      const document = workspace.yamlAt(textDocument.uri);
      const cursor = document && cursorAt(document, position);
      if (document === undefined || cursor === undefined) return [];
      const positions = document.places.positionsOf(document.file);
      const { completion } = workspace.client.textDocument ?? {};
      const hasSnippets = completion?.completionItem?.snippetSupport === true;
      const hasDetails = completion?.completionItem?.labelDetailsSupport === true;
      const formats = completion?.completionItem?.documentationFormat;
      const suggestions = await suggestionsAt(cursor, document);
      const items = suggestions.flatMap((one, index) => {
        if (one.kind === 'new' && !hasSnippets) return [];
        const range = positions.range(one.range);
        return [toItem(one, { range, index, hasSnippets, hasDetails, formats })];
      });
      const isIncomplete = suggestions.some((one) => one.isUntilTyped === true);
      return isIncomplete ? { isIncomplete, items } : items;
    });
  },
};

interface Placed {
  readonly range: Range;
  readonly index: number;
  readonly hasSnippets: boolean;
  /** What is said beside a suggestion is shown for all of them, not only for the one that is chosen. */
  readonly hasDetails: boolean;
  /** In which texts may be written. */
  readonly formats: readonly MarkupKind[] | undefined;
}

function toItem(one: Suggestion, placed: Placed): CompletionItem {
  const { range, index, hasSnippets, hasDetails, formats } = placed;
  const { label, kind, detail, about, text, snippet, typed } = one;
  const isSnippet = hasSnippets && snippet !== undefined;
  return {
    label,
    kind: KINDS[kind],
    ...(detail !== '' && (hasDetails ? { labelDetails: { description: detail } } : { detail })),
    ...(about !== '' && { documentation: toMarkup(about, formats) }),
    filterText: typed,
    sortText: String(index).padStart(6, '0'),
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    insertTextMode: InsertTextMode.adjustIndentation,
    textEdit: { range, newText: isSnippet ? snippet : text },
  };
}

/** Into which folder is to be looked is known when the text is read, and what git ignores there later. */
async function suggestionsAt(
  cursor: Cursor,
  document: PlanDocument,
): Promise<readonly Suggestion[]> {
  const { folder } = document;
  const known = new Map<string, readonly FolderEntry[]>();
  const wanted = new Set<string>();
  const around = surroundingsOf(document, (inFolder) => {
    wanted.add(inFolder);
    return known.get(inFolder) ?? [];
  });
  const suggestions = complete(cursor, around);
  if (folder === undefined || wanted.size === 0) return suggestions;
  for (const inFolder of wanted) known.set(inFolder, await folder.board.entriesOf(inFolder));
  return complete(cursor, around);
}

function surroundingsOf(
  { plan, tree, folder }: PlanDocument,
  entriesOf: Surroundings['entriesOf'],
): Surroundings {
  return {
    plan,
    folder: { plans: folder?.board.plans.all ?? [plan] },
    agents: namesUnder(tree(), 'agents'),
    hosts: folder?.hosts.hosts ?? [],
    entriesOf,
  };
}
