import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  lstatSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HostDefinition } from '../../../../server/domain/host.ts';
import type { Link } from '../../../../server/remote/channel.ts';
import { localLink } from '../../../../server/remote/local-link.ts';
import { machineWord } from '../../../../server/remote/machine-word.ts';
import type { ResultWish } from '../../../../server/remote/sync/keep-result.ts';
import { type Place, Sync } from '../../../../server/remote/sync/sync.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let lastWord = 0;

/** A repository here, a machine that has a home folder of its own, and what is sent between them. */
export class SyncBench {
  readonly root = temporaryFolder();
  readonly tree = path.join(this.root, 'here', 'shop');
  readonly homeThere = path.join(this.root, 'there');
  readonly state = path.join(this.root, 'state');
  readonly env = {
    ...process.env,
    HOME: path.join(this.root, 'home'),
    XDG_CONFIG_HOME: path.join(this.root, 'home', '.config'),
  };
  readonly keptFolder = path.join(this.root, 'kept');
  host: HostDefinition = {
    name: 'build-1',
    ssh: 'build-1',
    folder: '~/code',
    sync: 'git',
    capabilities: [],
  };
  sshOptions: readonly string[] = [];
  link: Link = localLink({ ...process.env, HOME: this.homeThere });
  sync = this.open();

  constructor() {
    for (const folder of [this.tree, this.homeThere, this.env.HOME])
      mkdirSync(folder, { recursive: true });
    onTestFinished(() => this.sync.close());
  }

  /** As after a crash. */
  reopen(): void {
    this.sync.close();
    this.sync = this.open();
  }

  open(board = 'board-1'): Sync {
    return new Sync({
      board,
      repo: 'shop',
      folder: path.join(this.state, board),
      env: this.env,
      sshOptions: this.sshOptions,
      newWord: () => `hello-${process.pid}-${(lastWord += 1)}`,
    });
  }

  get place(): Place {
    return { link: this.link, host: this.host, isHere: this.sshOptions.length === 0 };
  }

  /** Where the trees of the board are, there. */
  get trees(): string {
    const word = machineWord('board-1', this.host.name);
    return path.join(this.homeThere, 'code', 'shop--interlock', word);
  }

  git(...args: string[]): string {
    return this.gitIn(this.tree, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    const words = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args];
    const options = { cwd: folder, env: this.env, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', words, options).trimEnd();
  }

  /** Begins a repository with these files in its first commit. */
  commit(files: Readonly<Record<string, string>>): void {
    this.git('init', '-q', '-b', 'main');
    this.write(files);
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'Begin');
  }

  write(files: Readonly<Record<string, string>>, folder = this.tree): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  }

  /** The folder of the task there; fails where it is refused. */
  async prepare(
    term = 1,
    { cwd = '', root = this.tree, reads = [] as readonly string[] } = {},
  ): Promise<string> {
    const prepared = await this.sync.prepare(this.place, { root, cwd, term, reads });
    if ('refusal' in prepared) throw new Error(prepared.refusal);
    return prepared.folder;
  }

  async refusal(term = 1, { cwd = '', root = this.tree } = {}): Promise<string> {
    const prepared = await this.sync.prepare(this.place, { root, cwd, term, reads: [] });
    return 'refusal' in prepared ? prepared.refusal : 'nothing is refused';
  }

  /** What the user is told; fails where it does not come back. */
  async collect(wish: Partial<ResultWish> = {}): Promise<readonly string[]> {
    const collected = await this.sync.collect(this.place, {
      root: this.tree,
      term: 1,
      task: 'api',
      host: this.host.name,
      outputs: [],
      artifacts: [],
      keptFolder: this.keptFolder,
      ...wish,
    });
    if ('failure' in collected) throw new Error(collected.failure);
    return collected.notices;
  }
}

/** Everything below a folder but what git keeps: text, or where a link leads. */
export function filesIn(folder: string, prefix = ''): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(path.join(folder, prefix)).toSorted()) {
    if (name === '.git') continue;
    const inside = path.join(prefix, name);
    const file = path.join(folder, inside);
    const stat = lstatSync(file);
    if (stat.isDirectory()) Object.assign(files, filesIn(folder, inside));
    else if (stat.isSymbolicLink()) files[inside] = `-> ${readlinkSync(file)}`;
    else files[inside] = readFileSync(file, 'utf8');
  }
  return files;
}
