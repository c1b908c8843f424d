import type { TaskRecord } from '../engine/store-port.ts';
import { statesIn } from './ledger-writer.ts';
import { checkedRun, statusOf } from './run-rows.ts';
import type { Statements } from './statements.ts';

/**
 * Each task of a folder as it stands in the newest run that has it. A run of the tasks that a newer
 * one has too shows nothing of itself, and is not read: mostly it is the same plan, again and again.
 */
export function latestStatesOf(statements: Statements, root: string): readonly TaskRecord[] {
  const seenSets = new Set<string>();
  const seenTasks = new Set<string>();
  const records: TaskRecord[] = [];
  for (const row of statements.runsOfRoot.all({ root })) {
    const { id: run, plan, tasks_sum } = checkedRun(row);
    const set = `${tasks_sum} ${plan}`;
    if (seenSets.has(set)) continue;
    seenSets.add(set);
    const runStatus = statusOf(row);
    for (const [task, state] of statesIn(statements, run)) {
      const key = `${task} ${plan}`;
      if (seenTasks.has(key)) continue;
      seenTasks.add(key);
      records.push({ run, plan, task, state, runStatus });
    }
  }
  return records;
}
