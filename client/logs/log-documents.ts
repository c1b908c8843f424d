import * as vscode from 'vscode';
import type { LogOutput } from '../../protocol/logs.ts';
import { ReadOnlyFiles, type ReadOnlyText } from '../read-only-files.ts';
import { now, TIMERS } from '../time.ts';
import type { Window } from '../window.ts';
import { type LogName, logPath, logQuery, readLogQuery } from './attempts-model.ts';
import { FollowEnd } from './follow-end-model.ts';
import { LogDocumentText } from './log-text-model.ts';
import type { LogReaders, LogReading } from './log-readers.ts';

const SCHEME = 'interlock-log';
/** Delay before the end is revealed; VS Code reports a scroll within that time. */
const REVEAL_MS = 100;

/** The output of attempts as documents to read, which grow while the attempts go on. */
export class LogDocuments implements vscode.Disposable {
  readonly #readers: LogReaders;
  readonly #open = new Map<string, OpenLog>();
  readonly #files: ReadOnlyFiles;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor({ server }: Window, readers: LogReaders) {
    this.#readers = readers;
    this.#files = new ReadOnlyFiles(SCHEME, async (uri) => await this.#textOf(uri));
    this.#subscriptions = [
      this.#files,
      vscode.workspace.onDidOpenTextDocument((document) => this.#taken(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#taken(document)),
      vscode.window.onDidChangeTextEditorVisibleRanges((event) => this.#scrolled(event)),
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

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  /** Concurrent first reads share one request. */
  async #textOf(uri: vscode.Uri): Promise<ReadOnlyText> {
    const open = this.#open.get(uri.toString()) ?? this.#read(uri);
    await open.first;
    open.isChanged = false;
    return { text: open.text.text, version: open.version };
  }

  #read(uri: vscode.Uri): OpenLog {
    const open: OpenLog = {
      uri,
      text: new LogDocumentText(),
      version: now(),
      first: Promise.resolve(),
      follow: new FollowEnd(),
      isChanged: false,
      isAsked: true,
    };
    const name = readLogQuery(uri.query);
    if (name === undefined) return open;
    this.#open.set(uri.toString(), open);
    open.first = this.#follow(open, name).catch((error: unknown) => {
      this.#close(uri);
      throw error;
    });
    return open;
  }

  async #follow(open: OpenLog, { task, attempt }: LogName): Promise<void> {
    const first = Promise.withResolvers<void>();
    const listener = {
      output: ({ text, isNewest }: LogOutput) => {
        if (open.text.add(text)) {
          open.isChanged = true;
          open.version += 1;
        }
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
    this.#files.change(open.uri);
  }

  #taken(document: vscode.TextDocument): void {
    const open = this.#open.get(document.uri.toString());
    if (open === undefined) return;
    open.isAsked = false;
    // A scroll of the reader may be on its way: it is waited for.
    open.revealing ??= TIMERS.after(REVEAL_MS, () => {
      delete open.revealing;
      this.#keepEnd(open, document);
    });
    this.#ask(open);
  }

  #keepEnd(open: OpenLog, document: vscode.TextDocument): void {
    if (!open.follow.isFollowing) return;
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document === document) {
        open.follow.revealed(now());
        const end = document.lineAt(document.lineCount - 1).range.end;
        editor.revealRange(new vscode.Range(end, end));
      }
  }

  #scrolled({ textEditor, visibleRanges }: vscode.TextEditorVisibleRangesChangeEvent): void {
    const open = this.#open.get(textEditor.document.uri.toString());
    const [first, last] = [visibleRanges[0], visibleRanges.at(-1)];
    if (open === undefined || first === undefined || last === undefined) return;
    const { lineCount } = textEditor.document;
    open.follow.seen({ start: first.start.line, end: last.end.line, lineCount, at: now() });
  }

  #close(uri: vscode.Uri): void {
    this.#open.get(uri.toString())?.revealing?.[Symbol.dispose]();
    this.#open.get(uri.toString())?.reading?.stop();
    this.#open.delete(uri.toString());
  }
}

interface OpenLog {
  readonly uri: vscode.Uri;
  text: LogDocumentText;
  version: number;
  /** Resolves when all that was printed when it was opened is there. */
  first: Promise<void>;
  reading?: LogReading;
  readonly follow: FollowEnd;
  revealing?: Disposable;
  /** Since the window was given the text. */
  isChanged: boolean;
  isAsked: boolean;
}
