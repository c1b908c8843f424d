import { analyzePlan } from '../../server/plans/analyze.ts';
import { runAll } from '../../server/plans/slices.ts';
import { BoardMemory, readingBoard } from '../../server/plans/kanban/read-board.ts';
import type { AnalyzedPlan } from '../../server/plans/plan.ts';
import type { PlanSource } from '../../server/plans/plan-source.ts';

export const CONFIG = `version: 11
board:
    name: Test
tasks_dir: tasks
statuses: [backlog, todo, {name: in-progress, require_claim: true}, review, done, archived]
priorities: [low, medium, high, critical]
defaults: {status: backlog, priority: medium, class: standard}
claim_timeout: 1h
classes: [{name: expedite, wip_limit: 1, bypass_column_wip: true}, fixed-date, {name: standard}]
tui: {title_lines: 2}
next_id: 9
`.replace('fixed-date,', '{name: fixed-date},');

/** A task file of kanban-md with further lines in its frontmatter. */
export function taskText(id: number, more = '', status = 'todo'): string {
  const lines = more === '' ? '' : `${more}\n`;
  return `---\nid: ${id}\ntitle: Task ${id}\nstatus: ${status}\npriority: medium\ncreated: 2026-01-16T09:00:00Z\nupdated: 2026-01-16T09:00:00Z\n${lines}---\n`;
}

export interface BoardTexts {
  readonly config?: string;
  /** By their names. */
  readonly tasks: Readonly<Record<string, string>>;
}

export function boardIn(
  { config = CONFIG, tasks }: BoardTexts,
  memory = new BoardMemory(),
): AnalyzedPlan {
  const entries = Object.entries(tasks).map(
    ([name, text]) => [`kanban/tasks/${name}`, text] as const,
  );
  const texts = new Map([['kanban/config.yml', config], ...entries]);
  const source: PlanSource = {
    path: 'kanban/config.yml',
    kind: 'kanban',
    files: [...texts.keys()],
  };
  return analyzePlan(runAll(readingBoard(source, texts, memory)), { foldCase: false });
}
