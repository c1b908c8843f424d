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
    let offered: OfferedTerminals | undefined;
    connection.onNotification(OFFER_TERMINALS, (offer: unknown) => {
      const { userName } = readOffer(offer);
      if (offered === undefined)
        offered = new OfferedTerminals({ connection, workspace, userName });
      else offered.rename(userName);
    });
  },
};

function readOffer(offer: unknown): TerminalsOffer {
  const { userName }: Partial<Record<keyof TerminalsOffer, unknown>> =
    typeof offer === 'object' && offer !== null ? offer : {};
  return typeof userName === 'string' && userName !== '' ? { userName } : {};
}

interface OfferParts {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly userName: string | undefined;
}

/** A window that opens terminals, in each of its folders. */
class OfferedTerminals {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #terminals = new Map<Folder, BoardTerminals>();
  #userName: string | undefined;

  constructor({ connection, workspace, userName }: OfferParts) {
    this.#connection = connection;
    this.#workspace = workspace;
    this.#userName = userName;
    workspace.onNews((entries) => this.#look(entries));
    workspace.leaving.push((folder) => {
      void this.#terminals.get(folder)?.leave();
      this.#terminals.delete(folder);
    });
    this.#look([]);
  }

  /** What runs in a terminal already goes on under the name that it began with. */
  rename(userName: string | undefined): void {
    if (userName === this.#userName) return;
    this.#userName = userName;
    for (const terminals of this.#terminals.values()) void terminals.leave();
    this.#terminals.clear();
    this.#look([]);
  }

  #look(entries: readonly LedgerEntry[]): void {
    for (const folder of this.#workspace.folders) {
      const own = this.#terminals.get(folder) ?? new BoardTerminals(folder.board, this.#userName);
      this.#terminals.set(folder, own);
      for (const task of own.look(entries))
        void this.#connection.sendNotification(OPEN_TERMINAL, messageFor(folder, task));
    }
  }
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
