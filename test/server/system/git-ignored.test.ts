import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GitIgnored } from '../../../server/system/git-ignored.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function repository(): string {
  const tree = temporaryFolder();
  for (const folder of ['src', 'out']) mkdirSync(path.join(tree, folder));
  writeFileSync(path.join(tree, '.gitignore'), 'out/\n*.log\n');
  execFileSync('git', ['init', '-q'], { cwd: tree });
  return tree;
}

test('a file is ignored as git says, whatever its name is', async () => {
  const [tree, ignored] = [repository(), new GitIgnored(process.env)];
  const files = ['src/a', 'src/a.log', 'out/a', 'src/a\nb.log', 'src/"ä" #%.log', 'none/a.log'];
  const answers = await Promise.all(files.map(async (file) => ignored.has(path.join(tree, file))));
  expect(answers).toEqual([false, true, true, true, true, false]);
});

test('where there is no repository, or no git, nothing is', async () => {
  const file = path.join(temporaryFolder(), 'a.log');
  expect(await new GitIgnored(process.env).has(file)).toBe(false);
  expect(await new GitIgnored({ PATH: '/none' }).has(path.join(repository(), 'a.log'))).toBe(false);
});

test('the files of one folder are one question', async () => {
  const [tree, bin] = [repository(), temporaryFolder()];
  const calls = path.join(bin, 'calls');
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho >> '${calls}'\nexec '${git}' "$@"\n`);
  chmodSync(path.join(bin, 'git'), 0o755);
  const ignored = new GitIgnored({ ...process.env, PATH: `${bin}:${process.env['PATH']}` });
  const files = Array.from(
    { length: 200 },
    (_, number) => `src/${number}.${number % 2 ? 'log' : 'ts'}`,
  );
  const answers = await Promise.all(files.map(async (file) => ignored.has(path.join(tree, file))));
  expect(answers.filter(Boolean)).toHaveLength(100);
  expect(readFileSync(calls, 'utf8')).toBe('\n');
});

test('no program that a repository names is started', async () => {
  const tree = repository();
  const monitor = path.join(tree, 'monitor');
  writeFileSync(monitor, `#!/bin/sh\necho > '${tree}/started'\n`);
  chmodSync(monitor, 0o755);
  execFileSync('git', ['add', '.gitignore'], { cwd: tree });
  execFileSync('git', ['config', 'core.fsmonitor', monitor], { cwd: tree });
  expect(await new GitIgnored(process.env).has(path.join(tree, 'src/a.log'))).toBe(true);
  expect(existsSync(path.join(tree, 'started'))).toBe(false);
});
