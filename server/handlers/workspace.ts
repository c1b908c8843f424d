import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Connection } from 'vscode-languageserver';
import type { BoardWorld } from '../board/ports.ts';
import { analyzePlan } from '../plans/analyze.ts';
import { isPlanFileName, parseInterlockYaml } from '../plans/interlock-yaml.ts';
import { toDiagnostics } from './convert.ts';
import { Folder } from './folder.ts';

/** The folders of one client, and the plans that it has open outside of them. */
export class Workspace {
  readonly #connection: Connection;
  readonly #world: BoardWorld;
  readonly #folders = new Map<string, Folder>();
  #isTrusted = false;

  constructor(connection: Connection, world: BoardWorld) {
    this.#connection = connection;
    this.#world = world;
  }

  get folders(): readonly Folder[] {
    return [...this.#folders.values()];
  }

  get(uri: string): Folder | undefined {
    return this.#folders.get(uri);
  }

  async add(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const folderPath = fileOf(uri);
      const realPath = folderPath === undefined ? undefined : this.#world.realFolder(folderPath);
      if (folderPath === undefined || realPath === undefined || this.#folders.has(uri)) continue;
      const folder = new Folder({
        connection: this.#connection,
        world: this.#world,
        uri,
        path: folderPath,
        realPath,
        isTrusted: this.#isTrusted,
      });
      this.#folders.set(uri, folder);
      folder.board.load();
      await folder.board.takePart();
    }
  }

  async remove(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const folder = this.#folders.get(uri);
      this.#folders.delete(uri);
      await folder?.close();
    }
  }

  async trust(): Promise<void> {
    this.#isTrusted = true;
    for (const folder of this.#folders.values()) await folder.board.trust();
  }

  reload(): void {
    for (const folder of this.#folders.values()) folder.board.load();
  }

  async close(): Promise<void> {
    await Promise.all(this.folders.map(async (folder) => folder.board.close()));
  }

  /** The text of an open plan, or nothing when it was closed. */
  setBuffer(uri: string, text: string | undefined): void {
    const file = fileOf(uri);
    if (file === undefined) return;
    for (const folder of this.#folders.values()) {
      const plan = folder.relativePath(file);
      if (plan !== undefined && folder.board.setBuffer(plan, text)) return;
    }
    // A plan that lies in no folder, or where plans are not looked for, is checked and never run.
    const plan = analyzePlan(parseInterlockYaml(text ?? ''), this.#world.rules);
    const loaded = { path: file, text: text ?? '', plan };
    const canonical = pathToFileURL(file).href;
    void this.#connection.sendDiagnostics({ uri, diagnostics: toDiagnostics(loaded, canonical) });
  }
}

/** Nothing for what is on no disk of this machine: it has no folder to run in. */
function fileOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

export function isPlanUri(uri: string): boolean {
  const file = fileOf(uri);
  return file !== undefined && isPlanFileName(path.basename(file));
}
