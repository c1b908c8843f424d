import * as vscode from 'vscode';
import {
  type OwnedPath,
  OWNERSHIP_CHANGED,
  OWNERSHIP_OF,
  OWNERSHIP_URIS_LIMIT,
  type OwnershipChanged,
  type OwnershipQuery,
  type OwnershipReply,
} from '../../protocol/ownership.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Part } from '../window.ts';
import { ownerBadge } from './owner-badges-model.ts';
import { QuestionBatch } from './question-batch.ts';

export const ownerBadges: Part = ({ context, server }) => {
  context.subscriptions.push(new OwnerBadges(server));
  return {};
};

/** In the Explorer and on tabs: what somebody writes now. While nobody does, nothing is asked. */
class OwnerBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #questions: QuestionBatch<OwnedPath | null>;
  readonly #changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #isAnythingOwned = false;

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(server: ServerProcess) {
    const ask = async (uris: readonly string[]): Promise<OwnershipReply['owned']> => {
      const query: OwnershipQuery = { uris };
      const { owned } = await server.ask<OwnershipReply>(OWNERSHIP_OF, query);
      return owned;
    };
    this.#questions = new QuestionBatch(ask, { limit: OWNERSHIP_URIS_LIMIT });
    this.#subscriptions = [
      server.on<OwnershipChanged>(OWNERSHIP_CHANGED, (change) => this.#heed(change)),
      vscode.window.registerFileDecorationProvider(this),
    ];
    server.onStopped(() => this.#heed({ isAnythingOwned: false }));
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    if (!this.#isAnythingOwned || uri.scheme !== 'file') return undefined;
    try {
      return decorationOf(await this.#questions.of(uri.toString()));
    } catch {
      // The server has gone; a new one says what is owned then.
      return undefined;
    }
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#changed.dispose();
  }

  #heed({ isAnythingOwned, uris }: OwnershipChanged): void {
    if (!isAnythingOwned && !this.#isAnythingOwned) return;
    this.#isAnythingOwned = isAnythingOwned;
    this.#changed.fire(uris?.map((uri) => vscode.Uri.parse(uri)));
  }
}

function decorationOf(owned: OwnedPath | null): vscode.FileDecoration | undefined {
  if (owned === null) return undefined;
  const { badge, color, tooltip } = ownerBadge(owned);
  // A folder is asked about like a file: whether it is open makes no difference to what it says.
  return new vscode.FileDecoration(badge, tooltip, new vscode.ThemeColor(color));
}
