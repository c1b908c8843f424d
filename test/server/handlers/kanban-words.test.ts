import { expect, test } from 'vitest';
import { MarkupKind } from 'vscode-languageserver';
import { CONFIG, taskText } from '../../support/kanban-board.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const LITERAL = {
  textDocument: {
    hover: { contentFormat: [MarkupKind.Markdown] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
  },
};
const OTHERS = {
  'kanban/config.yml': CONFIG,
  'kanban/tasks/007-g.md': taskText(7, 'writes: [src/**]'),
  'src/one.ts': '',
  'web/interlock.yaml': 'tasks: { build: { run: x } }\n',
};

/** A client whose cursor is at the `¦` in the file of task 1. */
async function opened(text: string): Promise<OpenFolder> {
  return await OpenFolder.open({ ...OTHERS, 'kanban/tasks/001-a.md': text }, LITERAL);
}

/** With one more line, or another one. */
async function withLine(line: string, instead = ''): Promise<OpenFolder> {
  const text = taskText(1, instead === '' ? line : '');
  return await opened(instead === '' ? text : text.replace(instead, line));
}

async function labelsAt(folder: OpenFolder): Promise<readonly unknown[]> {
  const answer = await folder.ask('completion');
  if (!Array.isArray(answer)) return [];
  return answer.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'label' in item ? item.label : '',
  );
}

function saying(value: RegExp, range: string): object {
  return { range, contents: { kind: 'markdown', value: expect.stringMatching(value) } };
}

// What is hovered over.
for (const [name, line, instead, said] of [
  ['a key of its board', 'sta¦tus: todo', 'status: todo', saying(/^In which column/, '3:0-3:6')],
  ['a key of tasks', 'wri¦tes: [x]', '', saying(/^The files that the task writes/, '7:0-7:6')],
  ['a key below one', 'retry: { atte¦mpts: 2 }', '', saying(/./, '7:9-7:17')],
  ['a status', 'status: to¦do', 'status: todo', saying(/column of this board/, '3:8-3:12')],
  ['a priority', 'priority: me¦dium', 'priority: medium', saying(/as normal/, '4:10-4:16')],
  ['a number', 'depends_on: [¦07]', '', saying(/^\*\*7\*\*[\s\S]*Task 7/, '7:13-7:15')],
  ['its own number', 'id: ¦1', 'id: 1', saying(/^\*\*1\*\*[\s\S]*Task 1/, '1:4-1:5')],
  ['a pattern', 'reads: [sr¦c/**]', '', saying(/^Stands for 1 file now/, '7:8-7:14')],
] as const)
  test(`in the file of a task of a board, ${name} is explained`, async () => {
    expect(await (await withLine(line, instead)).ask('hover')).toEqual(said);
  });

test('in files with a byte order mark and line ends of Windows, too', async () => {
  const text = `\uFEFF${taskText(1, 'wri¦tes: [x]').replaceAll('\n', '\r\n')}`;
  const said = saying(/^The files that the task writes/, '7:0-7:6');
  expect(await (await opened(text)).ask('hover')).toEqual(said);
});

// What is offered.
for (const [name, line, instead, labels] of [
  ['the statuses of the board', 'status: ¦', 'status: todo', ['backlog', 'todo', 'in-progress']],
  ['its priorities', 'priority: ¦', 'priority: medium', ['low', 'medium', 'high', 'critical']],
  ['numbers of the board, and of no other plan', 'depends_on: [¦]', '', ['7']],
  ['ids of other plans where the board has no say', 'after: [¦]', '', ['7', 'web/build']],
  ['paths', 'writes: [src/¦]', '', ['src/one.ts']],
  ['words', 'isolation: ¦', '', ['none', 'worktree']],
  ['keys of the board that are not there', '¦', '', ['started', 'completed', 'assignee']],
] as const)
  test(`in the file of a task of a board are offered ${name}`, async () => {
    const found = await labelsAt(await withLine(line, instead));
    expect(found.slice(0, labels.length)).toEqual(labels);
  });

test('in the file of a task keys of tasks are offered behind those of the board', async () => {
  const found = await labelsAt(await withLine('wri¦'));
  expect(found.indexOf('writes')).toBeGreaterThan(found.indexOf('class'));
  expect(found.indexOf('class')).toBeGreaterThanOrEqual(0);
});

test('nothing is said or offered in the body of a task, and at the lines around its keys', async () => {
  const body = `${taskText(1)}\nwri¦tes: [x]\n`;
  const above = taskText(1).replace('---', '-¦--');
  const closing = taskText(1).replace(/---\n$/, '¦---\n');
  for (const text of [body, above, closing, '¦notes\n', '---\nid: 1\nwri¦']) {
    const folder = await opened(text);
    expect(await folder.ask('hover')).toBeNull();
    expect(await labelsAt(folder)).toEqual([]);
  }
});

// Slips.
for (const [name, line, instead, title, newText] of [
  ['a key', 'dependson¦: []', '', 'Change to "depends_on"', 'depends_on'],
  ['a key of tasks', 'write¦: [x]', '', 'Change to "writes"', 'writes'],
  ['a status', 'status: tod¦', 'status: todo', 'Change to "todo"', 'todo'],
  ['a priority', 'priority: hgih¦', 'priority: medium', 'Change to "high"', 'high'],
  ['a value', 'isolation: worktre¦', '', 'Change to "worktree"', 'worktree'],
] as const)
  test(`in the file of a task a slip in ${name} is mended`, async () => {
    const folder = await withLine(line, instead);
    const text = instead === '' ? taskText(1, line) : taskText(1).replace(instead, line);
    const before = text.slice(0, text.indexOf('¦')).split('\n');
    const at = { line: before.length - 1, character: before.at(-1)?.length };
    const asked = { range: { start: at, end: at }, context: { diagnostics: [] } };
    expect(await folder.ask('codeAction', asked)).toMatchObject([
      { title, edit: { changes: { 'kanban/tasks/001-a.md': [{ newText }] } } },
    ]);
  });

test('of two tasks of a board that write the same, one can wait for the other', async () => {
  const folder = await withLine('writes: [s¦rc/**]');
  const at = { line: 7, character: 10 };
  const asked = { range: { start: at, end: at }, context: { diagnostics: [] } };
  expect(await folder.ask('codeAction', asked)).toMatchObject([
    {
      title: 'Start "1" when "7" has completed (depends_on)',
      edit: {
        changes: {
          'kanban/tasks/001-a.md': [{ newText: 'depends_on: [7]\n', range: '1:0-1:0' }],
        },
      },
    },
    { title: 'Start "1" after "7", however it ends (after)' },
  ]);
});

test('files and addresses are links, and numbers of tasks have their colour', async () => {
  const folder = await withLine('reads: [src/one.ts]¦\ndepends_on: [7, 9]\nafter: [web/build]');
  expect(await folder.ask('documentLink')).toEqual([{ range: '7:8-7:18', target: 'src/one.ts' }]);
  const tokens = [8, 13, 1, 0, 0, 1, 8, 3, 1, 0, 0, 4, 5, 0, 0];
  expect(await folder.ask('semanticTokens/full')).toEqual({ data: tokens });
});

test('a path in the file of a task leads to the file', async () => {
  const folder = await withLine('reads: [src/o¦ne.ts]');
  expect(await folder.ask('definition')).toEqual({ uri: 'src/one.ts', range: '0:0-0:0' });
});
