import { createRequire } from 'node:module';
import path from 'node:path';
import { walkTasks } from './walk-tasks.ts';

/** What the bench uses of a package that is not ours. */
interface Execa {
  readonly execa: (
    file: string,
    args: readonly string[],
    options: { readonly stdio: 'ignore' },
  ) => Promise<unknown>;
}

const load = createRequire(path.join(process.argv[3]!, 'package.json'));
const { execa }: Execa = load('execa');
walkTasks(process.argv[2]!, (command, onEnd) => {
  void execa('sh', ['-c', command], { stdio: 'ignore' }).then(onEnd);
});
