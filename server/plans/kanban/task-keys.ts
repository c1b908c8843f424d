import { isScalar, isSeq, Pair, Scalar, YAMLMap } from 'yaml';
import { NO_DEFAULTS } from '../defaults.ts';
import type { PlanTask } from '../plan.ts';
import { readTask } from '../own-task.ts';
import { plainTask, wholeTask } from '../placed-task.ts';
import { propertiesOf, propertyOf } from '../schema/forms.ts';
import { TASK } from '../schema/task.ts';
import { keyText, type ProblemList } from '../yaml-document.ts';
import { checkRequests, NO_LIMITS } from '../limits.ts';
import { goInteger } from './go-values.ts';

/** The board reads these by its own rules. */
const OF_BOARD: ReadonlySet<string> = new Set(['title', 'priority']);

/**
 * What a frontmatter says by the keys of a task in `interlock.yaml`. Keys that are none of these are
 * the board's, or somebody's own.
 */
export function readTaskKeys(
  id: Scalar,
  map: YAMLMap | undefined,
  problems: ProblemList,
): PlanTask | undefined {
  const keys = new YAMLMap();
  keys.range = map?.range ?? null;
  for (const pair of map?.items ?? []) {
    const key = keyText(pair);
    if (!OF_BOARD.has(key) && isTaskKey(key)) keys.items.push(withPlainIds(pair));
  }
  const own = readTask(new Pair(id, keys), problems);
  if (own === undefined) return undefined;
  const task = wholeTask(own, NO_DEFAULTS);
  const requests = task.requests.map((amount) => ({ amount, by: 0 }));
  checkRequests(requests, NO_LIMITS, problems);
  return plainTask(task);
}

/** The keys of a task in `interlock.yaml`. */
export const TASK_KEYS = propertiesOf(TASK).map(([name]) => name);

export function isTaskKey(key: string): boolean {
  return propertyOf(TASK, key) !== undefined;
}

/** `depends_on: [007]` means task 7. */
function withPlainIds(pair: Pair): Pair {
  if (keyText(pair) !== 'depends_on' && keyText(pair) !== 'after') return pair;
  if (!isSeq(pair.value)) return pair;
  const list = pair.value.clone();
  if (!isSeq(list)) return pair;
  list.range = pair.value.range ?? null;
  list.items = pair.value.items.map((item) => {
    const number = goInteger(item);
    if (number === undefined || !isScalar(item)) return item;
    const plain = new Scalar(String(number));
    plain.range = item.range ?? null;
    return plain;
  });
  return new Pair(pair.key, list);
}
