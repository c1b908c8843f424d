import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { Sshd } from '../support/sshd.ts';

const PLAN = `tasks:
  schema:
    on: box
    run: |
      git status --porcelain
      mkdir -p gen dist
      cat uncommitted.txt >gen/schema.txt
      echo built >dist/schema.js
      echo changed >readme.txt
    writes: [gen/**, dist/**]
  here:
    depends_on: [schema]
    run: cat gen/schema.txt dist/schema.js readme.txt
  there:
    depends_on: [schema]
    on: box
    reads: [gen/**, dist/**]
    run: cat gen/schema.txt dist/schema.js readme.txt
`;

test('tasks on a host find what lies here, and others what they make', async () => {
  const sshd = await Sshd.start({ loginShell: { program: '/bin/sh' } });
  onTestFinished(async () => await sshd.stop());
  const folder = projectWith(PLAN);
  const bin = path.join(folder, '.bin');
  const config = path.join(folder, '.config');
  mkdirSync(bin);
  mkdirSync(path.join(config, 'interlock'), { recursive: true });
  const program = `#!/bin/sh\nexec /usr/bin/ssh -F '${sshd.configFile}' "$@"\n`;
  writeFileSync(path.join(bin, 'ssh'), program);
  chmodSync(path.join(bin, 'ssh'), 0o755);
  const trees = path.join(sshd.folder, 'trees');
  writeFileSync(
    path.join(config, 'interlock', 'hosts.json'),
    JSON.stringify({ box: { folder: trees } }),
  );
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(folder, '.gitignore'), '.*\n!.gitignore\ndist/\n');
  writeFileSync(path.join(folder, 'readme.txt'), 'committed\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  writeFileSync(path.join(folder, 'uncommitted.txt'), 'not committed\n');

  const env = { PATH: `${bin}:${process.env.PATH}`, XDG_CONFIG_HOME: config };
  const logOf = async (task: string): Promise<string> =>
    (await cli(['log', task], folder, env)).out;
  const { code, err } = await cli(['run'], folder, env);

  const said = 'What else schema changed on box is on the branch interlock/schema/1.\n';
  expect({ code, err }).toEqual({ code: 0, err: said });
  // Whoever was not there reads it in the log.
  expect(await logOf('schema')).toBe(`?? uncommitted.txt\n${said}`);
  expect(await logOf('here')).toBe('not committed\nbuilt\ncommitted\n');
  expect(await logOf('there')).toBe('not committed\nbuilt\ncommitted\n');
  const changed = git('diff', '--name-only', 'main', 'interlock/schema/1');
  expect(changed).toBe('readme.txt');
  expect(git('status', '--porcelain')).toBe('?? gen/\n?? uncommitted.txt');
});
