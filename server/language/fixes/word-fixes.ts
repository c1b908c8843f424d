import { closest } from '../../plans/closest.ts';
import type { Problem } from '../../plans/plan.ts';
import type { PlanInFolder, PlansOfFolder } from '../plan-in-folder.ts';
import { nameOfPlan } from '../plan-in-folder.ts';
import { describeIn, type Vocabulary } from '../vocabulary.ts';
import { namesUnder } from '../completion/keys.ts';
import { nodeAt, type YamlPlace } from '../yaml/node-at.ts';
import type { YamlTree } from '../yaml/tree.ts';
import { written } from '../yaml/written.ts';
import type { Fix } from './fix.ts';
import { meantQuantity } from './meant-quantity.ts';
import { newTask } from './new-task.ts';

export interface WordPlace {
  readonly problem: Problem;
  readonly plan: PlanInFolder;
  readonly folder: PlansOfFolder;
  readonly tree: YamlTree;
  readonly words: Vocabulary;
}

/** A word that is no key, no id or none of the few that may stand there: the one that was meant. */
export function wordFixes(place: WordPlace): readonly Fix[] {
  const { problem, tree, words } = place;
  const at = nodeAt(tree, problem.range.start);
  if (at === undefined || at.range.start !== problem.range.start) return [];
  const steps = at.path.filter((step) => typeof step === 'string');
  const keys = [...words.base, ...steps];
  switch (problem.code) {
    case 'unknown-key':
      return closestFix(place, { at, words: words.keysAt(keys).map(({ name }) => name) });
    case 'unknown-task':
    case 'unknown-plan':
      return taskFixes(place, at);
    case 'unknown-limit':
      return closestFix(place, { at, words: ['cpu', 'memory', ...limitsOf(place.plan)] });
    case 'unknown-agent':
      return closestFix(place, { at, words: namesUnder(tree, 'agents') });
    case 'unknown-host':
    case 'wrong-type':
      return valueFixes(place, at, keys);
    default:
      return [];
  }
}

function taskFixes(place: WordPlace, at: YamlPlace): readonly Fix[] {
  const { plan, folder, tree, problem } = place;
  const here = plan.plan.tasks.map(({ id }) => id);
  const elsewhere = folder.plans
    .filter(({ path }) => path !== plan.path)
    .flatMap((other) => other.plan.tasks.map(({ id }) => `${nameOfPlan(other, folder)}/${id}`));
  const slip = closestFix(place, { at, words: [...here, ...elsewhere] });
  const [section, task] = at.path;
  const behind = plan.plan.tasks.find(({ id }) => section === 'tasks' && id === task);
  if (behind === undefined || !/^[A-Za-z0-9][\w.-]{0,63}$/.test(at.text)) return slip;
  const added = newTask(tree, { id: at.text, behind, keys: [['run', 'echo "to be done"']] });
  if (added === undefined) return slip;
  const title = `Add a task "${at.text}"`;
  return [...slip, { title, isPreferred: false, problem, edits: [added] }];
}

function valueFixes(place: WordPlace, at: YamlPlace, keys: readonly string[]): readonly Fix[] {
  const facts = describeIn(place.words, keys);
  if (facts === undefined || at.role === 'key') return [];
  const { kind, forms, values } = facts;
  const quantity = meantQuantity(at.text, kind);
  if (quantity !== undefined) return [replaceBy(place, at, quantity)];
  if (forms.length === 1 && forms[0] === 'list' && at.role === 'value' && at.text !== '') {
    const item = written(at.text, { style: at.style, isInBrackets: true });
    const edits = [{ range: at.range, text: `[${item}]` }];
    const { problem } = place;
    return [{ title: 'Make it a list', isPreferred: true, problem, edits }];
  }
  return closestFix(place, { at, words: values.map(({ text }) => text) });
}

function closestFix(
  place: WordPlace,
  { at, words }: { readonly at: YamlPlace; readonly words: readonly string[] },
): readonly Fix[] {
  const word = closest(at.text, words);
  return word === undefined ? [] : [replaceBy(place, at, word)];
}

function replaceBy({ problem }: WordPlace, at: YamlPlace, word: string): Fix {
  const text = written(word, { style: at.style, isInBrackets: at.isInBrackets });
  const edits = [{ range: at.range, text }];
  return { title: `Change to "${word}"`, isPreferred: true, problem, edits };
}

function limitsOf({ plan }: PlanInFolder): readonly string[] {
  return Object.keys(plan.limits);
}
