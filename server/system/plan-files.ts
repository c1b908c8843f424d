import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FolderEntry, PlanFiles } from '../board/ports.ts';
import { tasksFolderOf } from '../plans/kanban/board-place.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import {
  INHERITED_NAMES,
  type Surroundings,
  TASKS_JSON,
} from '../plans/vscode-tasks/surroundings.ts';
import { readStart } from './bounded-read.ts';
import { pathInside } from './path-inside.ts';
import { BOARD_FILE_NAME, isPlanFileName } from '../plans/plan-file-names.ts';

const FOLDER_LIMIT = 20_000;
/** More than a board may have, so that its reader sees that it is too large. */
const TASK_FILE_LIMIT = 20_001;
/** More than a plan may have, so that its reader sees that it is too large; never the whole of it. */
const READ_LIMIT_BYTES = 1024 * 1024 + 16;

/**
 * Plans on disk. Hidden folders and `node_modules` are not looked into, but for the `tasks.json` of the folder
 * itself, which comes last.
 */
export class DiskPlanFiles implements PlanFiles {
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  list(root: string): readonly PlanSource[] {
    const found: PlanSource[] = [];
    const folders = [''];
    for (let next = 0; next < folders.length && next < FOLDER_LIMIT; next += 1) {
      const folder = folders[next] ?? '';
      for (const entry of entriesOf(path.join(root, folder))) {
        const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
        const plan = isSearched(entry) ? undefined : this.#planIn(root, { entry, relative });
        if (isSearched(entry)) folders.push(relative);
        else if (plan !== undefined) found.push(plan);
      }
    }
    const plans = found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return hasFile(root, TASKS_JSON) ? [...plans, this.#tasksJson(root)] : plans;
  }

  #tasksJson(root: string): PlanSource {
    const environment = INHERITED_NAMES.map((name) => [name, this.#env[name]] as const);
    const surroundings: Surroundings = {
      platform: platformOfEditor(),
      workspaceFolder: root,
      userHome: os.homedir(),
      environment: Object.fromEntries(environment),
    };
    return { path: TASKS_JSON, kind: 'vscode-tasks', files: [TASKS_JSON], surroundings };
  }

  #planIn(
    root: string,
    { entry, relative }: { readonly entry: Dirent; readonly relative: string },
  ): PlanSource | undefined {
    if (!entry.isFile()) return undefined;
    if (isPlanFileName(entry.name)) return { path: relative, kind: 'interlock', files: [relative] };
    return entry.name === BOARD_FILE_NAME ? this.board(root, relative) : undefined;
  }

  /** A `config.yml` is a board when it reads as one, and its folder of tasks is there. */
  board(root: string, file: string): PlanSource | undefined {
    const text = this.read(root, file);
    const folder = text === undefined ? undefined : tasksFolderOf(file, text);
    if (folder === undefined || !isFolder(path.join(root, folder))) return undefined;
    if (realPathInside(root, folder) === undefined) return undefined;
    const tasks: string[] = [];
    for (const entry of entriesOf(path.join(root, folder)))
      if (entry.name.endsWith('.md') && isFileInside(root, { folder, entry }))
        tasks.push(`${folder}/${entry.name}`);
    return {
      path: file,
      kind: 'kanban',
      files: [file, ...tasks.toSorted().slice(0, TASK_FILE_LIMIT)],
    };
  }

  entries(root: string, folder: string): readonly FolderEntry[] {
    const inside = realPathInside(root, folder);
    const entries = inside === undefined ? [] : entriesOf(inside);
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  }

  async *filesBelow(root: string, start: string): AsyncGenerator<string> {
    if (realPathInside(root, start) === undefined) return;
    const isFile = await stat(path.join(root, start)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) yield start;
    const folders = isFile ? [] : [start];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      // A folder that cannot be read has no files for us.
      const options = { withFileTypes: true } as const;
      const entries = await readdir(path.join(root, folder), options).catch(() => []);
      for (const entry of entries) {
        const inFolder = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (!entry.isDirectory()) yield inFolder;
        else if (entry.name !== '.git' && entry.name !== 'node_modules') folders.push(inFolder);
      }
    }
  }

  isFile(root: string, file: string): boolean {
    return statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  }

  read(root: string, file: string): string | undefined {
    const bytes = readStart(path.join(root, file), READ_LIMIT_BYTES);
    return bytes?.toString('utf8').replace(/^\uFEFF/, '');
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A link counts as the file it leads to, unless that is elsewhere. */
function isFileInside(
  root: string,
  { folder, entry }: { readonly folder: string; readonly entry: Dirent },
): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const target = realPathInside(root, path.join(folder, entry.name));
  return target !== undefined && statSync(target).isFile();
}

/** Where something in a folder really is; nothing where links or dots lead out of it, or nowhere. */
function realPathInside(root: string, inFolder: string): string | undefined {
  try {
    const target = realpathSync(path.join(root, inFolder));
    return pathInside(realpathSync(root), target) === undefined ? undefined : target;
  } catch {
    return undefined;
  }
}

/** As its settings are named in a tasks.json. */
function platformOfEditor(): Surroundings['platform'] {
  if (process.platform === 'win32') return 'windows';
  return process.platform === 'darwin' ? 'osx' : 'linux';
}

function hasFile(root: string, file: string): boolean {
  const entries = entriesOf(path.join(root, path.dirname(file)));
  return entries.some((entry) => entry.isFile() && entry.name === path.basename(file));
}

/** A folder that cannot be read has no plans for us. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
}
