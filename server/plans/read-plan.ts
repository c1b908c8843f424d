import { unreachable } from '../domain/assert.ts';
import { BoardMemory, readBoard } from './kanban/read-board.ts';
import type { ParsedPlan } from './plan.ts';
import { PlanReader } from './plan-reader.ts';
import type { Surroundings } from './vscode-tasks/surroundings.ts';
import type { PlanSource } from './plan-source.ts';
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
  const { path, kind, surroundings } = source;
  switch (kind) {
    case 'interlock':
      return memory.text.read(texts.get(path) ?? '');
    case 'kanban':
      return readBoard(source, texts, memory.board);
    case 'vscode-tasks':
      return parseVsCodeTasks(texts.get(path) ?? '', surroundings ?? NOWHERE);
    default:
      return unreachable(kind);
  }
}
