import type { Connection } from 'vscode-languageserver';
import {
  OFFER_TERMINALS,
  OPEN_TERMINAL,
  type OpenTerminal,
  type TerminalsOffer,
} from '../../protocol/terminals.ts';
import { BoardTerminals, type TaskForTerminal } from '../board/board-terminals.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import type { Feature } from './feature.ts';
import type { Folder } from './folder.ts';
import type { Workspace } from './workspace.ts';

/** Tasks that run in a terminal, for clients that can open one. */
export const terminalFeature: Feature = {
  capabilities: () => ({}),
  register(connection, workspace) {
    let hasOffered = false;
    connection.onNotification(OFFER_TERMINALS, (offer: unknown) => {
      if (hasOffered) return;
      hasOffered = true;
      follow(connection, workspace, readOffer(offer));
    });
  },
};

function readOffer(offer: unknown): TerminalsOffer {
  const { userName }: Partial<Record<keyof TerminalsOffer, unknown>> =
    typeof offer === 'object' && offer !== null ? offer : {};
  return typeof userName === 'string' && userName !== '' ? { userName } : {};
}

function follow(connection: Connection, workspace: Workspace, { userName }: TerminalsOffer): void {
  const terminals = new Map<Folder, BoardTerminals>();
  const look = (entries: readonly LedgerEntry[]): void => {
    for (const folder of workspace.folders) {
      const own = terminals.get(folder) ?? new BoardTerminals(folder.board, userName);
      terminals.set(folder, own);
      for (const task of own.look(entries))
        void connection.sendNotification(OPEN_TERMINAL, messageFor(folder, task));
    }
  };
  workspace.onNews(look);
  workspace.leaving.push((folder) => {
    void terminals.get(folder)?.leave();
    terminals.delete(folder);
  });
  look([]);
}

function messageFor({ uri, board }: Folder, { entry, attempt, as }: TaskForTerminal): OpenTerminal {
  const { manifest } = entry.run;
  return {
    folderUri: uri,
    plan: manifest.plan,
    id: entry.id,
    board: board.root,
    run: manifest.id,
    attempt,
    as,
  };
}
