import path from 'node:path';
import { readingsOf } from './shell-text.ts';

/** What an agent is about to do, or has done, as far as it is about files. */
export type HookCall =
  | {
      readonly kind: 'before' | 'after';
      readonly dialect: HookDialect;
      readonly session: string;
      /** The name of the event, as the agent gave it. */
      readonly event: string;
      /** The call of a shell, by the id that the agent gives it; it may write files that it does not name. */
      readonly shell: { readonly call: string } | undefined;
      /** Absolute, as the agent has them; each once. */
      readonly files: readonly string[];
    }
  /** Nothing more comes of it for now: whatever it has taken is free. */
  | { readonly kind: 'over'; readonly session: string }
  /** It writes no file that is named, and is no call of a shell. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly message: string }
  /** It is about to write more files than are looked at, so none of them is known to be free. */
  | { readonly kind: 'too-many'; readonly dialect: HookDialect; readonly event: string };

/** How an agent wants to be answered. */
export type HookDialect = 'claude' | 'gemini' | 'cursor';

/** The whole text of a file may be in it. */
export const INPUT_LIMIT = 16 * 1024 * 1024;

/** So many files of one call are looked at; a call that is about to write more is refused. */
export const FILES_LIMIT = 200;

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
  const name = textOf(input['hook_event_name']) ?? '';
  const event = EVENTS.get(name);
  const session = textOf(input['session_id']) ?? textOf(input['conversation_id']) ?? '';
  if (event === undefined) return { kind: 'none' };
  if (event.when === 'over') return { kind: 'over', session };
  const base = asPath(textOf(input['cwd']) ?? firstText(input['workspace_roots']) ?? cwd);
  const named = filesOf(input).filter((file) => file !== '' && !file.includes('\0'));
  if (named.length > FILES_LIMIT && event.when === 'before')
    return { kind: 'too-many', dialect: event.dialect, event: name };
  const files = named
    .slice(0, FILES_LIMIT)
    .map((file) => path.resolve(cwd, base, asPath(folderOf(input) ?? ''), file));
  const call = textOf(input['tool_use_id']) ?? '';
  const shell = SHELLS.has(textOf(input['tool_name']) ?? '') ? { call } : undefined;
  if (files.length === 0 && shell === undefined) return { kind: 'none' };
  const { when: kind, dialect } = event;
  return { kind, dialect, session, event: name, shell, files: [...new Set(files)] };
}

const EVENTS: ReadonlyMap<
  string,
  { readonly when: 'before' | 'after' | 'over'; readonly dialect: HookDialect }
> = new Map([
  ['PreToolUse', { when: 'before', dialect: 'claude' }],
  ['PostToolUse', { when: 'after', dialect: 'claude' }],
  // A shell command that fails may have written files, too.
  ['PostToolUseFailure', { when: 'after', dialect: 'claude' }],
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

/** Tools that run a shell command, by what agents call them. */
const SHELLS: ReadonlySet<string> = new Set([
  // Claude Code, Codex, Copilot, opencode
  'Bash',
  'bash',
  'PowerShell',
  'exec',
  'exec_command',
  'local_shell',
  'shell',
  'shell_command',
  // Gemini CLI
  'run_shell_command',
  // Cursor
  'Shell',
  // VS Code
  'runInTerminal',
  'run_in_terminal',
]);

type Fields = Readonly<Record<string, unknown>>;

function filesOf(input: Fields): readonly string[] {
  const told = input['tool_input'];
  const name = textOf(input['tool_name']);
  // After an edit, Cursor names the file and no tool.
  if (name === undefined) return pathsIn(input);
  const named = isRecord(told) && WRITERS.has(name) ? pathsIn(told) : [];
  // A file that is written may well have a patch in its text.
  return named.length > 0 ? named : textsIn(told).flatMap(patchedFiles);
}

/** What the patches of a call count from, where it says that. */
function folderOf(input: Fields): string | undefined {
  const told = input['tool_input'];
  return isRecord(told) ? (textOf(told['workdir']) ?? textOf(told['cwd'])) : undefined;
}

const PATCH_BEGIN = '*** Begin Patch';
/** No tool nests its input deeper, or has more parts in it. */
const DEPTH_LIMIT = 5;
const PARTS_LIMIT = 1000;

/**
 * Every text of a call, whatever the tool is called and whatever the patch: Codex also applies patches
 * that a shell command has in it, and Copilot has them where other agents have fields.
 */
function textsIn(told: unknown): readonly string[] {
  const found: string[] = [];
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: told, depth: 0 }];
  for (let looked = 0; looked < left.length && looked < PARTS_LIMIT; looked += 1) {
    const { value, depth } = left[looked]!;
    if (typeof value === 'string') found.push(value);
    if (typeof value !== 'object' || value === null || depth >= DEPTH_LIMIT) continue;
    for (const part of Object.values(value).slice(0, PARTS_LIMIT))
      left.push({ value: part, depth: depth + 1 });
  }
  return found;
}

const PATH_NAMES = ['file_path', 'notebook_path', 'filePath', 'path'] as const;

/** The file that a tool writes, by whatever name it has; or several. */
function pathsIn(args: Fields): readonly string[] {
  const more = ['files', 'replacements'].flatMap((name) => listOf(args[name]));
  const inner = more.flatMap((each) => (isRecord(each) ? pathOf(each) : (textOf(each) ?? [])));
  return [...pathOf(args), ...inner].map(asPath);
}

function pathOf(args: Fields): readonly string[] {
  return PATH_NAMES.flatMap((name) => textOf(args[name]) ?? []).slice(0, 1);
}

/** Nobody applies more patches in one command. */
const PATCHES_LIMIT = 100;

/**
 * The files that the patches of Codex in a text add, change, remove or move. In a shell command they may
 * stand behind `cd FOLDER &&`, and indented where the shell takes indentation away (`<<-`).
 */
function patchedFiles(text: string): readonly string[] {
  const files: string[] = [];
  // What stands there plainly is taken as it stands.
  const known = new Set<string>();
  for (const reading of readingsOf(text)) {
    const names = new Set<string>();
    for (const { name, file } of filesOfPatches(reading)) {
      names.add(name);
      if (!known.has(name)) files.push(file);
    }
    for (const name of names) known.add(name);
  }
  return files;
}

/** By the name that it has in the patch, and where it is. */
interface PatchedFile {
  readonly name: string;
  readonly file: string;
}

function filesOfPatches(text: string): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  let begin = text.indexOf(PATCH_BEGIN);
  for (let count = 0; begin >= 0 && count < PATCHES_LIMIT; count += 1) {
    const next = text.indexOf(PATCH_BEGIN, begin + 1);
    const isLast = next < 0 || count === PATCHES_LIMIT - 1;
    const [indent] = /[ \t]*$/.exec(text.slice(Math.max(0, begin - 100), begin)) ?? [''];
    const folder = folderBefore(text.slice(0, begin));
    const patch = text.slice(begin - indent.length, isLast ? text.length : next);
    // One more than are looked at says that there are too many.
    for (const [, line = ''] of patch.matchAll(indent === '' ? PATCH_LINE : INDENTED_PATCH_LINE)) {
      const name = line.trim();
      if (files.push({ name, file: inFolder(folder, asPath(name)) }) > FILES_LIMIT) return files;
    }
    begin = next;
  }
  return files;
}

const PATCH_LINE = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;
const INDENTED_PATCH_LINE = /^[ \t]*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** A file of this machine may be named by its URI, too; `node:url` would take longer to load than all of this. */
function asPath(file: string): string {
  const [, whole] = LOCAL_URI.exec(file) ?? [];
  if (whole === undefined) return file;
  try {
    const decoded = decodeURIComponent(whole);
    return path.sep === '\\' ? decoded.replace(/^\/(?=[a-z]:)/i, '') : decoded;
  } catch {
    return file;
  }
}

const LOCAL_URI = /^file:(?:\/\/(?:localhost)?(?=\/)|(?!\/\/))(\/[^?#]*)/i;

/** Where the plain `cd`s of a shell command lead; what the shell would have to work out is left out. */
function folderBefore(command: string): string {
  let folder = '';
  for (const [, quoted, single, plain] of command.slice(-COMMAND_LIMIT).matchAll(CHANGED_FOLDER))
    folder = inFolder(folder, quoted ?? single ?? plain ?? '');
  return folder;
}

function inFolder(folder: string, file: string): string {
  return path.isAbsolute(file) ? file : path.join(folder, file);
}

const COMMAND_LIMIT = 4096;
const CHANGED_FOLDER =
  /(?:^|[\n;&|(])[ \t]*cd[ \t]+(?:"([^"$`\\\n]{1,1000})"|'([^'\n]{1,1000})'|([^\s;&|"'$`\\()]{1,1000}))[ \t]*(?=&&|;|\n)/g;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function firstText(value: unknown): string | undefined {
  return listOf(value).map(textOf).find(Boolean);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, FILES_LIMIT + 1) : [];
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
