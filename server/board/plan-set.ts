import type { PathRules } from '../domain/paths/overlap.ts';
import { analyzeBriefly } from '../plans/analyze.ts';
import { FolderAnalysis } from '../plans/folder-analysis.ts';
import type { AnalyzedPlan, ParsedPlan } from '../plans/plan.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import { PlanMemory, type PlanTexts, readingPlan } from '../plans/read-plan.ts';
import { runAll } from '../plans/slices.ts';
import { TASKS_JSON } from '../plans/vscode-tasks/surroundings.ts';
import type { PlanFiles } from './ports.ts';
import { BOARD_FILE_NAME, isPlanFileName } from '../plans/plan-file-names.ts';

/** A plan with its texts as the user sees them: an open buffer hides the file on disk. */
export interface LoadedPlan extends PlanSource {
  readonly texts: PlanTexts;
  readonly plan: AnalyzedPlan;
}

/** A plan before it is looked at together with the others. */
interface PlanText extends PlanSource {
  readonly texts: PlanTexts;
  readonly parsed: ParsedPlan;
}

interface PlanSetOptions {
  readonly rules: PathRules;
  /** Why a plan of another open folder cannot be meant; nothing where none has this name. */
  readonly elsewhere?: (plan: string) => string | undefined;
}

/**
 * The plans of one folder. Each is read again only when one of its texts has changed. One for which
 * nothing has changed is the same object as before.
 */
export class PlanSet {
  readonly #root: string;
  readonly #files: PlanFiles;
  readonly #analysis: FolderAnalysis;
  readonly #buffers = new Map<string, string>();
  #read = new Map<string, PlanText>();
  readonly #memories = new Map<string, PlanMemory>();
  #plans = new Map<string, LoadedPlan>();
  /** What is left of looking at them, where hazards are not known yet. */
  #analyzing:
    | Generator<ReadonlyMap<string, AnalyzedPlan>, ReadonlyMap<string, AnalyzedPlan>>
    | undefined;
  /** The path of the plan that a file is part of. */
  #owners = new Map<string, string>();
  /** Every folder that such a file is in, however far below. */
  #foldersAbove = new Set<string>();

  constructor(root: string, files: PlanFiles, { rules, elsewhere }: PlanSetOptions) {
    this.#root = root;
    this.#files = files;
    const name = root.split(/[\\/]/).findLast((part) => part !== '') ?? '';
    this.#analysis = new FolderAnalysis({ rules, name, ...(elsewhere && { elsewhere }) });
  }

  /** In the order of their paths. */
  get all(): readonly LoadedPlan[] {
    return [...this.#plans.values()];
  }

  get(path: string): LoadedPlan | undefined {
    return this.#plans.get(path);
  }

  /** The plan that is written in this file, all of it or in part. */
  planOf(file: string): LoadedPlan | undefined {
    return this.#plans.get(this.#owners.get(file) ?? '');
  }

  /** Whether the plans may be others once this file, or folder, has changed on disk. */
  concerns(file: string): boolean {
    if (this.#owners.has(file) || this.#foldersAbove.has(file)) return true;
    if (isPlanFileName(file.slice(file.lastIndexOf('/') + 1)) || file === TASKS_JSON) return true;
    if (file === BOARD_FILE_NAME || file.endsWith(`/${BOARD_FILE_NAME}`)) return true;
    if (!file.endsWith('.md')) return false;
    const folder = folderOf(file);
    for (const { kind, files } of this.#plans.values())
      if (kind === 'kanban' && files.some((known) => folderOf(known) === folder)) return true;
    return false;
  }

  /** What the user sees in a file of some plan. */
  textOf(file: string): string | undefined {
    return this.planOf(file)?.texts.get(file);
  }

  /** Looks which plan files there are now, reads them again and finds all of their hazards. */
  reload(): void {
    runAll(this.reading());
    while (this.isAnalyzing) this.analyzeStep();
  }

  /** Whether hazards of the plans are still being looked for; until then, they have those of before. */
  get isAnalyzing(): boolean {
    return this.#analyzing !== undefined;
  }

  /** Looks for hazards for a moment. Only the last step changes what is known of the plans. */
  analyzeStep(): void {
    const slice = this.#analyzing?.next();
    if (slice === undefined) return;
    if (slice.done === true) this.#analyzing = undefined;
    this.#setPlans(slice.value);
  }

  /** The same in steps; only the last one changes what the plans are. Buffers may change in between. */
  *reading(): Generator<void, void> {
    const read = new Map<string, PlanText>();
    for (const source of this.#files.list(this.#root)) {
      const text = yield* this.#load(source, { known: this.#read.get(source.path) });
      if (text !== undefined) read.set(source.path, text);
      yield;
    }
    const owners = ownersIn(read);
    for (const changed of this.#buffers.keys()) {
      const known = read.get(owners.get(changed) ?? '');
      const text = known && (yield* this.#load(known, { known, changed }));
      if (text !== undefined) read.set(text.path, text);
    }
    // Invariant: what is read and what is analyzed change together, whatever happens between two steps.
    this.#read = read;
    this.#setOwners(owners);
    this.#analyze();
  }

  /** The text of a buffer, for when the plans are read. */
  holdBuffer(file: string, text: string | undefined): void {
    if (text === undefined) this.#buffers.delete(file);
    else this.#buffers.set(file, text);
  }

  #setOwners(owners: Map<string, string>): void {
    for (const path of this.#memories.keys())
      if (!this.#read.has(path)) this.#memories.delete(path);
    this.#owners = owners;
    this.#foldersAbove = new Set([...this.#owners.keys()].flatMap(foldersAbove));
  }

  /** The text of an open buffer, or nothing when it is closed and the file on disk counts again. */
  setBuffer(file: string, text: string | undefined): void {
    runAll(this.settingBuffer(file, text));
  }

  /** The same in steps, as `reading`: before they have ended, nothing else may be read. */
  *settingBuffer(file: string, text: string | undefined): Generator<void, void> {
    this.holdBuffer(file, text);
    const owner = this.#read.get(this.#owners.get(file) ?? '');
    const read = owner && (yield* this.#load(owner, { known: owner, changed: file }));
    // A file that is new, or gone: only what is found on disk is a plan of this folder.
    if (read === undefined) return yield* this.reading();
    if (read === owner) return undefined;
    this.#read.set(read.path, read);
    return this.#analyze();
  }

  /** Other folders have other plans now. */
  lookElsewhere(): void {
    this.#analysis.forgetElsewhere();
    this.#analyze();
  }

  #analyze(): void {
    const read = [...this.#read.values()];
    this.#analyzing = this.#analysis.updating(
      read.map((source) => ({ source, parsed: source.parsed })),
    );
    this.analyzeStep();
  }

  #setPlans(analyzed: ReadonlyMap<string, AnalyzedPlan>): void {
    const before = this.#plans;
    this.#plans = new Map(
      Array.from(this.#read.values(), ({ path, kind, files, surroundings, texts }) => {
        const [known, plan] = [before.get(path), analyzed.get(path)!];
        const isSame = known !== undefined && known.plan === plan && known.texts === texts;
        if (isSame) return [path, known];
        const source = { path, kind, files, ...(surroundings !== undefined && { surroundings }) };
        return [path, { ...source, texts, plan }];
      }),
    );
  }

  /** Of a plan that is known, only one file may have changed. */
  *#load(
    { path, kind, files, surroundings }: PlanSource,
    { known, changed }: { readonly known: PlanText | undefined; readonly changed?: string },
  ): Generator<void, PlanText | undefined> {
    const texts = new Map(changed === undefined ? [] : known?.texts);
    for (const file of changed === undefined ? files : [changed]) {
      const text = this.#buffers.get(file) ?? this.#files.read(this.#root, file);
      if (text !== undefined) texts.set(file, text);
      else texts.delete(file);
    }
    if (!texts.has(path)) return undefined;
    if (known !== undefined && areEqual(known.texts, texts)) return known;
    const source = { path, kind, files, ...(surroundings !== undefined && { surroundings }) };
    const memory = this.#memories.get(path) ?? new PlanMemory();
    this.#memories.set(path, memory);
    return { ...source, texts, parsed: yield* readingPlan(source, texts, memory) };
  }
}

/** A plan that lies in no folder. */
export function loosePlan(path: string, text: string, rules: PathRules): LoadedPlan {
  return runAll(readingLoose(path, text, rules));
}

/** The same in steps. */
export function* readingLoose(
  path: string,
  text: string,
  rules: PathRules,
): Generator<void, LoadedPlan> {
  const source: PlanSource = { path, kind: 'interlock', files: [path] };
  const texts = new Map([[path, text]]);
  const parsed = yield* readingPlan(source, texts, new PlanMemory());
  return { ...source, texts, plan: analyzeBriefly(parsed, rules, source) };
}

/** The path of the plan that each file is part of. */
function ownersIn(read: ReadonlyMap<string, PlanText>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { path, files } of read.values()) for (const file of files) owners.set(file, path);
  return owners;
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function areEqual(some: PlanTexts, others: PlanTexts): boolean {
  if (some.size !== others.size) return false;
  for (const [file, text] of some) if (others.get(file) !== text) return false;
  return true;
}
