import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HookCall, readHookCall } from '../../../server/hook/hook-input.ts';

function shellOf({ shell, event }: Extract<HookCall, { kind: 'before' | 'after' }>): string {
  return shell === undefined ? '' : `(shell ${shell.call} at ${event})`;
}

/** What is read of it, as `before claude s1: /project/a.ts`. */
function readOf(input: unknown, cwd = '/project'): string {
  const call = readHookCall(typeof input === 'string' ? input : JSON.stringify(input), cwd);
  switch (call.kind) {
    case 'before':
    case 'after':
      return [`${call.kind} ${call.dialect} ${call.session}:`, shellOf(call), ...call.files]
        .filter(Boolean)
        .join(' ');
    case 'over':
      return `over ${call.session}`;
    case 'none':
      return 'none';
    case 'unreadable':
      return call.message;
    case 'too-many':
      return 'too many files';
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

const shellPatch = (command: string): object => ({
  ...CLAUDE,
  tool_name: 'any_tool',
  tool_input: { command },
});
const UPDATE = (file: string, indent = ''): string =>
  ['*** Begin Patch', `*** Update File: ${file}`, '*** End Patch']
    .map((line) => `${indent}${line}\n`)
    .join('');

test.each([
  ['a patch behind "cd"', `cd docs && apply_patch <<'EOF'\n${UPDATE('g.md')}EOF`, 'docs/g.md'],
  ['a patch behind two', `cd "a b"; cd ../c\napply_patch <<E\n${UPDATE('g.md')}E`, 'c/g.md'],
  ['an absolute path behind "cd"', `cd docs && apply_patch <<E\n${UPDATE('/x/g.md')}E`, '/x/g.md'],
  ['an indented patch', `apply_patch <<-EOF\n${UPDATE('g.md', '\t')}\tEOF`, 'g.md'],
])('%s is read with the file that it changes', (_, command, file) => {
  const path = file.startsWith('/') ? file : `/project/${file}`;
  expect(readOf(shellPatch(command))).toBe(`before claude s1: ${path}`);
});

/** A shell makes a patch of each of these, and none has its lines where a patch has them. */
test.each([
  ["$'…'", String.raw`apply_patch $'*** Begin Patch\n*** Update File: g.md\n@@\n*** End Patch\n'`],
  [
    "$'…' with bytes",
    String.raw`apply_patch $'\x2a** Begin Patch\n\52** Update File: g\u002emd\n'`,
  ],
  [
    "$'…' with a quote",
    String.raw`apply_patch $'*** Begin Patch\n-it\'s\n*** Delete File: g.md\n'`,
  ],
  ["$'\\n' between", String.raw`apply_patch '*** Begin Patch'$'\n''*** Add File: g.md'$'\n''+x'`],
  ['printf', String.raw`printf '*** Begin Patch\n*** Update File: g.md\n' | apply_patch`],
  [
    'printf of lines',
    String.raw`printf '%s\n' '*** Begin Patch' '*** Update File: g.md' | apply_patch`,
  ],
  ['echo -e', String.raw`echo -e "*** Begin Patch\n*** Update File: g.md\n" | apply_patch`],
  ['a shell in a shell', `bash -c 'apply_patch "*** Begin Patch\n*** Update "File": g.md\n"'`],
  ['quotes inside', `apply_patch '*** Begin 'Patch'\n*** Update 'File': g.md\n'`],
  [
    'a second patch that is indented',
    `apply_patch <<E\n*** Begin Patch\n*** End Patch\nE\napply_patch <<-E\n${UPDATE('g.md', '\t')}\tE`,
  ],
])('a patch in a command is read: %s', (_, command) => {
  expect(readOf(shellPatch(command)).split(' ')).toContain('/project/g.md');
});

test.each([
  ['file:///project/a%20b.ts', '/project/a b.ts'],
  ['file://localhost/project/a.ts', '/project/a.ts'],
  ['FILE:///project/x/../a.ts', '/project/a.ts'],
  ['file:/project/%C3%A4.ts', '/project/ä.ts'],
  // Of another host: a file of that name, if any.
  ['file://elsewhere/a.ts', '/project/file:/elsewhere/a.ts'],
  ['file:///project/%zz', '/project/file:/project/%zz'],
])('%s names %s', (uri, file) => {
  const input = { ...CLAUDE, tool_name: 'Write', tool_input: { file_path: uri, content: '' } };
  expect(readOf(input)).toBe(`before claude s1: ${file}`);
  expect(readOf(shellPatch(UPDATE(uri)))).toContain(file.replace('/project/', ''));
});

test('a folder may be named by its URI', () => {
  const input = {
    ...CLAUDE,
    cwd: 'file:///elsewhere',
    tool_name: 'Write',
    tool_input: { path: 'a.ts' },
  };
  expect(readOf(input)).toBe('before claude s1: /elsewhere/a.ts');
});

test('a file with a NUL in its URI is none', () => {
  const input = { ...CLAUDE, tool_name: 'Write', tool_input: { path: 'file:///a%00b' } };
  expect(readOf(input)).toBe('none');
});

test('a command of many quotes and escapes is soon read', () => {
  for (const part of [String.raw`\x41`, `'`, `"`, `$'`, String.raw`\ `, `"'`, 'patch" ', ' \t'])
    expect(readOf(shellPatch(`echo apply_patch '${part.repeat(100_000)}`))).toBe('none');
});

test('a call that is about to write more files than are looked at is refused as a whole', () => {
  const many = Array.from({ length: 201 }, (_, index) => `*** Add File: f${index}`).join('\n');
  const patch = `*** Begin Patch\n${many}\n*** End Patch`;
  expect(readOf({ ...CLAUDE, tool_name: 'Edit', tool_input: patch })).toBe('too many files');
  const after = { ...CLAUDE, hook_event_name: 'PostToolUse' };
  expect(readOf({ ...after, tool_name: 'Edit', tool_input: patch })).toContain('/project/f199');
});

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
    'Copilot edits by a patch that is all of the input',
    { ...CLAUDE, tool_name: 'Edit', tool_input: PATCH },
    'before claude s1: /project/src/a.ts /project/src/b.ts /other/c.ts /project/d.ts',
  ],
  [
    'Codex patches by a shell command',
    {
      ...CLAUDE,
      tool_name: 'Bash',
      tool_input: { command: `cd . && apply_patch <<'EOF'\n${PATCH}\nEOF` },
    },
    'before claude s1: (shell  at PreToolUse) /project/src/a.ts /project/src/b.ts /other/c.ts /project/d.ts',
  ],
  [
    'a shell command is a list of words, in a folder of its own',
    {
      ...CLAUDE,
      tool_name: 'exec',
      tool_input: { workdir: 'deep', command: ['bash', '-lc', `apply_patch <<EOF\n${PATCH}`] },
    },
    'before claude s1: (shell  at PreToolUse) /project/deep/src/a.ts /project/deep/src/b.ts /other/c.ts /project/deep/d.ts',
  ],
  [
    'a file is written that has a patch in its text',
    { ...CLAUDE, tool_name: 'Write', tool_input: { file_path: 'doc.md', content: PATCH } },
    'before claude s1: /project/doc.md',
  ],
  [
    'a shell command without a patch',
    { ...CLAUDE, tool_name: 'Bash', tool_input: { command: 'echo "*** Add File: a" > b' } },
    'before claude s1: (shell  at PreToolUse)',
  ],
  [
    'a shell command has failed',
    {
      ...CLAUDE,
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command: 'echo > a.ts; false' },
    },
    'after claude s1: (shell toolu_1 at PostToolUseFailure)',
  ],
  [
    'a shell command of Gemini CLI',
    {
      session_id: 's2',
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: { command: 'ls' },
    },
    'after gemini s2: (shell  at AfterTool)',
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
