import { displayText } from '../../domain/display-text.ts';
import type { PlanTask } from '../../plans/plan.ts';
import type { KeyFacts } from '../../plans/schema/describe.ts';
import { aboutHost } from '../about-host.ts';
import { aboutTask } from '../about-task.ts';
import { nameOfPlan } from '../plan-in-folder.ts';
import { describeIn } from '../vocabulary.ts';
import { written } from '../yaml/written.ts';
import { scalarText } from '../yaml/tree.ts';
import type { Spot } from './spot.ts';
import { wordsUnder } from './keys.ts';
import { pathsFor } from './paths.ts';
import type { Suggestion, Surroundings } from './suggestion.ts';
import { tasksToWaitFor } from './tasks-to-wait-for.ts';

const DURATIONS = ['30s', '5m', '10m', '1h'];
/** Globs of what a task makes. */
const OF_OUTPUTS: ReadonlySet<string> = new Set(['artifacts', 'outputs']);
const SIZES = ['512MiB', '1GiB', '2GiB', '8GiB'];

/** A value before it is known how it is to be written. */
interface Value extends Pick<Suggestion, 'kind' | 'detail' | 'about'> {
  readonly value: string;
}

/** What may stand behind a key, or in its list. */
export function suggestValues(spot: Spot, around: Surroundings): readonly Suggestion[] {
  const facts = describeIn(spot.words, spot.keys);
  if (facts === undefined) return [];
  const taken = itemsAround(spot);
  return valuesFor(facts, spot, around)
    .filter(({ value }) => !taken.has(value))
    .map((value) => suggestion(value, facts, spot));
}

function valuesFor(facts: KeyFacts, spot: Spot, around: Surroundings): readonly Value[] {
  switch (facts.kind) {
    case 'word':
      return words(facts);
    case 'hosts':
      return [...words(facts), ...hosts(spot, around)];
    case 'task-ids':
      return taskValues(spot, around);
    case 'task':
      return otherTasks(spot, around);
    case 'agent':
      return names(around.agents, 'agent');
    case 'capabilities':
      return names(capabilities(spot, around), 'capability');
    case 'globs':
    case 'folder':
      return pathsFor(spot, {
        isFolderOnly: facts.kind === 'folder',
        isOfOutputs: OF_OUTPUTS.has(facts.name),
        around,
      });
    case 'duration':
    case 'time-limits':
      return names(withDefault(DURATIONS, facts), 'duration');
    case 'size':
      return names(SIZES, 'size');
    default:
      return names(withDefault([], facts), 'default');
  }
}

function words({ values, default: byDefault }: KeyFacts): readonly Value[] {
  return values.map(({ text, summary }) => {
    const detail = text === byDefault ? 'default' : '';
    return { value: text, kind: 'word', detail, about: summary };
  });
}

/** The user's own, and those that other tasks name. */
function hosts({ tree, text }: Spot, { hosts: known }: Surroundings): readonly Value[] {
  const own = known.map(({ name }): Value => {
    return {
      value: name,
      kind: 'name',
      detail: 'your host',
      about: aboutHost(name, { hosts: known, gone: [] }),
    };
  });
  const others = new Set(wordsUnder(tree, 'tasks', 'on'));
  for (const name of ['local', '', text, ...own.map(({ value }) => value)]) others.delete(name);
  return [...own, ...names(others, 'host')];
}

/** What agents are capable of, and what other tasks need. */
function capabilities({ tree, text }: Spot, { plan }: Surroundings): ReadonlySet<string> {
  const needed = plan.plan.tasks.flatMap(({ asks }) => asks.needs ?? []);
  const known = [...wordsUnder(tree, 'agents', 'capabilities'), ...needed];
  return new Set(known.filter((name) => name !== '' && name !== text));
}

function withDefault(values: readonly string[], facts: KeyFacts): ReadonlySet<string> {
  const { default: byDefault } = facts;
  // A default may be said in words.
  const isValue = byDefault !== undefined && /^[\w.]+$/.test(byDefault);
  return new Set(isValue ? [byDefault, ...values] : values);
}

function names(values: Iterable<string>, detail: string): readonly Value[] {
  return [...values].map((value) => ({ value, kind: 'name', detail, about: '' }));
}

function taskValues({ keys }: Spot, { plan, folder }: Surroundings): readonly Value[] {
  const own = keys[0] === 'tasks' ? keys[1] : undefined;
  // kanban-md leaves out a file whose "depends_on" has anything but numbers.
  const isOwnOnly = plan.kind === 'kanban' && keys.at(-1) === 'depends_on';
  const nameOf = new Map(folder.plans.map((one) => [one.path, nameOfPlan(one, folder)]));
  const open = tasksToWaitFor(own, plan, folder).filter(
    (one) => !isOwnOnly || one.plan.path === plan.path,
  );
  return open.map(({ plan: { path }, task }) =>
    valueOf(path === plan.path ? task.id : `${nameOf.get(path)}/${task.id}`, task),
  );
}

function otherTasks({ keys }: Spot, { plan }: Surroundings): readonly Value[] {
  return plan.plan.tasks.filter(({ id }) => id !== keys[1]).map((task) => valueOf(task.id, task));
}

function valueOf(value: string, task: PlanTask): Value {
  return { value, kind: 'task', detail: displayText(task.title), about: aboutTask(task) };
}

/**
 * A list that is not there yet is begun; an item on a line of its own has a dash. A word that is typed
 * to its end is left as it is: Enter is to begin a new line then, not to choose what is there already.
 */
function suggestion(value: Value, facts: KeyFacts, spot: Spot): Suggestion {
  const { role, isAtLineStart, needsDash, range, tree } = spot;
  const isListOnly = !facts.forms.includes('scalar');
  const beginsList = role === 'value' && isListOnly && !/^["'[{]/.test(spot.before);
  const isTyped =
    spot.before === value.value && tree.text.slice(range.start, range.end) === value.value;
  const isInBrackets = spot.isInBrackets || (beginsList && !isAtLineStart);
  const plain = written(value.value, { style: spot.style, isInBrackets });
  const dashed = needsDash || (beginsList && isAtLineStart) ? `- ${plain}` : plain;
  const listed = beginsList && !isAtLineStart ? `[${plain}]` : dashed;
  const text = isTyped ? plain : listed;
  const { kind, detail, about } = value;
  const typed = spot.before === '' ? value.value : startedLike(spot.before, value.value);
  const isUntilTyped = listed !== plain;
  return { label: value.value, kind, detail, about, text, typed, range, isUntilTyped };
}

/** Editors compare what is typed, quotes and all, with this. */
function startedLike(before: string, value: string): string {
  const [quote = ''] = /^["']/.exec(before) ?? [];
  return `${quote}${value}`;
}

/** What the list has already, but for the item at the cursor. */
function itemsAround({ around, range, tree }: Spot): ReadonlySet<string> {
  if (around?.kind !== 'list') return new Set();
  return new Set(
    around.items.flatMap(({ value }) =>
      value?.kind === 'scalar' && value.start !== range.start ? [scalarText(tree.text, value)] : [],
    ),
  );
}
