import { expect, test } from 'vitest';
import { analyzePlan } from '../../server/plans/analyze.ts';
import type { AnalyzedPlan, PlanTask } from '../../server/plans/plan.ts';
import type { Surroundings } from '../../server/plans/vscode-tasks/surroundings.ts';
import { parseVsCodeTasks } from '../../server/plans/vscode-tasks/vscode-tasks.ts';
import { readMarks } from './marked-text.ts';

export const SHOP: Surroundings = {
  platform: 'linux',
  workspaceFolder: '/u/me/shop',
  userHome: '/u/me',
  environment: { PATH: '/bin:/usr/bin', LANG: 'de_DE.UTF-8', TOKEN: 'secret' },
};

export function readTasks(text: string, surroundings: Partial<Surroundings> = {}): AnalyzedPlan {
  return analyzePlan(parseVsCodeTasks(text, { ...SHOP, ...surroundings }), { foldCase: false });
}

/** The one task with these keys. */
export function readTask(keys: string, surroundings: Partial<Surroundings> = {}): PlanTask {
  const [task] = readTasks(`{ "tasks": [{ "label": "a", ${keys} }] }`, surroundings).tasks;
  if (task === undefined) throw new Error('The task was left out.');
  return task;
}

/** The problems of a tasks.json in the order of the text: where each «» stands, and what is said there. */
export function checkTasksJson(
  name: string,
  marked: string,
  expected: readonly string[] | string,
): void {
  test(name, () => {
    const { text, ranges } = readMarks(marked);
    const found = readTasks(text).problems.toSorted(
      (a, b) => a.range.start - b.range.start || b.range.end - a.range.end,
    );
    const said = found.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    expect(said).toStrictEqual([expected].flat());
    expect(found.map(({ range: { start, end } }) => ({ start, end }))).toStrictEqual(ranges);
  });
}

/** The same for the keys of one task, which cannot start for what is said first. */
export function checkTask(name: string, keys: string, expected: readonly string[] | string): void {
  const marked = `{ "tasks": [{ "label": "a", ${keys} }] }`;
  checkTasksJson(name, marked, expected);
  test(`${name}: it cannot start`, () => {
    const { obstacles } = readTasks(readMarks(marked).text);
    expect([...obstacles.values()]).toStrictEqual([
      [expected].flat()[0]?.replace(/^\w+ [\w-]+: /, ''),
    ]);
  });
}
