import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHookCall } from '../../../server/cli/hook-input.ts';

/** What is read of it, as `before claude s1: /project/a.ts`. */
function readOf(input: unknown, cwd = '/project'): string {
  const call = readHookCall(typeof input === 'string' ? input : JSON.stringify(input), cwd);
  switch (call.kind) {
    case 'before':
    case 'after':
      return `${call.kind} ${call.dialect} ${call.session}: ${call.files.join(' ')}`;
    case 'over':
      return `over ${call.session}`;
    case 'none':
      return 'none';
    case 'unreadable':
      return call.message;
    default:
      return call satisfies never;
  }
}

const CLAUDE = { session_id: 's1', cwd: '/project', hook_event_name: 'PreToolUse' };
const PATCH = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-*** Add File: not/this
+x
*** Add File: /other/c.ts
*** Delete File: d.ts
*** End Patch`;

test.each([
  [
    'Claude Code writes',
    { ...CLAUDE, tool_name: 'Write', tool_input: { file_path: '/project/a.ts', content: 'x' } },
    'before claude s1: /project/a.ts',
  ],
  [
    'Claude Code edits a notebook',
    { ...CLAUDE, tool_name: 'NotebookEdit', tool_input: { notebook_path: 'n.ipynb' } },
    'before claude s1: /project/n.ipynb',
  ],
  [
    'Claude Code has edited',
    {
      ...CLAUDE,
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: 'a' },
    },
    'after claude s1: /project/a',
  ],
  [
    'Codex patches several files',
    { ...CLAUDE, tool_name: 'apply_patch', tool_input: { command: PATCH } },
    'before claude s1: /project/src/a.ts /project/src/b.ts /other/c.ts /project/d.ts',
  ],
  [
    'VS Code edits several files',
    { ...CLAUDE, tool_name: 'editFiles', tool_input: { files: ['a.ts', 'b.ts', 'a.ts'] } },
    'before claude s1: /project/a.ts /project/b.ts',
  ],
  [
    'Gemini CLI replaces',
    {
      session_id: 's2',
      cwd: '/project/deep',
      hook_event_name: 'BeforeTool',
      tool_name: 'replace',
      tool_input: { file_path: 'a.ts' },
    },
    'before gemini s2: /project/deep/a.ts',
  ],
  [
    'Cursor has edited',
    {
      conversation_id: 'c1',
      workspace_roots: ['/project'],
      hook_event_name: 'afterFileEdit',
      file_path: '/project/a.ts',
    },
    'after cursor c1: /project/a.ts',
  ],
  ['a turn is over', { session_id: 's1', hook_event_name: 'Stop' }, 'over s1'],
  [
    'a shell command says nothing of files',
    { ...CLAUDE, tool_name: 'Bash', tool_input: { command: 'echo > a.ts' } },
    'none',
  ],
  ['a file is read', { ...CLAUDE, tool_name: 'Read', tool_input: { file_path: 'a' } }, 'none'],
  ['an event of somebody else', { ...CLAUDE, hook_event_name: 'toString' }, 'none'],
])('%s', (_, input, expected) => {
  expect(readOf(input)).toBe(expected);
});

test('input that nobody has meant is read as nothing, and never thrown at', () => {
  const odd = [
    '',
    '{',
    'null',
    '[]',
    '3',
    '{}',
    { hook_event_name: 7 },
    { ...CLAUDE, tool_name: 'Write' },
    { ...CLAUDE, tool_name: 'Write', tool_input: null },
    { ...CLAUDE, tool_name: 'Write', tool_input: { file_path: 7 } },
    { ...CLAUDE, tool_name: 'Write', tool_input: { file_path: 'a\0b' } },
    { ...CLAUDE, tool_name: 'apply_patch', tool_input: [[[]]] },
    { ...CLAUDE, tool_name: 'editFiles', tool_input: { files: [[{ files: [{}] }], null] } },
    { ...CLAUDE, tool_name: '__proto__', tool_input: { file_path: 'a' } },
  ];
  expect(odd.map((each) => readOf(each))).toEqual([
    'The input of a hook is one JSON document.',
    'The input of a hook is one JSON document.',
    ...Array.from({ length: 3 }, () => 'The input of a hook is a JSON object.'),
    ...Array.from({ length: 9 }, () => 'none'),
  ]);
  const nested = `${'{"files":['.repeat(9999)}${']}'.repeat(9999)}`;
  expect(
    readOf(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":${nested}}`),
  ).toBe('none');
});

test('whatever an agent sends, every file that is read of it is absolute', () => {
  const names = ['hook_event_name', 'tool_name', 'tool_input', 'file_path', 'files', 'cwd'];
  const words = [
    'PreToolUse',
    'Write',
    'apply_patch',
    'BeforeTool',
    'a.ts',
    '..',
    '*** Add File: x',
  ];
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...words),
      fc.anything(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    ),
  }));
  const all = fc.dictionary(fc.constantFrom(...names), value);
  expect(fc.check(fc.property(all, isReadSafely)).counterexample).toBeNull();
});

function isReadSafely(input: object): boolean {
  const call = readHookCall(textOf(input), '/project');
  return !('files' in call) || call.files.every((file) => file.startsWith('/'));
}

/** What cannot be written as JSON is what no agent sends. */
function textOf(input: object): string {
  try {
    return JSON.stringify(input);
  } catch {
    return '{}';
  }
}
