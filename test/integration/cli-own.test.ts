import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLAN = `tasks:
  api:
    run: until [ -e go ]; do sleep 0.02; done
    writes: [src/**]
`;

test('paths are taken, shown, waited for, and let go of', async () => {
  const folder = projectWith(PLAN);
  expect(await cli(['own', 'src/users.ts', '--as', 'robin', '--for', '30m'], folder)).toMatchObject(
    {
      code: 0,
      out: expect.stringMatching(/^src\/users\.ts: yours for (30 min 0 s|29 min \d\d s)\n$/),
    },
  );
  const { out } = await cli(['status'], folder);
  expect(out).toMatch(/^person\/robin has taken src\/users\.ts, for \d\d min \d+ s more$/m);
  const run = startCli(['run'], folder);
  await run.says('waits for robin, who has taken src/users.ts');
  expect(await cli(['own', 'src/**', '--as', 'eve'], folder)).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /^Taken already: person\/robin has src\/users\.ts, for a while yet\.\n$/,
    ),
  });
  expect(await cli(['own', '--free', '--as', 'robin'], folder)).toMatchObject({
    code: 0,
    out: 'Let go of src/users.ts.\n',
  });
  await run.says(/^api: (started|running|claimed)/m);
  const held = await cli(['own', 'src/users.ts', '--as', 'robin', '--json'], folder);
  expect([held.code, JSON.parse(held.out)]).toMatchObject([4, { refused: { why: 'held' } }]);
  const read = await cli(['own', 'src/users.ts', '--read', '--as', 'robin'], folder);
  expect(read).toMatchObject({
    code: 0,
    err: expect.stringContaining('Somebody is there: task "api"'),
  });
  run.child.kill('SIGINT');
  await run.ended;
});

test('a folder without a slash is taken with all that is in it', async () => {
  const folder = projectWith(PLAN);
  expect(await cli(['own', 'docs', '--as', 'robin'], folder)).toMatchObject({ code: 0 });
  for (const inside of ['docs/guide.md', 'docs/', 'docs/api/*.md'])
    expect(await cli(['own', inside, '--as', 'eve'], folder)).toMatchObject({
      code: 4,
      err: expect.stringContaining('Taken already: person/robin has docs'),
    });
  expect(await cli(['own', 'docs2/guide.md', '--as', 'eve'], folder)).toMatchObject({ code: 0 });
});

test('whoever takes the same path in two working trees has taken it in both', async () => {
  const folder = projectWith(PLAN);
  const git = (...args: readonly string[]): void => {
    const who = ['-c', 'user.email=a@b', '-c', 'user.name=a'];
    execFileSync('git', [...who, ...args], { cwd: folder });
  };
  git('init', '-q');
  git('add', 'interlock.yaml');
  git('commit', '-qm', 'a plan');
  const other = path.join(temporaryFolder(), 'other');
  git('worktree', 'add', '-q', other);
  const state = { INTERLOCK_STATE_DIR: path.join(folder, '.state') };
  for (const tree of [folder, other])
    expect(await cli(['own', 'src/a', '--as', 'robin'], tree, state)).toMatchObject({ code: 0 });
  for (const tree of [folder, other])
    expect(await cli(['own', '--free', '--as', 'robin'], tree, state)).toMatchObject({
      code: 0,
      out: 'Let go of src/a.\n',
    });
});

test('wrong words are refused with a sentence', async () => {
  const folder = projectWith(PLAN);
  const refusals = await Promise.all(
    [
      ['own', '--as', 'robin'],
      ['own', 'src/x'],
      ['own', '../x', '--as', 'robin'],
      ['own', 'src/x', '--as', 'robin', '--for', 'ever'],
      ['own', 'src/x', '--as', 'robin', '--free', '--for', '1m'],
      ['own', '--free', '--as', 'nobody'],
    ].map(async (args) => {
      const { code, err } = await cli(args, folder);
      return `${code}: ${err.split('\n')[0]}`;
    }),
  );
  expect(refusals).toEqual([
    '2: Name paths or patterns: interlock own PATH… --as NAME',
    '2: Say who you are: --as NAME',
    '2: "../x": A path cannot leave the workspace folder with "..".',
    '2: --for takes a duration such as 30s, 5m or 1h30m, not "ever".',
    '2: --free and --for say opposite things. Leave out one of the two.',
    '4: person/nobody has taken nothing of that.',
  ]);
});

test('a file is taken by what it really is, whatever links lead to it', async () => {
  const folder = projectWith(
    'tasks:\n  page: { run: "true", writes: [link/x] }\n  other: { run: "true", writes: [file] }\n',
  );
  mkdirSync(path.join(folder, 'docs'));
  symlinkSync('docs', path.join(folder, 'link'));
  symlinkSync('docs/x', path.join(folder, 'file'));
  expect(await cli(['own', 'docs/x', '--as', 'robin'], folder)).toMatchObject({ code: 0 });
  for (const name of ['link/x', 'file', 'link/**', 'docs/x'])
    expect(await cli(['own', name, '--as', 'eve'], folder)).toMatchObject({
      code: 4,
      err: expect.stringContaining('Taken already: person/robin has docs/x'),
    });
  symlinkSync('/etc', path.join(folder, 'out'));
  expect(await cli(['own', 'out/x', '--as', 'eve'], folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('leads out of the folder'),
  });
  const run = startCli(['run'], folder);
  await run.says('page: waits for robin, who has taken docs/x');
  await run.says('other: waits for robin, who has taken docs/x');
  expect(await cli(['own', '--free', 'link/x', '--as', 'robin'], folder)).toMatchObject({
    code: 0,
    out: 'Let go of docs/x.\n',
  });
  expect((await run.ended).code).toBe(0);
});
