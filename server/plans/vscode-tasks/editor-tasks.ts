import type { Node } from 'jsonc-parser';
import type { TextRange } from '../plan.ts';
import type { ProblemList } from '../yaml-document.ts';
import {
  contributedIn,
  type EditorTask,
  type OfAll,
  readEditorTask,
  readOptionsOfAll,
} from './editor-task.ts';
import { itemsOf, membersOf, rangeOfNode, readJson } from './json-document.ts';
import { lookalikesIn } from './fillings.ts';
import { KeySlips } from './key-slips.ts';
import { Reading } from './reading.ts';
import type { Surroundings } from './surroundings.ts';

const TASK_LIMIT = 20_000;

export interface EditorTasks {
  readonly tasks: readonly EditorTask[];
  /** Where it says something of all tasks. */
  readonly ofAll: readonly TextRange[];
}

const NONE: EditorTasks = { tasks: [], ofAll: [] };

/** The tasks of a tasks.json that have a label, those that only an editor can run among them. */
export function readEditorTasks(
  source: string,
  surroundings: Surroundings,
  problems: ProblemList,
): EditorTasks {
  const root = readJson(source, problems);
  if (root === undefined) return NONE;
  if (root.type !== 'object') {
    problems.error(
      'wrong-type',
      rangeOfNode(root),
      'A tasks.json is an object: { "tasks": [ … ] }.',
    );
    return NONE;
  }
  const members = membersOf(root);
  const version = members.get('version')?.value;
  if (version !== undefined && version.value !== '2.0.0') {
    const rule = 'Only version "2.0.0" of tasks.json is read.';
    problems.error('wrong-type', rangeOfNode(version), rule);
    return NONE;
  }
  const override = membersOf(members.get(surroundings.platform)?.value);
  const nodes = [members.get('options')?.value, override.get('options')?.value];
  const type = (override.get('type') ?? members.get('type'))?.value.value;
  const ofAll: OfAll = { type: typeof type === 'string' ? type : undefined, options: nodes };
  const file = { source, surroundings, lookalikes: lookalikesIn(source) };
  readOptionsOfAll(ofAll, new Reading(file, problems));
  const slips = new KeySlips(problems);
  slips.lookAt(root, 'file');
  const tasks = new Map<string, EditorTask>();
  for (const node of taskNodes(members.get('tasks')?.value, problems)) {
    // What comes with an extension has keys of its own.
    if (contributedIn(membersOf(node)) === undefined) slips.lookAt(node, 'task');
    const task = readEditorTask(node, ofAll, new Reading(file, problems));
    const earlier = task && tasks.get(task.label);
    if (task !== undefined && earlier === undefined) tasks.set(task.label, task);
    else if (task !== undefined && earlier !== undefined)
      problems.add({
        code: 'duplicate-id',
        severity: 'error',
        message: `"${task.label}" is the label of another task already; this one is left out.`,
        range: task.labelRange,
        related: [{ message: 'It is here first.', range: earlier.labelRange }],
      });
  }
  const ranges = nodes.flatMap((node) => (node === undefined ? [] : [rangeOfNode(node)]));
  return { tasks: [...tasks.values()], ofAll: ranges };
}

function taskNodes(node: Node | undefined, problems: ProblemList): readonly Node[] {
  if (node === undefined) return [];
  if (node.type !== 'array') {
    problems.error('wrong-type', rangeOfNode(node), '"tasks" is a list of tasks.');
    return [];
  }
  const nodes = itemsOf(node);
  if (nodes.length > TASK_LIMIT) {
    const rule = `A plan has at most ${TASK_LIMIT} tasks; the rest is left out.`;
    problems.error('too-large', { start: node.offset, end: node.offset + 1 }, rule);
  }
  return nodes.slice(0, TASK_LIMIT);
}
