import { statSync } from 'node:fs';
import path from 'node:path';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isFile: (file: string) => boolean;
}

/** What Windows starts without a shell. */
const EXTENSIONS = ['.com', '.exe'];

/**
 * What to start for the name of a program. Windows looks into the current folder first, which is often a
 * folder that came from somewhere with a `git.exe` in it. So a name is looked for on PATH here, in absolute
 * folders only; one that is nowhere becomes a path where nothing is, so that starting it fails.
 */
export function programPath(
  name: string,
  env: NodeJS.ProcessEnv,
  { platform, isFile }: Surroundings = { platform: process.platform, isFile: isRegularFile },
): string {
  const { win32 } = path;
  if (platform !== 'win32' || win32.basename(name) !== name) return name;
  const hasExtension = EXTENSIONS.includes(win32.extname(name).toLowerCase());
  const names = hasExtension ? [name] : EXTENSIONS.map((extension) => name + extension);
  const system = win32.join(valueOf(env, 'SystemRoot') ?? 'C:\\Windows', 'System32');
  const folders = (valueOf(env, 'PATH') ?? '')
    .split(win32.delimiter)
    .map((folder) => folder.replaceAll('"', ''))
    .filter((folder) => win32.isAbsolute(folder));
  const files = folders.flatMap((folder) => names.map((each) => win32.join(folder, each)));
  return files.find(isFile) ?? win32.join(system, names.at(-1) ?? name);
}

/** Windows takes names of variables in any capitals, and a copy of its environment does not. */
function valueOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const found = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

function isRegularFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
