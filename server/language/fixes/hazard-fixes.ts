import { overlap, type PathRules } from '../../domain/paths/overlap.ts';
import { parsePathSet } from '../../domain/paths/path-set.ts';
import type { Mention, PlanTask, Problem } from '../../plans/plan.ts';
import { fileOf } from '../../plans/plan-source.ts';
import { nameOfPlan, type PlanInFolder, type PlansOfFolder } from '../plan-in-folder.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { YamlTree } from '../yaml/tree.ts';
import { addToList } from './add-to-list.ts';
import type { Edit, Fix } from './fix.ts';
import { newTask } from './new-task.ts';

/** Where a problem is that two tasks touch the same files. */
export interface HazardPlace {
  readonly problem: Problem;
  readonly plan: PlanInFolder;
  readonly folder: PlansOfFolder;
  readonly file: string;
  readonly tree: YamlTree;
  readonly words: Vocabulary;
  readonly rules: PathRules;
}

/** One of the two: the task, its pattern, what the plan that is open calls it, and whether it is in its file. */
interface Side {
  readonly task: PlanTask;
  readonly mention: Mention;
  readonly key: 'reads' | 'writes';
  readonly name: string;
  readonly isInPlan: boolean;
  readonly isHere: boolean;
}

/**
 * An order between the two, or paths that no longer meet. The two have no order yet, so one more
 * edge between them closes no cycle.
 */
export function hazardFixes(place: HazardPlace): readonly Fix[] {
  const sides = sidesOf(place);
  if (sides === undefined) return [];
  const [own, other] = sides;
  return [
    ...orderFixes(place, own, other),
    ...(other.isHere ? orderFixes(place, other, own) : []),
    ...narrowFix(place, own, other),
    ...splitFix(place, own, other),
  ];
}

function orderFixes(place: HazardPlace, later: Side, earlier: Side): readonly Fix[] {
  const ways = [
    { key: 'depends_on', title: `Start "${later.name}" when "${earlier.name}" has completed` },
    { key: 'after', title: `Start "${later.name}" after "${earlier.name}", however it ends` },
  ] as const;
  const { problem, plan } = place;
  return ways.flatMap(({ key, title }) => {
    // kanban-md leaves out a file whose "depends_on" has anything but numbers.
    if (plan.kind === 'kanban' && key === 'depends_on' && !earlier.isInPlan) return [];
    const edit = addToList(place, { task: later.task.id, key, value: earlier.name });
    return edit === undefined ? [] : [fix(`${title} (${key})`, problem, [edit])];
  });
}

/** Takes away what the other one has, if that leaves something. */
function narrowFix(place: HazardPlace, own: Side, other: Side): readonly Fix[] {
  const { problem, rules } = place;
  const { text } = other.mention;
  const patterns = own.key === 'writes' ? own.task.writes : own.task.reads;
  const left = parsePathSet([...patterns, `!${text}`]);
  if (text.startsWith('!') || overlap(left, left, rules).kind === 'disjoint') return [];
  const edit = addToList(place, { task: own.task.id, key: own.key, value: `!${text}` });
  if (edit === undefined) return [];
  return [fix(`Take "${text}" away from what "${own.name}" ${own.key}`, problem, [edit])];
}

/** What both write is done by a task of its own, when both have completed. */
function splitFix({ tree, problem, plan }: HazardPlace, own: Side, other: Side): readonly Fix[] {
  if (own.key !== 'writes' || own.task.writes.length < 2) return [];
  const id = freeId(own.task.id, plan.plan.tasks);
  const removal = removeItem(tree, own.mention);
  const added = newTask(tree, {
    id,
    behind: own.task,
    keys: [
      ['title', `The part of ${own.task.id} that touches ${own.mention.text}`],
      ['depends_on', [own.task.id, other.name]],
      ['writes', [own.mention.text]],
    ],
  });
  if (removal === undefined || added === undefined) return [];
  const title = `Split "${own.name}": a task "${id}" of its own for "${own.mention.text}", after "${other.name}"`;
  return [fix(title, problem, [removal, added])];
}

/** An item of a list in brackets, with the comma that goes with it. */
function removeItem({ text }: YamlTree, { range: { start, end } }: Mention): Edit | undefined {
  const [behind = ''] = /^\s*,\s*/.exec(text.slice(end)) ?? [];
  if (behind !== '') return { range: { start, end: end + behind.length }, text: '' };
  const [before = ''] = /(?:,[ \t]*|\r?\n[ \t]*-[ \t]+)$/.exec(text.slice(0, start)) ?? [];
  return before === '' ? undefined : { range: { start: start - before.length, end }, text: '' };
}

function freeId(id: string, tasks: readonly PlanTask[]): string {
  const taken = new Set(tasks.map((task) => task.id.toLowerCase()));
  for (let number = 2; ; number += 1) {
    const next = `${id.slice(0, 60)}-${number}`;
    if (!taken.has(next.toLowerCase())) return next;
  }
}

function fix(title: string, problem: Problem, edits: readonly Edit[]): Fix {
  return { title, isPreferred: false, problem, edits };
}

/** The two tasks of a problem: the one that it stands at, and the one that it points at. */
function sidesOf(place: HazardPlace): readonly [Side, Side] | undefined {
  const { problem, plan, folder } = place;
  const [related] = problem.related;
  if (related === undefined) return undefined;
  const own = sideAt(plan, problem.range);
  const file = fileOf(related.range, plan);
  const owner = folder.plans.find(({ files }) => files.includes(file));
  const other = owner && sideAt(owner, related.range);
  if (own === undefined || owner === undefined || other === undefined) return undefined;
  const isInPlan = owner.path === plan.path;
  const isHere = file === place.file;
  const name = isInPlan ? other.task.id : `${nameOfPlan(owner, folder)}/${other.task.id}`;
  return [
    { ...own, name: own.task.id, isInPlan: true, isHere: true },
    { ...other, name, isInPlan, isHere },
  ];
}

function sideAt(
  plan: PlanInFolder,
  place: Problem['range'],
): Pick<Side, 'task' | 'mention' | 'key'> | undefined {
  const { start, end } = place;
  const file = fileOf(place, plan);
  const isHere = ({ range }: Mention): boolean =>
    range.start === start && range.end === end && fileOf(range, plan) === file;
  for (const task of plan.plan.tasks) {
    const write = task.writeMentions.find(isHere);
    if (write !== undefined) return { task, mention: write, key: 'writes' };
    const read = task.readMentions.find(isHere);
    if (read !== undefined) return { task, mention: read, key: 'reads' };
  }
  return undefined;
}
