import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CHECK_HOST, type HostParams, type HostReport } from '../../protocol/hosts.ts';
import { showInformation } from '../show-message.ts';
import type { Window } from '../window.ts';
import { summary } from './doctor-model.ts';
import { hasOfferedKey, hostReportText } from './host-report-model.ts';

const SCHEME = 'interlock-host';

/** What was found at hosts, as documents that can be read, searched and copied. */
export class HostDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #window: Window;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #texts = new Map<string, string>();

  readonly onDidChange = this.#changed.event;

  constructor(window: Window) {
    this.#window = window;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? l10n.t('Run "Check Host" again to look anew.');
  }

  /** Answers what the user wants done about it. */
  async show(host: string): Promise<'trust' | undefined> {
    const { server } = this.#window;
    const params: HostParams = { host };
    const { checks } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: l10n.t('Interlock looks at {0}…', host) },
      async () => await server.ask<HostReport>(CHECK_HOST, params),
    );
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/Interlock Host ${host}.md` });
    this.#texts.set(uri.path, hostReportText(host, checks));
    this.#changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
    const trust = l10n.t('Trust Host Key…');
    const actions = hasOfferedKey(checks) ? [trust] : [];
    const chosen = await showInformation(`${host}: ${summary(checks)}`, ...actions);
    return chosen === trust ? 'trust' : undefined;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
