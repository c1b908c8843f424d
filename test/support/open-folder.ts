import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import { realWorld } from '../../server/world.ts';
import { clientInMemory, type LanguageClient } from './language-client.ts';
import { readCursor } from './marked-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A folder with files, and a client of the language server that has it open. */
export class OpenFolder {
  readonly path: string;
  readonly client: LanguageClient;
  /** What the server offers. */
  readonly offered: ServerCapabilities;
  readonly #cursor: { readonly file: string; readonly text: string; readonly offset: number };

  private constructor(
    folder: string,
    client: LanguageClient,
    at: {
      readonly offered: ServerCapabilities;
      readonly cursor: { readonly file: string; readonly text: string; readonly offset: number };
    },
  ) {
    this.path = folder;
    this.client = client;
    this.offered = at.offered;
    this.#cursor = at.cursor;
  }

  /** One of the files may have a `¦`, where the client's cursor is. */
  static async open(
    files: Readonly<Record<string, string>>,
    capabilities: ClientCapabilities = {},
    initializationOptions: object = { isTrusted: true },
  ): Promise<OpenFolder> {
    const folder = temporaryFolder();
    let cursor = { file: 'interlock.yaml', text: '', offset: 0 };
    for (const [file, marked] of Object.entries(files)) {
      const found = marked.includes('¦') ? readCursor(marked) : undefined;
      if (found !== undefined) cursor = { file, ...found };
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), found?.text ?? marked);
    }
    const home = temporaryFolder();
    const env = { XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
    const client = clientInMemory(realWorld('test', env));
    const offered = await client.start(folder, { capabilities, initializationOptions });
    return new OpenFolder(folder, client, { offered, cursor });
  }

  uri(file = this.#cursor.file): string {
    return pathToFileURL(path.join(this.path, file)).href;
  }

  /** Asks of the document in which the cursor is, and of its place. */
  async ask(method: string, more: object = {}): Promise<unknown> {
    const before = this.#cursor.text.slice(0, this.#cursor.offset).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)!.length };
    const textDocument = { uri: this.uri() };
    const answer: unknown = await this.client.connection.sendRequest(`textDocument/${method}`, {
      textDocument,
      position,
      ...more,
    });
    return this.#named(answer);
  }

  async askAll(method: string, params: object): Promise<unknown> {
    return this.#named(await this.client.connection.sendRequest(`workspace/${method}`, params));
  }

  /** With paths where addresses in this folder were, and places as `line:character-line:character`. */
  #named(answer: unknown): unknown {
    const root = `${pathToFileURL(this.path).href}/`;
    const text = JSON.stringify(answer).replaceAll(root, '');
    return JSON.parse(text, (_, value: unknown) => (isRange(value) ? shown(value) : value));
  }
}

interface Place {
  readonly line: number;
  readonly character: number;
}

function isRange(value: unknown): value is { readonly start: Place; readonly end: Place } {
  return (
    typeof value === 'object' && value !== null && Object.keys(value).join(' ') === 'start end'
  );
}

function shown({ start, end }: { readonly start: Place; readonly end: Place }): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}
