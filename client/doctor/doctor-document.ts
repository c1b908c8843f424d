import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type DoctorParams, type DoctorReport, EXAMINE } from '../../protocol/doctor.ts';
import { chooseFolder } from '../commands/choose-folder.ts';
import type { Window } from '../window.ts';
import {
  type EditorFacts,
  reportText,
  summary,
  withEditor,
  withoutServer,
} from './doctor-model.ts';
import { showInformation } from '../show-message.ts';

const SCHEME = 'interlock-doctor';
const URI = vscode.Uri.from({ scheme: SCHEME, path: '/Interlock Doctor.md' });

/** The report of the doctor as a document, so that it can be read, searched and copied. */
export class DoctorDocument implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #window: Window;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  #text = '';

  readonly onDidChange = this.#changed.event;

  constructor(window: Window) {
    this.#window = window;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(): string {
    return this.#text;
  }

  async show(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder =
      folders.length === 0 ? undefined : await chooseFolder(l10n.t('Look at which folder?'));
    if (folder === undefined && folders.length > 0) return;
    const { checks } = await this.#examine(folder);
    await vscode.commands.executeCommand('markdown.showPreview', URI);
    const copy = l10n.t('Copy for a Bug Report');
    const message = l10n.t('Interlock: {0}', summary(checks));
    const chosen = await showInformation(message, copy);
    if (chosen === copy) await vscode.env.clipboard.writeText(this.#text);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #examine(folder: vscode.WorkspaceFolder | undefined): Promise<DoctorReport> {
    const params: DoctorParams = folder === undefined ? {} : { folderUri: folder.uri.toString() };
    const { server, context } = this.#window;
    const found = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: l10n.t('Interlock looks what is there…') },
      async () => await server.ask<DoctorReport>(EXAMINE, params).catch(withoutServer),
    );
    const report = withEditor(found, editorFacts(context));
    this.#text = reportText(report);
    this.#changed.fire(URI);
    return report;
  }
}

function editorFacts({ extension }: vscode.ExtensionContext): EditorFacts {
  const { version }: { readonly version?: unknown } = extension.packageJSON;
  return {
    extension: String(version),
    editor: `${vscode.env.appName} ${vscode.version}`,
    remote: vscode.env.remoteName,
    isTrusted: vscode.workspace.isTrusted,
    folderCount: vscode.workspace.workspaceFolders?.length ?? 0,
  };
}
