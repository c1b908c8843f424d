import { expect, test } from 'vitest';
import { declareFixes } from '../../../../server/language/fixes/declare-fixes.ts';
import { OF_PLANS } from '../../../../server/language/vocabulary.ts';
import { readTree } from '../../../../server/language/yaml/read-tree.ts';

const PLAN = 'tasks:\n  a: { run: x, writes: [src/**] }\n  b: { run: x }\n';

/** What is offered for what a task has written, and what each would write. */
function offered(task: string, paths: readonly string[], folder = ''): readonly string[] {
  return declareFixes({ task, paths }, { words: OF_PLANS, tree: readTree(PLAN), folder }).map(
    ({ title, edits }) => `${title}: ${edits.map(({ text }) => text).join()}`,
  );
}

test('what a task has written is added to what it declares', () => {
  expect(offered('a', ['docs/x'])).toEqual(['Add "docs/x" to what "a" writes: , docs/x']);
});

test('a task that declares nothing begins to', () => {
  expect(offered('b', ['docs/x'])).toEqual(['Add "docs/x" to what "b" writes:  writes: [docs/x],']);
});

test('paths count from the workspace folder, and those outside of it cannot be declared', () => {
  expect(offered('a', ['sub/x', 'other/x'], 'sub')).toEqual(['Add "x" to what "a" writes: , x']);
});

test('a name that would be a pattern is not offered', () => {
  expect(offered('a', ['docs/[x]', '!x', 'a*'])).toEqual([]);
});

test('no more is offered than people look at', () => {
  expect(offered('a', ['1', '2', '3', '4', '5', '6', '7'])).toHaveLength(5);
});
