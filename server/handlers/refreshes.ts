import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
} from 'vscode-languageserver';
import { Refresher } from './refresher.ts';

/** What a client is asked to ask for again, if it can be. */
export class Refreshes {
  /** What is shown of the states of tasks. */
  readonly states: Refresher;
  readonly diagnostics: Refresher;
  readonly tokens: Refresher;

  constructor(connection: Connection, client: () => ClientCapabilities) {
    const { languages } = connection;
    this.states = new Refresher(async () => {
      const { codeLens, inlayHint } = client().workspace ?? {};
      if (codeLens?.refreshSupport === true)
        await connection.sendRequest(CodeLensRefreshRequest.type);
      if (inlayHint?.refreshSupport === true) await languages.inlayHint.refresh();
    });
    this.diagnostics = new Refresher(async () => {
      if (client().workspace?.diagnostics?.refreshSupport === true)
        await languages.diagnostics.refresh();
    });
    this.tokens = new Refresher(async () => {
      if (client().workspace?.semanticTokens?.refreshSupport === true)
        await languages.semanticTokens.refresh();
    });
  }
}
