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
import { ReportFiles } from './report-files.ts';

const SCHEME = 'interlock-doctor';

/** The report of the doctor as a document. */
export class DoctorDocument implements vscode.Disposable {
  readonly #window: Window;
  readonly #files: ReportFiles;

  constructor(window: Window) {
    this.#window = window;
    this.#files = new ReportFiles(SCHEME, {
      memento: window.context.workspaceState,
      advice: l10n.t('Run "Interlock: Doctor" to look again.'),
    });
  }

  async show(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder =
      folders.length === 0 ? undefined : await chooseFolder(l10n.t('Look at which folder?'));
    if (folder === undefined && folders.length > 0) return;
    const report = await this.#examine(folder);
    const text = reportText(report);
    await this.#files.show('Interlock Doctor', text);
    const copy = l10n.t('Copy for a Bug Report');
    const message = l10n.t('Interlock: {0}', summary(report.checks));
    const chosen = await showInformation(message, copy);
    if (chosen === copy) await vscode.env.clipboard.writeText(text);
  }

  dispose(): void {
    this.#files.dispose();
  }

  async #examine(folder: vscode.WorkspaceFolder | undefined): Promise<DoctorReport> {
    const params: DoctorParams = folder === undefined ? {} : { folderUri: folder.uri.toString() };
    const { server, context } = this.#window;
    const found = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: l10n.t('Interlock looks what is there…') },
      async () => await server.ask<DoctorReport>(EXAMINE, params).catch(withoutServer),
    );
    return withEditor(found, editorFacts(context));
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
