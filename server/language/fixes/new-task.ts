import type { PlanTask } from '../../plans/plan.ts';
import { pairAt } from '../yaml/find.ts';
import type { YamlTree } from '../yaml/tree.ts';
import { written } from '../yaml/written.ts';
import { insert, lineEnd, newline } from './add-to-list.ts';
import type { Edit } from './fix.ts';

interface NewTask {
  readonly id: string;
  /** The task that it comes behind. */
  readonly behind: PlanTask;
  readonly keys: readonly (readonly [key: string, value: string | readonly string[]])[];
}

/** Another task below one that is there, with the same indentation. */
export function newTask(tree: YamlTree, { id, behind, keys }: NewTask): Edit | undefined {
  const tasks = pairAt(tree, ['tasks'])?.value;
  const own = pairAt(tree, ['tasks', behind.id]);
  if (tasks?.kind !== 'map' || tasks.indent === undefined || own?.value === undefined)
    return undefined;
  const outer = ' '.repeat(tasks.indent);
  const step =
    own.value.kind === 'map' && own.value.indent !== undefined
      ? own.value.indent - tasks.indent
      : 2;
  const inner = ' '.repeat(tasks.indent + step);
  const lines = keys.map(([key, value]) => `${inner}${key}: ${valueText(value)}`);
  const end = newline(tree);
  const text = [`${outer}${id}:`, ...lines].join(end);
  return insert(lineEnd(tree, own.value.end), `${end}${text}`);
}

function valueText(value: string | readonly string[]): string {
  if (typeof value === 'string') return written(value, { style: 'plain', isInBrackets: false });
  const items = value.map((item) => written(item, { style: 'plain', isInBrackets: true }));
  return `[${items.join(', ')}]`;
}
