import { expect, test } from 'vitest';
import { declareFixes } from '../../../../server/language/fixes/declare-fixes.ts';
import { OF_PLANS, treeOf, vocabularyOf } from '../../../../server/language/vocabulary.ts';
import { boardIn, CONFIG, taskText } from '../../../support/kanban-board.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';

const PLAN = 'tasks:\n  a: { run: x, writes: [src/**] }\n  b: { run: x }\n';

/** What is offered for what a task has written, and what each would write. */
function offered(task: string, paths: readonly string[], folder = ''): readonly string[] {
  return declareFixes({ task, paths }, { words: OF_PLANS, tree: readTree(PLAN), folder }).map(
    ({ title, edits }) => `${title}: ${edits.map(({ text }) => text).join()}`,
  );
}

test('what a task has written is added to what it declares', () => {
  expect(offered('a', ['docs/x'])).toEqual(['Add "docs/x" to the writes of "a": , docs/x']);
});

test('a task that declares nothing begins to', () => {
  expect(offered('b', ['docs/x'])).toEqual([
    'Add "docs/x" to the writes of "b":  writes: [docs/x],',
  ]);
});

test('paths count from the workspace folder, and those outside of it cannot be declared', () => {
  expect(offered('a', ['sub/x', 'other/x'], 'sub')).toEqual(['Add "x" to the writes of "a": , x']);
});

test('a name that would be a pattern is not offered', () => {
  expect(offered('a', ['docs/[x]', '!x', 'a*'])).toEqual([]);
});

test('no more is offered than people look at', () => {
  expect(offered('a', ['1', '2', '3', '4', '5', '6', '7'])).toHaveLength(5);
});

test('a task that has a file of its own declares it there', () => {
  const [path, file] = ['kanban/config.yml', 'kanban/tasks/001-a.md'];
  const texts = new Map([
    [path, CONFIG],
    [file, taskText(1, 'writes: [src/**]')],
  ]);
  const plan = {
    path,
    kind: 'kanban' as const,
    files: [...texts.keys()],
    texts,
    plan: boardIn({ tasks: { '001-a.md': taskText(1) } }),
  };
  const words = vocabularyOf(plan, file);
  if (words === undefined) throw new Error('It has a frontmatter.');
  const at = { tree: treeOf(plan, file), words, folder: '' };
  const [fix] = declareFixes({ task: '1', paths: ['lib/x'] }, at);
  const end = taskText(1, 'writes: [src/**').length - '\n---\n'.length;
  expect(fix?.edits).toEqual([{ range: { start: end, end }, text: ', lib/x' }]);
});
