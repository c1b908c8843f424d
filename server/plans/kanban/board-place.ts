import { readText } from '../yaml-values.ts';
import { keyText, ProblemList, readYamlMap } from '../yaml-document.ts';

const DEFAULT_TASKS_FOLDER = 'tasks';
/** Many programs have a `config.yml`; one of a board has both. */
const SIGNS = [/^version[ \t]*:/m, /^(?:tasks_dir|statuses|board)[ \t]*:/m];

/**
 * The folder of the tasks of a board by its path in the workspace folder, if `text`, which is in
 * `file`, is the configuration of a board.
 */
export function tasksFolderOf(file: string, text: string): string | undefined {
  if (!SIGNS.every((sign) => sign.test(text))) return undefined;
  const pairs = readYamlMap(text, new ProblemList())?.items ?? [];
  const pair = pairs.find((item) => keyText(item) === 'tasks_dir');
  const said = pair && readText(pair.value, 'tasks_dir', new ProblemList());
  const isSaid = said !== undefined && said !== '';
  return joined(file.split('/').slice(0, -1), isSaid ? said : DEFAULT_TASKS_FOLDER);
}

/** Nothing for a folder outside of the workspace folder, and for all of it. */
function joined(from: readonly string[], said: string): string | undefined {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(said)) return undefined;
  const parts = [...from];
  for (const part of said.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}
