import * as vscode from 'vscode';
import type { LogOutput } from '../../protocol/logs.ts';
import type { Window } from '../window.ts';
import { type LogName, logPath, logQuery, readLogQuery } from './attempts-model.ts';
import { LogDocumentText } from './log-text-model.ts';
import type { LogReaders, LogReading } from './log-readers.ts';

const SCHEME = 'interlock-log';

/** The output of attempts as documents to read, which grow while the attempts go on. */
export class LogDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #readers: LogReaders;
  readonly #open = new Map<string, OpenLog>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor({ server }: Window, readers: LogReaders) {
    this.#readers = readers;
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidOpenTextDocument((document) => this.#taken(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#taken(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      server.onStarted(() => this.#readAnew()),
    ];
  }

  async show(name: LogName): Promise<void> {
    const [path, query] = [logPath(name), logQuery(name)];
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query });
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    // What was printed last is what people look for.
    const end = document.lineAt(document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
    editor.revealRange(new vscode.Range(end, end));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const open = this.#open.get(uri.toString()) ?? (await this.#read(uri));
    open.isChanged = false;
    return open.text.text;
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#changed.dispose();
  }

  /** Answers when all that was printed until now is there. */
  async #read(uri: vscode.Uri): Promise<OpenLog> {
    const open: OpenLog = {
      uri,
      text: new LogDocumentText(),
      lineCount: 0,
      isChanged: false,
      isAsked: true,
    };
    const name = readLogQuery(uri.query);
    if (name === undefined) return open;
    this.#open.set(uri.toString(), open);
    try {
      await this.#follow(open, name);
    } catch (error) {
      this.#close(uri);
      throw error;
    }
    return open;
  }

  async #follow(open: OpenLog, { task, attempt }: LogName): Promise<void> {
    const first = Promise.withResolvers<void>();
    const listener = {
      output: ({ text, isNewest }: LogOutput) => {
        if (open.text.add(text)) open.isChanged = true;
        if (isNewest) first.resolve();
        this.#ask(open);
      },
      ended: () => first.resolve(),
    };
    const reading = await this.#readers.follow(task, listener, attempt);
    open.reading = reading;
    if (reading.reply.kind === 'following') await first.promise;
    else open.text.add(reading.reply.message);
    if (this.#open.get(open.uri.toString()) !== open) reading.stop();
  }

  /** A new server knows of no reader, and of all that was printed. */
  #readAnew(): void {
    for (const open of this.#open.values()) {
      const name = readLogQuery(open.uri.query);
      open.text = new LogDocumentText();
      if (name !== undefined) this.#follow(open, name).catch(() => {});
    }
  }

  /** The window asks for the text when it is told of a change; what comes until it has it is told then. */
  #ask(open: OpenLog): void {
    if (open.isAsked || !open.isChanged) return;
    open.isAsked = true;
    this.#changed.fire(open.uri);
  }

  #taken(document: vscode.TextDocument): void {
    const open = this.#open.get(document.uri.toString());
    if (open === undefined) return;
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document === document) keepEnd(editor, open.lineCount);
    open.lineCount = document.lineCount;
    open.isAsked = false;
    this.#ask(open);
  }

  #close(uri: vscode.Uri): void {
    this.#open.get(uri.toString())?.reading?.stop();
    this.#open.delete(uri.toString());
  }
}

interface OpenLog {
  readonly uri: vscode.Uri;
  text: LogDocumentText;
  reading?: LogReading;
  /** As the window has it. */
  lineCount: number;
  /** Since the window was given the text. */
  isChanged: boolean;
  isAsked: boolean;
}

/** Whoever sees the last line goes on seeing it. */
function keepEnd(editor: vscode.TextEditor, lineCountBefore: number): void {
  const lastSeen = editor.visibleRanges.at(-1)?.end.line ?? 0;
  if (lastSeen < lineCountBefore - 1) return;
  const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
  editor.revealRange(new vscode.Range(end, end));
}
