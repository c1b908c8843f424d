import { unreachable } from '../domain/assert.ts';
import { BoardMemory, readingBoard } from './kanban/read-board.ts';
import type { ParsedPlan } from './plan.ts';
import { PlanReader } from './plan-reader.ts';
import type { Surroundings } from './vscode-tasks/surroundings.ts';
import type { PlanSource } from './plan-source.ts';
import { runAll } from './slices.ts';
import { parseVsCodeTasks } from './vscode-tasks/vscode-tasks.ts';

/** The files of one plan with what is in them; files that could not be read are left out. */
export type PlanTexts = ReadonlyMap<string, string>;

/** What is kept of a plan, so that reading it again is fast. */
export class PlanMemory {
  readonly board = new BoardMemory();
  readonly text = new PlanReader();
}

const NOWHERE: Surroundings = {
  platform: 'linux',
  workspaceFolder: '/',
  userHome: '/',
  environment: {},
};

/** Reads a plan of any kind. Never throws. */
export function readPlan(
  source: PlanSource,
  texts: PlanTexts,
  memory = new PlanMemory(),
): ParsedPlan {
  return runAll(readingPlan(source, texts, memory));
}

/** The same in slices, each of which is short. */
export function* readingPlan(
  source: PlanSource,
  texts: PlanTexts,
  memory: PlanMemory,
): Generator<void, ParsedPlan> {
  const { path, kind, surroundings } = source;
  switch (kind) {
    case 'interlock':
      return yield* memory.text.reading(texts.get(path) ?? '');
    case 'kanban':
      return yield* readingBoard(source, texts, memory.board);
    case 'vscode-tasks':
      return parseVsCodeTasks(texts.get(path) ?? '', surroundings ?? NOWHERE);
    default:
      return unreachable(kind);
  }
}
