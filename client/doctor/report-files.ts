import * as vscode from 'vscode';
import { ReadOnlyFiles } from '../read-only-files.ts';
import { now } from '../time.ts';
import { type KeptReport, keepReport, readReports, shownText } from './kept-reports-model.ts';

/**
 * Reports as files, so that they can be read, searched and copied. The texts are kept with the workspace,
 * so a tab that was open before a reload shows its report again.
 */
export class ReportFiles implements vscode.Disposable {
  readonly #scheme: string;
  readonly #memento: vscode.Memento;
  readonly #files: ReadOnlyFiles;
  #reports: ReadonlyMap<string, KeptReport>;

  /** The advice says what to do for a newer report. */
  constructor(
    scheme: string,
    { memento, advice }: { readonly memento: vscode.Memento; readonly advice: string },
  ) {
    const begunAt = now();
    this.#scheme = scheme;
    this.#memento = memento;
    this.#reports = readReports(memento.get(this.#key));
    this.#files = new ReadOnlyFiles(scheme, ({ path }) => {
      const report = this.#reports.get(path);
      return { text: shownText(report, begunAt, advice), version: report?.at ?? begunAt };
    });
  }

  /** The name is what its tab is called. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name}.md` });
    this.#reports = keepReport(this.#reports, uri.path, { text, at: now() });
    await this.#memento.update(this.#key, Object.fromEntries(this.#reports));
    this.#files.change(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  dispose(): void {
    this.#files.dispose();
  }

  get #key(): string {
    return `reports.${this.#scheme}`;
  }
}
