import path from 'node:path';
import {
  type ClientCapabilities,
  type CodeAction,
  type Connection,
  type Diagnostic,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { type LoadedPlan, readingLoose } from '../board/plan-set.ts';
import { sentenceOf } from '../board/board.ts';
import { nextTurn } from '../board/next-turn.ts';
import type { BoardWorld } from '../board/ports.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { PathRules } from '../domain/paths/overlap.ts';
import type { PlansOfFolder } from '../language/plan-in-folder.ts';
import type { YamlTree } from '../language/yaml/tree.ts';
import type { LedgerEntry } from '../engine/store-port.ts';
import { positionsIn } from '../plans/positions.ts';
import { type Places, toDiagnostics } from './convert.ts';
import { DiagnosticsBook } from './diagnostics-book.ts';
import { FirstDocument } from './first-document.ts';
import { Folder } from './folder.ts';
import { pathOfUri } from './path-of-uri.ts';
import { PulledDiagnostics, pullsDiagnostics } from './pulled-diagnostics.ts';
import { Refreshes } from './refreshes.ts';
import { Trees } from './trees.ts';
import { isPlanFileName } from '../plans/plan-file-names.ts';

/** A document that is a plan, or part of one. */
export interface PlanDocument {
  readonly plan: LoadedPlan;
  /** By the name that the plan knows it by. */
  readonly file: string;
  readonly text: string;
  readonly places: Places;
  /** Absent for a plan that lies in no folder of the client: it is checked and never run. */
  readonly folder: Folder | undefined;
  /** The plans whose tasks it can mention, and that can mention its own. */
  readonly plans: PlansOfFolder;
  /** Its shape as YAML; of a task of a board, that of its frontmatter. */
  readonly tree: () => YamlTree;
}

/** By their URIs. */
export interface FolderChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Fixes of others for what they have said of a document. */
type FixSource = (uri: string, diagnostics: readonly Diagnostic[]) => readonly CodeAction[];

interface Buffer {
  readonly file: string;
  readonly text: string | undefined;
  readonly version: number | undefined;
}

type Command = (args: readonly unknown[]) => void;

type NewsListener = (entries: readonly LedgerEntry[]) => void;

/** The folders of one client, and the plans that it has open outside of them. */
export class Workspace {
  readonly diagnostics: DiagnosticsBook;
  /** The person before the client, as boards call them. */
  reader: (() => WorkerId) | undefined;
  /** What is offered beside what plans offer themselves, in any document. */
  readonly fixes: FixSource[] = [];
  /** Told before a folder is closed. */
  readonly leaving: ((folder: Folder) => void)[] = [];
  /** Commands of the server's own, by their names. */
  readonly commands = new Map<string, Command>();
  /** For clients that ask. */
  readonly pulled: PulledDiagnostics;
  readonly #connection: Connection;
  readonly #refreshes: Refreshes;
  readonly #world: BoardWorld;
  readonly #folders = new Map<string, Folder>();
  /** By their URIs. */
  readonly #loose = new Map<string, LoadedPlan>();
  readonly #trees = new Trees();
  /** Documents of folders whose plans are still being read. */
  readonly #held = new Map<string, Buffer>();
  /** What the client calls the texts that it has open, by their paths. */
  readonly #versions = new Map<string, number>();
  #client: ClientCapabilities = {};
  readonly #newsListeners: NewsListener[] = [];
  #isTrusted = false;
  #changing: Promise<void> = Promise.resolve();
  readonly #firstDocument: FirstDocument;
  /** Texts that are being read in slices, in the order in which they came. */
  readonly #readings: Generator<void, void>[] = [];
  readonly #readyListeners: (() => void)[] = [];

  constructor(connection: Connection, world: BoardWorld) {
    this.#connection = connection;
    this.#world = world;
    this.#firstDocument = new FirstDocument(world.alarm);
    this.#refreshes = new Refreshes(connection, () => this.#client);
    this.diagnostics = new DiagnosticsBook((uri, diagnostics) => {
      if (pullsDiagnostics(this.#client)) this.pulled.changed(uri);
      else void connection.sendDiagnostics({ uri, diagnostics });
    });
    this.pulled = new PulledDiagnostics(this.diagnostics, () =>
      this.#refreshes.diagnostics.refresh(),
    );
  }

  /** What the client says that it can do. */
  get client(): ClientCapabilities {
    return this.#client;
  }

  /** Whatever has happened on a board, or may have: then there are no entries. */
  onNews(listener: NewsListener): void {
    this.#newsListeners.push(listener);
  }

  /** With all of their plans, for whoever asks for those. */
  get loadedFolders(): readonly Folder[] {
    this.#load();
    return this.folders;
  }

  get folders(): readonly Folder[] {
    return [...this.#folders.values()];
  }

  get(uri: string): Folder | undefined {
    this.#load();
    return this.#folders.get(uri);
  }

  meet(client: ClientCapabilities): void {
    this.#client = client;
  }

  /** Folders come and go one change after the other, whatever comes while they are being read. */
  async change(folders: FolderChange): Promise<void> {
    const before = this.#changing;
    this.#changing = (async () => {
      // Whoever asked for that one is told what went wrong.
      await before.catch(() => {});
      await this.#remove(folders.removed);
      await this.#add(folders.added);
    })();
    await this.#changing;
  }

  async #add(uris: readonly string[]): Promise<void> {
    const added: Folder[] = [];
    for (const uri of uris) {
      const folderPath = pathOfUri(uri);
      const realPath = folderPath === undefined ? undefined : this.#world.realFolder(folderPath);
      if (folderPath === undefined || realPath === undefined || this.#folders.has(uri)) continue;
      const folder = new Folder({
        connection: this.#connection,
        diagnostics: this.diagnostics,
        onStates: () => this.#refreshes.states.refresh(),
        onReferences: () => this.#refreshes.tokens.refresh(),
        world: this.#world,
        uri,
        path: folderPath,
        realPath,
        isTrusted: this.#isTrusted,
        isTold: (inFolder) => this.#folderOf(path.join(folderPath, inFolder))?.uri === uri,
        reader: () => this.reader?.(),
        elsewhere: (plan) => this.#elsewhere(plan, uri),
        news: (entries) => {
          for (const listener of this.#newsListeners) listener(entries);
        },
      });
      this.#folders.set(uri, folder);
      added.push(folder);
    }
    await this.#firstDocument.wait();
    for (const folder of added) {
      try {
        // What the client says meanwhile, of the documents that are open, is heard first.
        do await nextTurn();
        while (folder.loadStep());
      } catch (error) {
        this.#connection.console.error(sentenceOf(error));
      }
      this.#loaded();
    }
    for (const folder of added) {
      this.#lookAround(folder);
      await folder.board.takePart();
    }
  }

  async #remove(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const folder = this.#folders.get(uri);
      if (folder === undefined) continue;
      for (const leave of this.leaving) leave(folder);
      await folder.close();
      this.#folders.delete(uri);
      this.#lookAround();
    }
    this.#ready();
  }

  async trust(): Promise<void> {
    this.#isTrusted = true;
    for (const folder of this.#folders.values()) await folder.trust();
  }

  /** Tells what has changed now, not in a moment. */
  settle(): void {
    this.#load();
    for (const folder of this.#folders.values()) folder.settle();
  }

  /** These files are others on disk; many that are watched are part of no plan. */
  reload(uris: readonly string[]): void {
    const files = uris.flatMap((uri) => pathOfUri(uri) ?? []);
    const concerned = this.folders.filter((folder) =>
      files.some((file) => folder.board.plans.concerns(folder.relativePath(file) ?? '')),
    );
    if (concerned.length > 0) this.#read(this.#reloading(concerned));
  }

  *#reloading(folders: readonly Folder[]): Generator<void, void> {
    for (const folder of folders)
      if (this.#folders.get(folder.uri) === folder) yield* folder.reloading();
    this.#lookAround();
  }

  async close(): Promise<void> {
    for (const folder of this.folders) folder.stopLoading();
    this.#held.clear();
    this.#readings.length = 0;
    this.#ready();
    await Promise.all(this.folders.map(async (folder) => folder.board.close()));
  }

  /** The text of an open document, or nothing when it was closed. */
  setBuffer(uri: string, text: string | undefined, version?: number): void {
    const file = pathOfUri(uri);
    if (file === undefined) return;
    if (pullsDiagnostics(this.#client)) this.pulled.edited(this.uriToTell(uri), text !== undefined);
    if (version === undefined) this.#versions.delete(file);
    else this.#versions.set(file, version);
    this.#read(this.#taking(uri, { file, text, version }));
  }

  /** The text of a document that was open before folders came or went. */
  takeAnew(uri: string, text: string): void {
    const file = pathOfUri(uri);
    if (file !== undefined)
      this.#read(this.#taking(uri, { file, text, version: this.versionOf(uri) }));
  }

  /** Whether a text that came is still being read; until then, nothing else that comes may be looked at. */
  get isReading(): boolean {
    return this.#readings.length > 0;
  }

  /** Whether some folder's plans are not all known yet. */
  get isLoading(): boolean {
    return this.folders.some((folder) => folder.isLoading);
  }

  /** Called when `isReading` or `isLoading` may have become false. */
  onReady(listener: () => void): void {
    this.#readyListeners.push(listener);
  }

  /** Reads a short text at once, and a long one in slices: the process has other things to do, too. */
  #read(reading: Generator<void, void>): void {
    this.#readings.push(reading);
    if (this.#readings.length === 1) this.#readStep();
  }

  #readStep(): void {
    let isLeft = false;
    try {
      isLeft = this.#readings[0]?.next().done === false;
    } catch (error) {
      // What fails has ended, too.
      this.#connection.console.error(sentenceOf(error));
    }
    if (!isLeft) this.#readings.shift();
    if (this.isReading) setImmediate(() => this.#readStep());
    else this.#ready();
  }

  #ready(): void {
    for (const listener of this.#readyListeners) listener();
  }

  *#taking(uri: string, { file, text, version }: Buffer): Generator<void, void> {
    this.#firstDocument.heard();
    const isNamedSo = isPlanFileName(path.basename(file));
    if (yield* this.#holdingBuffer(uri, { file, text, version })) return;
    let isPlan = false;
    for (const folder of this.#folders.values()) {
      const inFolder = folder.relativePath(file);
      if (inFolder === undefined) continue;
      const isKnown = folder.board.plans.planOf(inFolder) !== undefined;
      if (!isKnown && !isNamedSo) continue;
      const names = folder.planNames.join('\n');
      if (yield* folder.settingBuffer(inFolder, text)) isPlan = true;
      if (folder.planNames.join('\n') !== names) this.#lookAround(folder);
    }
    if (isPlan) this.#loose.delete(uri);
    else if (isNamedSo) yield* this.#settingLoose(uri, { file, text });
  }

  /**
   * While plans are still being read, one that is open is looked at alone: its own problems are told at
   * once. What it says of other plans is known later.
   */
  *#holdingBuffer(uri: string, buffer: Buffer): Generator<void, boolean> {
    const { file, text } = buffer;
    const loading = this.folders.filter(
      (folder) => folder.isLoading && folder.relativePath(file) !== undefined,
    );
    if (loading.length === 0) return false;
    for (const folder of loading) folder.board.plans.holdBuffer(folder.relativePath(file)!, text);
    this.#held.set(uri, buffer);
    if (!isPlanFileName(path.basename(file))) return true;
    const rules = this.#world.rulesOf(path.dirname(file));
    const plan = yield* readingLoose(file, text ?? '', rules);
    // Meanwhile all plans may have been read.
    if (this.#held.get(uri) !== buffer) return true;
    const problems = plan.plan.problems.filter(({ code }) => !KNOWN_LATER.has(code));
    const alone = { ...plan, plan: { ...plan.plan, problems } };
    const told = toDiagnostics(alone, placesOfLoose(uri, plan)).get(file) ?? [];
    this.diagnostics.set(this.uriToTell(uri), 'plan', text === undefined ? [] : told);
    return true;
  }

  #load(): void {
    const loading = this.folders.filter(({ isLoading }) => isLoading);
    for (const folder of loading) folder.load();
    if (loading.length > 0) this.#loaded();
  }

  /** What was held goes the way of all buffers. */
  #loaded(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const [uri, buffer] of held) this.#read(this.#taking(uri, buffer));
    this.#ready();
  }

  /** Which names are one name where a plan lies. */
  rulesOf({ folder, file }: PlanDocument): PathRules {
    return folder?.board.rules ?? this.#world.rulesOf(path.dirname(file));
  }

  /** Edits of documents, in the form that the client takes. */
  editOf(byUri: ReadonlyMap<string, TextEdit[]>): WorkspaceEdit {
    if (this.#client.workspace?.workspaceEdit?.documentChanges !== true)
      return { changes: Object.fromEntries(byUri) };
    const documentChanges = [...byUri].map(([uri, edits]) => ({
      textDocument: { uri, version: this.versionOf(uri) ?? null },
      edits,
    }));
    return { documentChanges };
  }

  /** Of a document that the client has open. */
  versionOf(uri: string): number | undefined {
    return this.#versions.get(pathOfUri(uri) ?? '');
  }

  /** By which a document is told of: parts that know it by its path must not give it another name. */
  uriToTell(uri: string): string {
    const file = pathOfUri(uri);
    const folder = file === undefined ? undefined : this.#folderOf(file);
    const inFolder = file === undefined ? undefined : folder?.relativePath(file);
    return inFolder === undefined ? uri : (folder?.uriOf(inFolder) ?? uri);
  }

  /** The document of a plan, as the client has it. */
  documentAt(uri: string): PlanDocument | undefined {
    this.#load();
    const file = pathOfUri(uri);
    if (file === undefined) return undefined;
    const folder = this.#folderOf(file);
    const inFolder = folder?.relativePath(file) ?? '';
    const owner = folder?.board.plans.planOf(inFolder);
    const inOwner = owner?.texts.get(inFolder);
    if (folder !== undefined && owner !== undefined && inOwner !== undefined) {
      const plans = { plans: folder.board.plans.all };
      const tree = (): YamlTree => this.#trees.of(owner, inFolder);
      const { places } = folder;
      return { plan: owner, file: inFolder, text: inOwner, places, folder, plans, tree };
    }
    const plan = this.#loose.get(uri);
    const text = plan?.texts.get(plan.path);
    if (plan === undefined || text === undefined) return undefined;
    const places = placesOfLoose(uri, plan);
    const tree = (): YamlTree => this.#trees.of(plan, plan.path);
    const plans = { plans: [plan] };
    return { plan, file: plan.path, text, places, folder: undefined, plans, tree };
  }

  /** The same, but for those that are written as JSON: editors know that by themselves. */
  yamlAt(uri: string): PlanDocument | undefined {
    const document = this.documentAt(uri);
    return document?.plan.kind === 'vscode-tasks' ? undefined : document;
  }

  /** Of those that lie in each other, the innermost. */
  #folderOf(file: string): Folder | undefined {
    return this.folders
      .filter((folder) => folder.relativePath(file) !== undefined)
      .toSorted((a, b) => b.path.length - a.path.length)
      .at(0);
  }

  /** Where another open folder has a plan of this name. */
  #elsewhere(name: string, uri: string): string | undefined {
    const other = this.folders.find(
      (folder) => folder.uri !== uri && folder.planNames.includes(name),
    );
    if (other === undefined) return undefined;
    return (
      `Plan "${name}" lies in another workspace folder (${other.path}), and a task can wait only for ` +
      'tasks of plans in its own. Open the folder that holds both instead.'
    );
  }

  /** The plans of other folders are known, or gone, only now. */
  #lookAround(except?: Folder): void {
    if (this.#folders.size === 1 && except !== undefined) return;
    for (const folder of this.#folders.values()) if (folder !== except) folder.lookAround();
  }

  /** A plan that lies in no folder, or where plans are not looked for, is checked and never run. */
  *#settingLoose(
    uri: string,
    { file, text }: { readonly file: string; readonly text?: string | undefined },
  ): Generator<void, void> {
    if (text === undefined) {
      this.#loose.delete(uri);
      this.diagnostics.set(uri, 'plan', []);
      return;
    }
    const plan = yield* readingLoose(file, text, this.#world.rulesOf(path.dirname(file)));
    this.#loose.set(uri, plan);
    const places = placesOfLoose(uri, plan);
    this.diagnostics.set(uri, 'plan', toDiagnostics(plan, places).get(file) ?? []);
  }
}

/** What can be wrong for as long as only one plan has been looked at, and only for a moment. */
const KNOWN_LATER: ReadonlySet<string> = new Set(['unknown-plan', 'more-problems']);

function placesOfLoose(uri: string, plan: LoadedPlan): Places {
  return { uriOf: () => uri, positionsOf: positionsIn((file) => plan.texts.get(file)) };
}
