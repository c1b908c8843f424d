import { execFile } from 'node:child_process';
import { programPath } from '../runners/find-program.ts';
import { pathsInStatus } from './git-status.ts';

const LONGEST_ANSWER = 256 * 2 ** 20;
const PATIENCE_MS = 60_000;
/** Commits have the second in which they were made. */
const COARSENESS_MS = 2000;
/** As many names as every system takes on one command line. */
const NAMES = 500;

/** What git knows of a working tree. Each answer is nothing where git cannot say. */
export class Git {
  readonly #tree: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(tree: string, env: NodeJS.ProcessEnv) {
    this.#tree = tree;
    // Whoever started us, such as a hook of git, may have meant another tree.
    const own = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
    this.#env = { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  }

  /** Files that are not as they were committed, and those that became so by commits since then. */
  async changedSince(wallMs: number): Promise<readonly string[] | undefined> {
    const status = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames'];
    const said = await this.#ask(status);
    if (said === undefined) return undefined;
    const then = `HEAD@{${new Date(wallMs - COARSENESS_MS).toISOString()}}`;
    const committed = await this.#ask(['diff', '--name-only', '-z', '--no-renames', then, 'HEAD']);
    return [...pathsInStatus(said), ...namesIn(committed ?? '')];
  }

  /** Folders of which git ignores everything. */
  async ignoredFolders(): Promise<readonly string[] | undefined> {
    const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
    const said = await this.#ask(args);
    if (said === undefined) return undefined;
    return namesIn(said).flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []));
  }

  /** Those of these paths that git ignores. */
  async ignored(paths: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const said = await this.#ask(['check-ignore', '-z', '--stdin'], paths.join('\0'));
    return said === undefined ? undefined : new Set(namesIn(said));
  }

  /** Those of these paths that are committed, or are to be; of a folder, all that lies in it. */
  async known(paths: readonly string[]): Promise<readonly string[] | undefined> {
    const known: (readonly string[])[] = [];
    for (let at = 0; at < paths.length; at += NAMES) {
      const names = paths.slice(at, at + NAMES);
      const said = await this.#ask(['--literal-pathspecs', 'ls-files', '-z', '--', ...names]);
      if (said === undefined) return undefined;
      known.push(namesIn(said));
    }
    return known.flat();
  }

  async #ask(args: readonly string[], input = ''): Promise<string | undefined> {
    // Nothing that the repository names as a program is started.
    const all = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args];
    const options = {
      cwd: this.#tree,
      env: this.#env,
      maxBuffer: LONGEST_ANSWER,
      timeout: PATIENCE_MS,
      windowsHide: true,
    };
    return await new Promise((resolve) => {
      const child = execFile(programPath('git', this.#env), all, options, (error, stdout) => {
        // Nothing is ignored: `check-ignore` says so by its exit code.
        const isAnswer = error === null || (error.code === 1 && args[0] === 'check-ignore');
        resolve(isAnswer ? stdout : undefined);
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  }
}

function namesIn(said: string): readonly string[] {
  return said.split('\0').filter((name) => name !== '');
}
