import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, ROOT, startCli } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A copy of a board that has every key of kanban-md. */
function realBoard(): string {
  const folder = temporaryFolder();
  cpSync(path.join(ROOT, 'test', 'fixtures', 'kanban'), path.join(folder, 'kanban'), {
    recursive: true,
  });
  return folder;
}

function filesOf(folder: string): ReadonlyMap<string, string> {
  const tasks = path.join(folder, 'kanban', 'tasks');
  return new Map(
    readdirSync(tasks).map((name) => [name, readFileSync(path.join(tasks, name), 'utf8')]),
  );
}

const NOW = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** The lines that went and came, with `NOW` for the time. */
function diff(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...before].flatMap(([name, text]) => {
    const [old, now] = [text.split('\n'), (after.get(name) ?? '').split('\n')];
    const gone = old.filter((line) => !now.includes(line)).map((line) => `${name} -${line}`);
    const came = now
      .filter((line) => !old.includes(line))
      .map((line) => `${name} +${line.replaceAll(NOW, 'NOW')}`);
    return [...gone, ...came];
  });
}

test('a board of kanban-md is checked, claimed from and completed, and only what changed is written', async () => {
  const folder = realBoard();
  const before = filesOf(folder);
  expect(await cli(['check'], folder)).toMatchObject({ code: 0, out: '' });
  const run = startCli(['run', '2'], folder);
  await run.says('2: waits for anybody: interlock claim 2 --as NAME');
  expect((await cli(['ready'], folder)).out).toBe('2  for anyone  Users endpoint: list and page\n');
  const claimed = await cli(['claim', '2', '--as', 'alice', '--json'], folder);
  expect(claimed.code).toBe(0);
  await expect
    .poll(() => filesOf(folder).get('002-users-endpoint.md'))
    .toContain('claimed_by: alice');
  expect(diff(before, filesOf(folder))).toStrictEqual([
    '002-users-endpoint.md -status: todo   # was backlog',
    '002-users-endpoint.md -updated: 2026-01-18T11:00:00Z',
    '002-users-endpoint.md +status: in-progress   # was backlog',
    '002-users-endpoint.md +updated: NOW',
    '002-users-endpoint.md +claimed_by: alice',
    '002-users-endpoint.md +claimed_at: NOW',
  ]);
  const { term }: { term: number } = JSON.parse(claimed.out);
  expect(await cli(['done', '2', '--term', String(term), '--as', 'alice'], folder)).toMatchObject({
    code: 0,
  });
  expect((await run.ended).code).toBe(0);
  expect(diff(before, filesOf(folder))).toStrictEqual([
    '002-users-endpoint.md -status: todo   # was backlog',
    '002-users-endpoint.md -updated: 2026-01-18T11:00:00Z',
    '002-users-endpoint.md +status: done   # was backlog',
    '002-users-endpoint.md +updated: NOW',
    '002-users-endpoint.md +completed: NOW',
  ]);
  expect((await cli(['status'], folder)).out).toMatch(/^1 +completed +done$/m);
});

test('a task that its file says is claimed is taken by that worker, and by no other', async () => {
  const folder = realBoard();
  writeFileSync(
    path.join(folder, 'kanban', 'tasks', '901-mine.md'),
    '---\nid: 901\ntitle: Mine\nstatus: todo\nclaimed_by: alice\n---\n',
  );
  const other = await cli(['claim', '901', '--as', 'bob'], folder);
  expect([other.code, other.out]).toStrictEqual([4, '']);
  const own = await cli(['claim', '901', '--as', 'alice', '--json'], folder);
  expect([own.code, JSON.parse(own.out)]).toMatchObject([
    0,
    { task: '901', worker: 'agent/alice' },
  ]);
});

function cardWith(more: string): string {
  return `---\nid: 901\ntitle: Mine\nstatus: todo\n${more}---\n`;
}

test('a task that is claimed in its file after its run began is left to that worker', async () => {
  const folder = realBoard();
  const file = path.join(folder, 'kanban', 'tasks', '901-mine.md');
  writeFileSync(file, cardWith(''));
  const run = startCli(['run', '901'], folder);
  await run.says('901: waits for anybody');
  writeFileSync(file, cardWith('claimed_by: alice\n'));
  const named = await cli(['claim', '901', '--as', 'bob'], folder);
  expect([named.code, named.out]).toStrictEqual([4, '']);
  expect(named.err).toContain('"901" cannot start. "alice" has claimed it in its file.');
  const any = await cli(['claim', '--as', 'bob'], folder);
  expect([any.code, any.err]).toStrictEqual([4, 'There is nothing to claim for agent/bob now.\n']);
  const own = await cli(['claim', '--as', 'alice', '--json'], folder);
  expect(JSON.parse(own.out)).toMatchObject({ task: '901', worker: 'agent/alice' });
});

test('a task that a worker has released can be claimed at once, whatever its file says still', async () => {
  const folder = realBoard();
  const file = path.join(folder, 'kanban', 'tasks', '901-mine.md');
  writeFileSync(file, '---\nid: 901\ntitle: Mine\nstatus: todo\n---\n');
  const run = startCli(['run', '901'], folder);
  await run.says('901: waits for anybody');
  const claimed = await cli(['claim', '901', '--as', 'alice', '--json'], folder);
  const { term }: { term: number } = JSON.parse(claimed.out);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('claimed_by: alice');
  const before = readFileSync(file, 'utf8');
  await cli(['release', '901', '--term', String(term), '--as', 'alice'], folder);
  await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('claimed_by');
  // As it was in the moment after the release.
  writeFileSync(file, before);
  expect((await cli(['claim', '--as', 'bob'], folder)).code).toBe(0);
});

test('a board is found from inside of it, and one of its files can be checked', async () => {
  const folder = realBoard();
  const tasks = path.join(folder, 'kanban', 'tasks');
  mkdirSync(path.join(folder, '.git'));
  const inside = await cli(['check', '--json'], tasks);
  expect([inside.code, JSON.parse(inside.out)]).toMatchObject([
    0,
    { plans: ['kanban/config.yml'] },
  ]);
  expect(await cli(['check', path.join(tasks, '002-users-endpoint.md')], folder)).toMatchObject({
    code: 0,
  });
  const other = await cli(['check', path.join(tasks, 'gone.md')], folder);
  expect([other.code, other.err]).toStrictEqual([
    2,
    expect.stringContaining('a board of kanban-md'),
  ]);
});

test('what is written into the files of a board is no writing of its tasks', async () => {
  const folder = realBoard();
  execFileSync('git', ['init', '-q'], { cwd: folder });
  for (const number of [901, 902])
    writeFileSync(
      path.join(folder, 'kanban', 'tasks', `${number}-x.md`),
      `---\nid: ${number}\ntitle: x\nstatus: todo\nwrites: [src/${number}]\nrun: sleep 0.${number}\n---\n`,
    );
  const { out, err } = await cli(['run', '901', '902'], folder);
  expect(out).toContain('2 completed');
  expect(err).not.toContain('wr');
});
