import { unreachable } from '../domain/assert.ts';
import { parseInterlockYaml } from './interlock-yaml.ts';
import type { ParsedPlan } from './plan.ts';
import type { PlanSource } from './plan-source.ts';

/** The files of one plan with what is in them; files that could not be read are left out. */
export type PlanTexts = ReadonlyMap<string, string>;

/** Reads a plan of any kind. Never throws. */
export function readPlan({ path, kind }: PlanSource, texts: PlanTexts): ParsedPlan {
  switch (kind) {
    case 'interlock':
      return parseInterlockYaml(texts.get(path) ?? '');
    case 'kanban':
    case 'vscode-tasks':
      return parseInterlockYaml('');
    default:
      return unreachable(kind);
  }
}
