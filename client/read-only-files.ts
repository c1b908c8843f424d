import * as vscode from 'vscode';

/** Says that a text is UTF-8, whatever `files.encoding` says of other files. */
const BYTE_ORDER_MARK = '\uFEFF';

export interface ReadOnlyText {
  readonly text: string;
  /** Grows with each change; in milliseconds since 1970 where it is a time. */
  readonly version: number;
}

/**
 * Texts of ours as read-only files of a scheme of their own. Unlike a text document content provider,
 * VS Code starts the extension for a tab that was open before a reload (`onFileSystem:SCHEME` in
 * package.json) and reads its text again.
 */
export class ReadOnlyFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #read: (uri: vscode.Uri) => Promise<ReadOnlyText> | ReadOnlyText;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;

  readonly onDidChangeFile = this.#changed.event;

  constructor(scheme: string, read: (uri: vscode.Uri) => Promise<ReadOnlyText> | ReadOnlyText) {
    this.#read = read;
    this.#registration = vscode.workspace.registerFileSystemProvider(scheme, this, {
      isReadonly: true,
      isCaseSensitive: true,
    });
  }

  /** There is another text now. */
  change(uri: vscode.Uri): void {
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const read = await this.#read(uri);
    const { version } = read;
    const size = bytesOf(read).length;
    return { type: vscode.FileType.File, ctime: 0, mtime: version, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return bytesOf(await this.#read(uri));
  }

  watch(): vscode.Disposable {
    return { dispose: () => {} };
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

/** A file with NUL in it would be shown as binary. */
function bytesOf({ text }: ReadOnlyText): Uint8Array {
  return new TextEncoder().encode(`${BYTE_ORDER_MARK}${text.replaceAll('\0', '\u2400')}`);
}
