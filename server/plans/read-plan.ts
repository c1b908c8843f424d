import { unreachable } from '../domain/assert.ts';
import { parseInterlockYaml } from './interlock-yaml.ts';
import { BoardMemory, readBoard } from './kanban/read-board.ts';
import type { ParsedPlan } from './plan.ts';
import type { PlanSource } from './plan-source.ts';

/** The files of one plan with what is in them; files that could not be read are left out. */
export type PlanTexts = ReadonlyMap<string, string>;

/** What is kept of a plan, so that reading it again is fast. */
export class PlanMemory {
  readonly board = new BoardMemory();
}

/** Reads a plan of any kind. Never throws. */
export function readPlan(
  source: PlanSource,
  texts: PlanTexts,
  memory = new PlanMemory(),
): ParsedPlan {
  const { path, kind } = source;
  switch (kind) {
    case 'interlock':
      return parseInterlockYaml(texts.get(path) ?? '');
    case 'kanban':
      return readBoard(source, texts, memory.board);
    case 'vscode-tasks':
      return parseInterlockYaml('');
    default:
      return unreachable(kind);
  }
}
