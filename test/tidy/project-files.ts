import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/toolchain.mjs';

/** What .gitignore names, and folders of installed packages wherever they are. */
const FOREIGN = /^(dist|prebuilds|test-results|\.vscode-test|\.git)$|(^|\/)node_modules$/;

/** Paths of our own files relative to the root, with `/`; generated and installed ones left out. */
export function projectFiles(pattern: string): readonly string[] {
  const found = globSync(pattern, {
    cwd: ROOT,
    exclude: (entry) => isForeign(entry.parentPath, entry.name),
    withFileTypes: true,
  });
  return (
    found
      // In a linked worktree `.git` is a file, and a pattern that names it is not excluded from.
      .filter((entry) => entry.isFile() && !isForeign(entry.parentPath, entry.name))
      .map((entry) => relativeToRoot(entry.parentPath, entry.name))
      .toSorted()
  );
}

/** Below a dot folder too, which a pattern does not reach. */
export function allTextFiles(): readonly string[] {
  const found = ['**/*', '.*', '.ci/*'].flatMap(projectFiles);
  return found.filter((file) => !/\.(png|ico|node|vsix)$/.test(file));
}

export function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The lines of our text files that match, as `file:line text`. */
export function findLines(files: readonly string[], pattern: RegExp): readonly string[] {
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  );
}

function isForeign(folder: string, name: string): boolean {
  return FOREIGN.test(relativeToRoot(folder, name));
}

function relativeToRoot(folder: string, name: string): string {
  return path.relative(ROOT, path.join(folder, name)).split(path.sep).join('/');
}
