import { factsOfTaskFile } from '../plans/kanban/board-facts.ts';
import { readBoardConfig } from '../plans/kanban/board-config.ts';
import { findFrontmatter } from '../plans/kanban/frontmatter.ts';
import { goIntegerOf } from '../plans/kanban/go-values.ts';
import { type KeyFacts, keysAt } from '../plans/schema/describe.ts';
import { fileOf } from '../plans/plan-source.ts';
import type { PlanInFolder } from './plan-in-folder.ts';
import { readTree } from './yaml/read-tree.ts';
import type { YamlNode, YamlTree } from './yaml/tree.ts';
import { pairAt } from './yaml/find.ts';

/** What the keys of a text mean. */
export interface Vocabulary {
  /** Where the top of the text stands in a plan; a task that has a file of its own is in a task. */
  readonly base: readonly string[];
  /** Where the text begins: the line above the frontmatter is none of it. */
  readonly start: number;
  /** The keys that may stand below a path from the top of a plan. */
  keysAt(path: readonly string[]): readonly KeyFacts[];
  /** The id that is meant by a value. */
  idOf(text: string): string;
}

export const OF_PLANS: Vocabulary = { base: [], start: 0, keysAt, idOf: (text) => text };

/** Nothing for what is written in other words than those of plans. */
export function vocabularyOf(plan: PlanInFolder, file: string): Vocabulary | undefined {
  if (plan.kind === 'interlock') return OF_PLANS;
  const frontmatter = isTaskFile(plan, file) ? findFrontmatter(textOf(plan, file)) : undefined;
  if (frontmatter === undefined) return undefined;
  const task = plan.plan.tasks.find(({ idRange }) => fileOf(idRange, plan) === file);
  const base = ['tasks', task?.id ?? ''];
  let facts: readonly KeyFacts[] | undefined;
  return {
    base,
    start: frontmatter.start,
    keysAt: (path) => {
      if (path.length !== base.length) return keysAt(path);
      facts ??= factsOfTaskFile(readBoardConfig(textOf(plan, plan.path)));
      return facts;
    },
    idOf: (text) => String(goIntegerOf(text) ?? text),
  };
}

/** The shape of a file as YAML; of a task file, that of its frontmatter, at the same places. */
export function treeOf(plan: PlanInFolder, file: string): YamlTree {
  const text = textOf(plan, file);
  if (!isTaskFile(plan, file)) return readTree(text);
  const end = (findFrontmatter(text)?.end ?? 1) - 1;
  return readTree(text.slice(0, end).replace(/^(\uFEFF?)---/, '$1   '));
}

export function describeIn(words: Vocabulary, path: readonly string[]): KeyFacts | undefined {
  const name = path.at(-1);
  return words.keysAt(path.slice(0, -1)).find((facts) => facts.name === name);
}

/** What a task says; nothing where it says nothing, or says it elsewhere. */
export function taskNode(tree: YamlTree, { base }: Vocabulary, id: string): YamlNode | undefined {
  if (base.length === 0) return pairAt(tree, ['tasks', id])?.value;
  return base[1] === id ? tree.root : undefined;
}

function isTaskFile({ kind, path }: PlanInFolder, file: string): boolean {
  return kind === 'kanban' && file !== path;
}

function textOf({ texts }: PlanInFolder, file: string): string {
  return texts.get(file) ?? '';
}
