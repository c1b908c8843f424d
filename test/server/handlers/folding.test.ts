import type { FoldingRangeClientCapabilities } from 'vscode-languageserver';
import { expect, test } from 'vitest';
import { OpenFolder } from '../../support/open-folder.ts';

const PLAN = '# x\n# y\n¦tasks:\n  a:\n    run: |\n      x\n    title: A\n\n  b: { run: y }\n';

function check(
  name: string,
  foldingRange: FoldingRangeClientCapabilities | undefined,
  expected: readonly object[],
): void {
  test(name, async () => {
    const capabilities = foldingRange === undefined ? {} : { textDocument: { foldingRange } };
    const folder = await OpenFolder.open({ 'interlock.yaml': PLAN }, capabilities);
    expect(await folder.ask('foldingRange')).toEqual(expected);
  });
}

check('each section, task and text folds to its last line', { lineFoldingOnly: true }, [
  { startLine: 0, endLine: 1, kind: 'comment' },
  { startLine: 2, endLine: 8 },
  { startLine: 3, endLine: 6 },
  { startLine: 4, endLine: 5 },
]);
check('for others, to its last character', undefined, [
  { startLine: 0, endLine: 1, endCharacter: 3, kind: 'comment' },
  { startLine: 2, endLine: 8, endCharacter: 15 },
  { startLine: 3, endLine: 6, endCharacter: 12 },
  { startLine: 4, endLine: 5, endCharacter: 7 },
]);
check('with a limit, the deepest are left out', { lineFoldingOnly: true, rangeLimit: 3 }, [
  { startLine: 0, endLine: 1, kind: 'comment' },
  { startLine: 2, endLine: 8 },
  { startLine: 3, endLine: 6 },
]);
