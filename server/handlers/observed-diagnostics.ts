import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { Board } from '../board/board.ts';
import type { BoardTask } from '../board/board-task.ts';
import type { FileProblem, ObservedProblem } from '../board/observed-problems.ts';
import type { Places } from './convert.ts';
import type { DiagnosticsBook } from './diagnostics-book.ts';

/** A folder of the client, as far as it takes to say where its files are. */
interface Located {
  readonly uri: string;
  readonly board: Pick<Board, 'observedProblems' | 'folderInTree'>;
  readonly places: Places;
}

/** What a problem is about, for its quick fixes. */
export interface ObservedData {
  readonly folderUri: string;
  readonly plan: string;
  readonly task: string;
  /** From the top of the working tree; absent: all files of the problem. */
  readonly path?: string;
}

/** It has been to the client and back. */
export function readObservedData(value: unknown): ObservedData | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('folderUri' in value && 'plan' in value && 'task' in value)) return undefined;
  const { folderUri, plan, task } = value;
  if (typeof folderUri !== 'string' || typeof plan !== 'string' || typeof task !== 'string')
    return undefined;
  const path = 'path' in value && typeof value.path === 'string' ? value.path : undefined;
  return { folderUri, plan, task, ...(path !== undefined && { path }) };
}

/** What tasks really wrote, in the plans and in the files; only what has changed is told. */
export class ObservedDiagnostics {
  readonly #book: DiagnosticsBook;
  #told: ReadonlySet<string> = new Set();

  constructor(book: DiagnosticsBook) {
    this.#book = book;
  }

  tell({ uri: folderUri, board, places }: Located, tasks: readonly BoardTask[]): void {
    const isQuiet = tasks.every(({ observed }) => observed === undefined);
    if (isQuiet && this.#told.size === 0) return;
    const { inPlans, inFiles } = board.observedProblems(tasks);
    const uriOf = uriInTree(board.folderInTree, places);
    const byUri = new Map<string, Diagnostic[]>();
    const add = (uri: string, diagnostic: Diagnostic): void => {
      const known = byUri.get(uri);
      if (known === undefined) byUri.set(uri, [diagnostic]);
      else known.push(diagnostic);
    };
    for (const [file, problems] of inPlans)
      for (const problem of problems)
        add(places.uriOf(file), inPlan(file, problem, { folderUri, places, uriOf }));
    for (const [path, problems] of inFiles)
      for (const problem of problems)
        add(uriOf(path), inFile(path, problem, { folderUri, places }));
    for (const uri of this.#told) if (!byUri.has(uri)) this.#book.set(uri, 'observed', []);
    for (const [uri, diagnostics] of byUri) this.#book.set(uri, 'observed', diagnostics);
    this.#told = new Set(byUri.keys());
  }

  get hasTold(): boolean {
    return this.#told.size > 0;
  }

  clear(): void {
    for (const uri of this.#told) this.#book.set(uri, 'observed', []);
    this.#told = new Set();
  }
}

interface Telling {
  readonly folderUri: string;
  readonly places: Places;
}

const RELATED = 10;
/** The whole line, however long it is. */
const FIRST_LINE = { start: { line: 0, character: 0 }, end: { line: 0, character: 2 ** 31 - 1 } };

function inPlan(
  file: string,
  { code, severity, message, range, paths, plan, task }: ObservedProblem,
  { folderUri, places, uriOf }: Telling & { readonly uriOf: (path: string) => string },
): Diagnostic {
  const data: ObservedData = { folderUri, plan, task };
  return {
    data,
    source: 'interlock',
    code,
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    message,
    range: places.positionsOf(file).range(range),
    relatedInformation: paths.slice(0, RELATED).map((path) => ({
      message: path,
      location: { uri: uriOf(path), range: FIRST_LINE },
    })),
  };
}

function inFile(
  path: string,
  { message, plans, plan, task }: FileProblem,
  { folderUri, places }: Telling,
): Diagnostic {
  const data: ObservedData = { folderUri, plan, task, path };
  return {
    data,
    source: 'interlock',
    code: 'undeclared-write',
    severity: DiagnosticSeverity.Warning,
    message,
    range: FIRST_LINE,
    relatedInformation: plans.slice(0, RELATED).map(({ file, range }) => ({
      message: 'The paths that the plan declares.',
      location: { uri: places.uriOf(file), range: places.positionsOf(file).range(range) },
    })),
  };
}

/** Paths count from the top of the working tree; the client knows the folder in it. */
function uriInTree(folder: string, { uriOf }: Places): (path: string) => string {
  const up = folder === '' ? '' : '../'.repeat(folder.split('/').length);
  return (path) => {
    const isInside = folder !== '' && path.startsWith(`${folder}/`);
    return uriOf(isInside ? path.slice(folder.length + 1) : `${up}${path}`);
  };
}
