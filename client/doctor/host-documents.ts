import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CHECK_HOST, type HostParams, type HostReport } from '../../protocol/hosts.ts';
import { showInformation } from '../show-message.ts';
import type { Window } from '../window.ts';
import { summary } from './doctor-model.ts';
import { hasOfferedKey, hostReportText } from './host-report-model.ts';
import { ReportFiles } from './report-files.ts';

const SCHEME = 'interlock-host';

/** What was found at hosts, as documents. */
export class HostDocuments implements vscode.Disposable {
  readonly #window: Window;
  readonly #files: ReportFiles;

  constructor(window: Window) {
    this.#window = window;
    this.#files = new ReportFiles(SCHEME, {
      memento: window.context.workspaceState,
      advice: l10n.t('Run "Interlock: Check Host" to look again.'),
    });
  }

  /** Answers what the user wants done about it. */
  async show(host: string): Promise<'trust' | undefined> {
    const { server } = this.#window;
    const params: HostParams = { host };
    const { checks } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: l10n.t('Interlock looks at {0}…', host) },
      async () => await server.ask<HostReport>(CHECK_HOST, params),
    );
    await this.#files.show(`Interlock Host ${host}`, hostReportText(host, checks));
    const trust = l10n.t('Trust Host Key…');
    const actions = hasOfferedKey(checks) ? [trust] : [];
    const chosen = await showInformation(`${host}: ${summary(checks)}`, ...actions);
    return chosen === trust ? 'trust' : undefined;
  }

  dispose(): void {
    this.#files.dispose();
  }
}
