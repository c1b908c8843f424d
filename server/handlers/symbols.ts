import {
  type DocumentSymbol,
  type SymbolInformation,
  SymbolKind,
  type WorkspaceSymbol,
} from 'vscode-languageserver';
import { findTasks, type PlanSymbol, symbolsOf } from '../language/symbols.ts';
import type { Positions } from '../plans/positions.ts';
import type { Feature } from './feature.ts';
import type { Folder } from './folder.ts';
import { fileOf } from '../plans/plan-source.ts';

/** More than anybody reads; who types on is answered anew. */
const FOUND_LIMIT = 500;

export const symbolsFeature: Feature = {
  capabilities: () => ({ documentSymbolProvider: true, workspaceSymbolProvider: true }),
  register(connection, workspace) {
    connection.onDocumentSymbol(({ textDocument: { uri } }) => {
      const document = workspace.documentAt(uri);
      if (document === undefined) return [];
      const { plan, file, places } = document;
      const symbols = symbolsOf(plan, file);
      const positions = places.positionsOf(file);
      const support = workspace.client.textDocument?.documentSymbol;
      return support?.hierarchicalDocumentSymbolSupport === true
        ? symbols.map((symbol) => toDocumentSymbol(symbol, positions))
        : symbols.flatMap((symbol) => flat(symbol, { uri, positions }));
    });
    connection.onWorkspaceSymbol(({ query }) =>
      workspace.loadedFolders.flatMap((folder) => tasksIn(folder, query)).slice(0, FOUND_LIMIT),
    );
  },
};

const KINDS = { plan: SymbolKind.Package, task: SymbolKind.Function };

function toDocumentSymbol(symbol: PlanSymbol, positions: Positions): DocumentSymbol {
  return {
    name: symbol.name,
    detail: symbol.detail,
    kind: KINDS[symbol.kind],
    range: positions.range(symbol.range),
    selectionRange: positions.range(symbol.nameRange),
    children: symbol.children.map((child) => toDocumentSymbol(child, positions)),
  };
}

function flat(
  symbol: PlanSymbol,
  at: { readonly uri: string; readonly positions: Positions; readonly containerName?: string },
): SymbolInformation[] {
  const { uri, positions, ...container } = at;
  const location = { uri, range: positions.range(symbol.range) };
  const own = { name: symbol.name, kind: KINDS[symbol.kind], location, ...container };
  const inner = { uri, positions, containerName: symbol.name };
  return [own, ...symbol.children.flatMap((child) => flat(child, inner))];
}

function tasksIn({ board, places }: Folder, query: string): WorkspaceSymbol[] {
  return findTasks({ plans: board.plans.all }, query, FOUND_LIMIT).map(
    ({ plan, task, planName }) => {
      const file = fileOf(task.idRange, plan);
      const location = {
        uri: places.uriOf(file),
        range: places.positionsOf(file).range(task.idRange),
      };
      return { name: task.id, kind: SymbolKind.Function, location, containerName: planName };
    },
  );
}
