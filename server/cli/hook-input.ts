import path from 'node:path';

/** What an agent is about to do, or has done, as far as it is about files. */
export type HookCall =
  | {
      readonly kind: 'before' | 'after';
      readonly dialect: HookDialect;
      readonly session: string;
      /** Absolute, as the agent has them; each once. */
      readonly files: readonly string[];
    }
  /** Nothing more comes of it for now: whatever it has taken is free. */
  | { readonly kind: 'over'; readonly session: string }
  /** It writes no file that is named. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly message: string };

/** How an agent wants to be answered. */
export type HookDialect = 'claude' | 'gemini' | 'cursor';

/** No tool writes more files at once; who names more gets no answer about the rest. */
const FILES_LIMIT = 200;

/** Reads what Claude Code, Codex, VS Code, Gemini CLI and Cursor tell a hook. Never throws. */
export function readHookCall(text: string, cwd: string): HookCall {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', message: 'The input of a hook is one JSON document.' };
  }
  if (!isRecord(input))
    return { kind: 'unreadable', message: 'The input of a hook is a JSON object.' };
  const event = EVENTS.get(textOf(input['hook_event_name']) ?? '');
  const session = textOf(input['session_id']) ?? textOf(input['conversation_id']) ?? '';
  if (event === undefined) return { kind: 'none' };
  if (event.when === 'over') return { kind: 'over', session };
  const base = textOf(input['cwd']) ?? firstText(input['workspace_roots']) ?? cwd;
  const files = filesOf(input)
    .filter((file) => file !== '' && !file.includes('\0'))
    .slice(0, FILES_LIMIT)
    .map((file) => path.resolve(cwd, base, file));
  if (files.length === 0) return { kind: 'none' };
  return { kind: event.when, dialect: event.dialect, session, files: [...new Set(files)] };
}

const EVENTS: ReadonlyMap<
  string,
  { readonly when: 'before' | 'after' | 'over'; readonly dialect: HookDialect }
> = new Map([
  ['PreToolUse', { when: 'before', dialect: 'claude' }],
  ['PostToolUse', { when: 'after', dialect: 'claude' }],
  ['Stop', { when: 'over', dialect: 'claude' }],
  ['SessionEnd', { when: 'over', dialect: 'claude' }],
  ['BeforeTool', { when: 'before', dialect: 'gemini' }],
  ['AfterTool', { when: 'after', dialect: 'gemini' }],
  ['AfterAgent', { when: 'over', dialect: 'gemini' }],
  ['preToolUse', { when: 'before', dialect: 'cursor' }],
  ['postToolUse', { when: 'after', dialect: 'cursor' }],
  ['afterFileEdit', { when: 'after', dialect: 'cursor' }],
  ['stop', { when: 'over', dialect: 'cursor' }],
  ['sessionEnd', { when: 'over', dialect: 'cursor' }],
]);

/** Tools that write the file that they name, by what agents call them. */
const WRITERS: ReadonlySet<string> = new Set([
  // Claude Code
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  // Gemini CLI
  'write_file',
  'replace',
  'edit',
  // Cursor
  'Delete',
  // VS Code
  'editFiles',
  'createFile',
  'create_file',
  'insert_edit_into_file',
  'replace_string_in_file',
  'multi_replace_string_in_file',
  'edit_notebook_file',
]);

const PATCHERS: ReadonlySet<string> = new Set(['apply_patch', 'ApplyPatch']);

type Fields = Readonly<Record<string, unknown>>;

function filesOf(input: Fields): readonly string[] {
  const told = input['tool_input'];
  const name = textOf(input['tool_name']);
  // After an edit, Cursor names the file and no tool.
  if (name === undefined) return pathsIn(input);
  const args = isRecord(told) ? told : {};
  if (PATCHERS.has(name)) {
    const patch = [told, args['command'], args['input'], args['patch']].find(
      (each) => typeof each === 'string',
    );
    return patchedFiles(textOf(patch) ?? '');
  }
  return WRITERS.has(name) ? pathsIn(args) : [];
}

const PATH_NAMES = ['file_path', 'notebook_path', 'filePath', 'path'] as const;

/** The file that a tool writes, by whatever name it has; or several. */
function pathsIn(args: Fields): readonly string[] {
  const more = ['files', 'replacements'].flatMap((name) => listOf(args[name]));
  const inner = more.flatMap((each) => (isRecord(each) ? pathOf(each) : (textOf(each) ?? [])));
  return [...pathOf(args), ...inner];
}

function pathOf(args: Fields): readonly string[] {
  return PATH_NAMES.flatMap((name) => textOf(args[name]) ?? []).slice(0, 1);
}

/** The files that a patch of Codex adds, changes, removes or moves. */
function patchedFiles(patch: string): readonly string[] {
  const lines = patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm);
  return [...lines].map(([, file = '']) => file.trim());
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function firstText(value: unknown): string | undefined {
  return listOf(value).map(textOf).find(Boolean);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, FILES_LIMIT) : [];
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
