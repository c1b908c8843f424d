import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RawTree } from '../../../../server/remote/sync/received-trees.ts';
import { SYNC_SCRIPT } from '../../../../server/remote/sync/sync-script.ts';
import { lyingLink } from './link-wrappers.ts';
import type { SyncBench } from './sync-bench.ts';

type TreeEntry = readonly [mode: string, name: string, hash: string];

/** A tree that git would not make. */
export function rawTree(...entries: readonly TreeEntry[]): RawTree {
  const data = entries.map(([mode, name, hash]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]),
  );
  return { hash: '', data: Buffer.concat(data) };
}

/** Objects of a host, made by hand, and what it says of them. */
export class EvilHost {
  readonly #bench: SyncBench;
  readonly #objects: string[] = [];

  constructor(bench: SyncBench) {
    this.#bench = bench;
  }

  blob(text: string | Buffer): string {
    return this.#write('blob', Buffer.from(text));
  }

  tree(...entries: readonly TreeEntry[]): string {
    return this.#write('tree', rawTree(...entries).data);
  }

  /** Says from now on that the task has made this tree of what was sent. */
  claim(tree: string, term = 1): string {
    const sent = this.#git(['rev-parse', `refs/interlock/${term}/sent`])
      .toString()
      .trim();
    const result = this.#git(['commit-tree', tree, '-p', sent, '-m', 'Result']).toString().trim();
    this.#objects.push(result);
    const pack = this.#git(['pack-objects', '--stdout', '-q'], `${this.#objects.join('\n')}\n`);
    const header = `# v2 git bundle\n-${sent}\n${result} refs/interlock/${term}/result\n\n`;
    this.claimBundle(Buffer.concat([Buffer.from(header), pack]), { result, term });
    return result;
  }

  claimBundle(
    bundle: Buffer | string,
    { result = 'a'.repeat(40), term = 1, bytes = Buffer.byteLength(bundle) } = {},
  ): void {
    writeFileSync(path.join(this.#bench.trees, 't', `${term}.${result}.bundle`), bundle);
    const said = `printf ' result ${result}\\n bundle ${bytes}\\n'`;
    this.#bench.sync.close();
    const { link } = this.#bench;
    this.#bench.link = lyingLink(link, SYNC_SCRIPT, () => `il_changes() { ${said}; }`);
    this.#bench.reopen();
  }

  #write(type: string, data: Buffer): string {
    const words = ['hash-object', '-t', type, '-w', '--literally', '--stdin'];
    const hash = this.#git(words, data).toString().trim();
    this.#objects.push(hash);
    return hash;
  }

  #git(words: readonly string[], input: Buffer | string = ''): Buffer {
    return execFileSync(
      'git',
      ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', ...words],
      { cwd: path.join(this.#bench.trees, 'mirror.git'), env: this.#bench.env, input },
    );
  }
}
