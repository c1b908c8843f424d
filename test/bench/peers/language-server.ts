import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

export interface ServerProgram {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** One edit of one line, as a client sends it. */
export interface Keystroke {
  readonly line: number;
  readonly character: number;
  /** How many characters go. */
  readonly removed: number;
  readonly text: string;
}

/** A language server over standard input and output, and what it said last of each document. */
export class LanguageServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #connection: ProtocolConnection;
  readonly #versions = new Map<string, number>();
  #hear: (uri: string) => void = () => {};

  constructor({ args, env }: ServerProgram) {
    const child = spawn(process.execPath, [...args, '--stdio'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    const reader = new StreamMessageReader(child.stdout);
    // A server that ends may be in the middle of a message: the reader would wait for the rest for ever.
    reader.partialMessageTimeout = 0;
    this.#connection = createProtocolConnection(reader, new StreamMessageWriter(child.stdin));
    this.#connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri }: PublishDiagnosticsParams) => this.#hear(uri),
    );
    this.#connection.listen();
  }

  async initialize(folder: string): Promise<void> {
    await this.#connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
      initializationOptions: { isTrusted: true },
    });
    await this.#connection.sendNotification('initialized', {});
  }

  /** Answers when the server has said something of the document. */
  async open(file: string, languageId: string): Promise<void> {
    const uri = pathToFileURL(file).href;
    this.#versions.set(uri, 1);
    const heard = this.#heard(uri);
    const textDocument = { uri, languageId, version: 1, text: readFileSync(file, 'utf8') };
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument });
    await heard;
  }

  /** How long it takes from the key to what is said of it. */
  async type(file: string, { line, character, removed, text }: Keystroke): Promise<number> {
    const uri = pathToFileURL(file).href;
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    const start = { line, character };
    const range = { start, end: { line, character: character + removed } };
    const params = { textDocument: { uri, version }, contentChanges: [{ range, text }] };
    const heard = this.#heard(uri);
    const before = performance.now();
    void this.#connection.sendNotification('textDocument/didChange', params);
    await heard;
    return performance.now() - before;
  }

  /** Resident memory in MB, where the system tells. */
  get memoryMb(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    await this.#connection.sendRequest('shutdown');
    await this.#connection.sendNotification('exit');
    await ended;
    this.#connection.dispose();
  }

  async #heard(wanted: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#hear = (uri) => {
        if (uri === wanted) resolve();
      };
    });
  }
}
