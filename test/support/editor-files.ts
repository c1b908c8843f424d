import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  Diagnostic,
  DiagnosticSeverity,
  InitializeParams,
} from 'vscode-languageserver/node';
import { UNSAVED_CHANGED } from '../../protocol/documents.ts';
import type { BoardWorld } from '../../server/board/ports.ts';
import { realWorld } from '../../server/world.ts';
import { clientInMemory, type LanguageClient } from './language-client.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SEVERITIES: Readonly<Record<DiagnosticSeverity, string>> = {
  1: 'error',
  2: 'warning',
  3: 'information',
  4: 'hint',
};

/** A folder with a plan and a board of its own. */
export class EditedProject {
  readonly folder = temporaryFolder();
  readonly env = {
    ...process.env,
    INTERLOCK_STATE_DIR: path.join(this.folder, '.state'),
    XDG_CONFIG_HOME: path.join(this.folder, '.config'),
  };

  constructor(plan: string, files: Readonly<Record<string, string>> = {}) {
    for (const [file, text] of Object.entries({ 'interlock.yaml': plan, ...files }))
      this.write(file, text);
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
    writeFileSync(path.join(this.folder, file), text);
  }

  uri(file: string): string {
    return pathToFileURL(path.join(this.folder, file)).href;
  }

  /** A window of an editor on the folder. */
  async window(
    userName: string,
    { options, change = {}, init = {}, listen }: WindowOptions = {},
  ): Promise<EditorOnTrial> {
    const world = { ...realWorld(`the window of ${userName}`, this.env), ...change };
    const client = clientInMemory(world);
    listen?.(client);
    await client.start(this.folder, {
      initializationOptions: { isTrusted: true, userName, ...options },
      capabilities: { textDocument: LITERAL_ACTIONS },
      ...init,
    });
    await client.until(() => client.states !== '');
    return new EditorOnTrial(client, this);
  }
}

/** Quick fixes may be more than commands. */
export const LITERAL_ACTIONS = {
  codeAction: {
    codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } },
  },
};

interface WindowOptions {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly change?: Partial<BoardWorld>;
  readonly init?: Partial<InitializeParams>;
  /** What it is told before it has started is heard too. */
  readonly listen?: (client: LanguageClient) => void;
}

/** Types into files and looks at what is said of them. */
export class EditorOnTrial {
  readonly client: LanguageClient;
  readonly #project: EditedProject;
  readonly #texts = new Map<string, string>();
  #version = 1;

  constructor(client: LanguageClient, project: EditedProject) {
    this.client = client;
    this.#project = project;
  }

  async open(file: string, text: string): Promise<void> {
    this.#texts.set(file, text);
    const textDocument = { uri: this.uri(file), languageId: 'plaintext', version: 1, text };
    await this.client.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Puts another text in the place of one line. */
  async change(file: string, line: number, text: string): Promise<void> {
    const lines = (this.#texts.get(file) ?? '').split('\n');
    const end = { line, character: lines[line]?.length ?? 0 };
    lines[line] = text;
    this.#texts.set(file, lines.join('\n'));
    await this.#changed(file, [{ range: { start: { line, character: 0 }, end }, text }]);
  }

  async replace(file: string, text: string): Promise<void> {
    this.#texts.set(file, text);
    await this.#changed(file, [{ text }]);
  }

  async save(file: string): Promise<void> {
    this.#project.write(file, this.#texts.get(file) ?? '');
    const textDocument = { uri: this.uri(file) };
    await this.client.connection.sendNotification('textDocument/didSave', { textDocument });
  }

  async close(file: string): Promise<void> {
    const textDocument = { uri: this.uri(file) };
    await this.client.connection.sendNotification('textDocument/didClose', { textDocument });
  }

  async tellUnsaved(file: string, isUnsaved: boolean): Promise<void> {
    const params = { uri: this.uri(file), isUnsaved, version: this.#version };
    await this.client.connection.sendNotification(UNSAVED_CHANGED, params);
  }

  uri(file: string): string {
    return this.#project.uri(file);
  }

  diagnostics(file: string): readonly Diagnostic[] {
    return this.client.diagnostics.get(this.uri(file)) ?? [];
  }

  /** `hint 0-0; warning 3-4`: severities and lines. */
  marks(file: string): string {
    return this.diagnostics(file)
      .map(({ severity, range: { start, end } }) => {
        return `${SEVERITIES[severity ?? 1]} ${start.line}-${end.line}`;
      })
      .join('; ');
  }

  messages(file: string): readonly string[] {
    return this.diagnostics(file).map(({ message }) =>
      typeof message === 'string' ? message : message.value,
    );
  }

  async untilMarks(file: string, expected: string): Promise<void> {
    await this.client.until(() => this.marks(file) === expected);
  }

  async actions(file: string): Promise<readonly CodeAction[]> {
    const diagnostics = this.diagnostics(file);
    const top = { line: 0, character: 0 };
    const range = diagnostics[0]?.range ?? { start: top, end: top };
    return await this.client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri: this.uri(file) },
      range,
      context: { diagnostics },
    });
  }

  /** Chooses one of them by how its title begins. */
  async choose(file: string, title: string): Promise<void> {
    const action = (await this.actions(file)).find((each) => each.title.startsWith(title));
    if (action?.command === undefined) throw new Error(`There is no "${title}".`);
    const { command, arguments: args } = action.command;
    await this.client.connection.sendRequest('workspace/executeCommand', {
      command,
      arguments: args,
    });
  }

  async #changed(file: string, contentChanges: readonly unknown[]): Promise<void> {
    this.#version += 1;
    const textDocument = { uri: this.uri(file), version: this.#version };
    await this.client.connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges,
    });
  }
}
