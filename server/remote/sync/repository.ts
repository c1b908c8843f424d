import path from 'node:path';
import { GitError, namesIn, plainEnvironment, runGit } from './git-store.ts';

/** The repository of the user, as far as what is sent depends on it. */
export interface Repository {
  /** Of the working tree. */
  readonly top: string;
  /** What a folder in it is called from there, with `/`; empty for the working tree itself. */
  readonly prefix: string;
  /** Shared by all of its working trees; absent of a folder that is in no repository. */
  readonly commonFolder: string | undefined;
  /** Absent where nothing has been committed. */
  readonly head: string | undefined;
  /** Some of its history is elsewhere: it is shallow or partial. */
  readonly isPartial: boolean;
  readonly objectFormat: string;
  /** What the user has set of how files are read. */
  readonly settings: readonly string[];
  /** Tracked, though it would be ignored; as `latin1`. */
  readonly trackedAnyway: readonly string[];
}

const SETTINGS =
  /^core\.(?:autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|bigfilethreshold)$/;
const PARTIAL = /^(?:extensions\.partialclone|remote\..*\.promisor)$/;

/** Answers with a sentence where there is none, or git does not say. */
export async function readRepository(
  root: string,
  processEnv: NodeJS.ProcessEnv,
): Promise<Repository | string> {
  const env = plainEnvironment(processEnv);
  const ask = async (...args: string[]): Promise<string> =>
    (await runGit(args, { cwd: root, env })).toString('latin1');
  const tryTo = async (...args: string[]): Promise<string> => await ask(...args).catch(nothing);
  try {
    const said = await ask('rev-parse', '--show-toplevel', '--git-common-dir', ...FACTS);
    const [top, common, isShallow, objectFormat, prefix, ...rest] = utf8(said).split('\n');
    if (top === undefined || common === undefined || prefix === undefined || rest.length !== 1)
      return `Interlock cannot send ${root}: git says of it what nobody understands. Is there a line break in its name?`;
    const [head, listed, excludes, tracked] = await Promise.all([
      tryTo('rev-parse', '-q', '--verify', 'HEAD^{commit}'),
      tryTo('config', '-z', '--list'),
      tryTo('config', '-z', '--type=path', '--get', 'core.excludesFile'),
      ask('-C', top, 'ls-files', '-z', '-c', '-i', '--exclude-standard'),
    ]);
    const config = namesIn(utf8(listed)).map((entry) => entry.replace('\n', '='));
    const ignoring = namesIn(utf8(excludes))[0] ?? usualExcludes(processEnv);
    return {
      top,
      prefix: prefix.replace(/\/$/, ''),
      commonFolder: path.resolve(root, common),
      head: head.trim() || undefined,
      isPartial: isShallow === 'true' || config.some((entry) => PARTIAL.test(nameOf(entry))),
      objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
      settings: [
        ...config.filter((entry) => SETTINGS.test(nameOf(entry))),
        ...(ignoring === undefined ? [] : [`core.excludesFile=${ignoring}`]),
      ],
      trackedAnyway: namesIn(tracked),
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return `Interlock cannot send ${root} by git: ${error.message}. Set "sync" of the host to "rsync" or "none", or make the folder a git repository.`;
  }
}

/** The same where it need not be a repository: then all of the folder is sent. */
export async function readFolder(
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<Repository | string> {
  const repository = await readRepository(root, env);
  if (typeof repository !== 'string') return repository;
  const ignoring = usualExcludes(env);
  return {
    top: root,
    prefix: '',
    commonFolder: undefined,
    head: undefined,
    isPartial: false,
    objectFormat: 'sha1',
    settings: ignoring === undefined ? [] : [`core.excludesFile=${ignoring}`],
    trackedAnyway: [],
  };
}

const FACTS = ['--is-shallow-repository', '--show-object-format', '--show-prefix'];

function nothing(error: unknown): string {
  if (error instanceof GitError) return '';
  throw error;
}

function utf8(said: string): string {
  return Buffer.from(said, 'latin1').toString('utf8');
}

function nameOf(entry: string): string {
  return entry.split('=', 1)[0] ?? '';
}

/** As git looks for it where nothing is set. */
function usualExcludes({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (XDG_CONFIG_HOME) return path.join(XDG_CONFIG_HOME, 'git', 'ignore');
  return HOME === undefined ? undefined : path.join(HOME, '.config', 'git', 'ignore');
}
