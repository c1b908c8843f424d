import { type ChildProcess, spawn } from 'node:child_process';
import { programPath } from '../../runners/find-program.ts';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';

/** git refuses, or is not there. The message is what it says, as a clause. */
export class GitError extends Error {}

/** It says more than is kept of it. */
export class GitOverrun extends GitError {}

interface GitOptions {
  readonly input?: string | Buffer;
  /** What its input is read from, after so many bytes of it. */
  readonly inputFile?: string;
  readonly inputAt?: number;
  /** It is killed after that. */
  readonly limitMs?: number;
  /** What its output is written to. */
  readonly outputFile?: string;
  /** Variables that git reads, such as `GIT_INDEX_FILE`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Settings that count beside ours. */
  readonly settings?: readonly string[];
  readonly cwd?: string;
}

/**
 * What makes git the same wherever it runs: nothing that a repository or a user has set names a program
 * that is started, and commits of equal things are equal.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.safecrlf=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.file.allow=always',
  'transfer.fsckObjects=true',
];
const NOBODY = { NAME: 'Interlock', EMAIL: 'interlock@localhost', DATE: '1000000000 +0000' };

/**
 * A repository of ours beside that of the user: it reads the objects there, and what it makes of files
 * that nobody has committed stays here.
 */
export class GitStore {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = {
      ...plainEnvironment(env),
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_DIR: folder,
      ...Object.fromEntries(
        Object.entries(NOBODY).flatMap(([name, value]) => [
          [`GIT_AUTHOR_${name}`, value],
          [`GIT_COMMITTER_${name}`, value],
        ]),
      ),
    };
  }

  async begin(objectFormat: string): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.#sweep();
    const format = objectFormat === 'sha1' ? [] : [`--object-format=${objectFormat}`];
    await this.run(['init', '-q', '--bare', '--template=', ...format]);
  }

  /** What a process left that was killed; nobody else writes here while we decide for the board. */
  #sweep(): void {
    for (const name of namesBelow(this.folder, false))
      if (/^(?:index-.*\.\d+|give-.*\.pack|quarantine-\d+|.*\.lock)$/.test(name))
        rmSync(this.fileOf(name), { recursive: true, force: true });
    const references = this.fileOf('refs/interlock');
    for (const name of namesBelow(references, true))
      if (name.endsWith('.lock')) rmSync(path.join(references, name), { force: true });
  }

  /** Throws `GitError`. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    const env = { ...this.#env, ...options.env };
    return await runGit(args, { ...options, cwd: options.cwd ?? this.folder, env });
  }

  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.run(args, options)).toString('utf8').trim();
  }

  /** What it says, or nothing where it refuses. */
  async ask(args: readonly string[], options: GitOptions = {}): Promise<string | undefined> {
    try {
      return await this.text(args, options);
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  async names(args: readonly string[], options: GitOptions = {}): Promise<readonly string[]> {
    return namesIn((await this.run(args, options)).toString('latin1'));
  }

  fileOf(name: string): string {
    return path.join(this.folder, name);
  }
}

function namesBelow(folder: string, recursive: boolean): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }) : [];
}

/** Names are bytes: read and given back as `latin1` they stay what they are. */
export function namesIn(said: string): readonly string[] {
  return said.split('\0').filter((name) => name !== '');
}

/** Whoever started us, such as a hook of git, may have meant another repository. */
export function plainEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(own),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}

export async function runGit(
  args: readonly string[],
  options: GitOptions & RunOptions,
): Promise<Buffer> {
  const { input = '', inputFile, inputAt = 0, outputFile, env, settings = [], cwd } = options;
  const all = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  const files: number[] = [];
  const opened = (file: string, flags: string): number => {
    files.push(openSync(file, flags, 0o600));
    return files.at(-1)!;
  };
  try {
    const child = spawn(programPath('git', env ?? process.env), [...all, ...args], {
      cwd,
      env,
      windowsHide: true,
      ...(options.limitMs !== undefined && {
        timeout: options.limitMs,
        killSignal: 'SIGKILL' as const,
      }),
      stdio: [
        inputFile === undefined ? 'pipe' : skip(opened(inputFile, 'r'), inputAt),
        outputFile === undefined ? 'pipe' : opened(outputFile, 'w'),
        'pipe',
      ],
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    return await heard(child);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Whoever inherits the file reads it from there. */
function skip(file: number, bytes: number): number {
  const skipped = Buffer.alloc(bytes);
  for (let done = 0; done < bytes;) {
    const read = readSync(file, skipped, done, bytes - done, null);
    if (read === 0) break;
    done += read;
  }
  return file;
}

/** A small tree may stand for any number of files, so what git lists of one has a limit. */
const OUTPUT_BYTES = 128 * 1024 * 1024;

/** What it has said when it has ended. */
async function heard(child: ChildProcess): Promise<Buffer> {
  const said: Buffer[] = [];
  const complaints: Buffer[] = [];
  let saidBytes = 0;
  child.stdout?.on('data', (bytes: Buffer) => {
    saidBytes += bytes.length;
    if (saidBytes > OUTPUT_BYTES) child.kill('SIGKILL');
    else said.push(bytes);
  });
  child.stderr?.on('data', (bytes: Buffer) => complaints.length < 64 && complaints.push(bytes));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new GitError('git could not be started', { cause })));
    child.once('close', resolve);
  });
  if (saidBytes > OUTPUT_BYTES)
    throw new GitOverrun(`git lists more than ${OUTPUT_BYTES / 1024 ** 2} MiB of names`);
  if (code === 0) return Buffer.concat(said);
  throw new GitError(firstLine(Buffer.concat(complaints).toString('utf8'), code));
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

function firstLine(complaint: string, code: number | null): string {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines[0];
  return line?.replace(/^(?:fatal|error): /, '') ?? `git ended with ${code}`;
}
