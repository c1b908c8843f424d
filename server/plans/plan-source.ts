import type { TextRange } from './plan.ts';
import type { Surroundings } from './vscode-tasks/surroundings.ts';

/** How a plan is written. */
type PlanKind = 'interlock' | 'kanban' | 'vscode-tasks';

/** A plan that was found on disk. */
export interface PlanSource {
  /** The file that it is named after, by its path in the workspace folder, with `/`. */
  readonly path: string;
  readonly kind: PlanKind;
  /** All files that it is written in, `path` among them. */
  readonly files: readonly string[];
  /** Of a tasks.json: what its variables stand for. */
  readonly surroundings?: Surroundings;
}

/** The file that a place of a plan is in. */
export function fileOf({ file }: TextRange, { path }: Pick<PlanSource, 'path'>): string {
  return file ?? path;
}
