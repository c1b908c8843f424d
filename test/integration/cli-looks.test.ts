import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { cli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';

const PLAN = `tasks:
  a: { run: "echo of a", env: { SECRET: hush-hush } }
  b: { run: "echo of b; exit 4", depends_on: [a] }
  c: { run: "true", depends_on: [b] }
`;

test('runs lists the newest first, with what became of them', async () => {
  const folder = projectWith(PLAN);
  expect(await cli(['runs'], folder)).toMatchObject({
    out: '',
    err: 'There has been no run yet.\n',
  });
  await cli(['run', 'a'], folder);
  await cli(['run'], folder);
  const { out } = await cli(['runs'], folder);
  expect(out.replaceAll(/^\S+ +[\d:]+ /gm, 'R ').replaceAll(/, [\d.]+ m?s /g, ', N ')).toBe(
    'R  failed: 1 completed, 1 failed, 1 skipped, N  interlock.yaml\n' +
      'R  completed: 1 completed, N  interlock.yaml (a)\n',
  );
  const { runs } = JSON.parse((await cli(['runs', '--limit', '1', '--json'], folder)).out);
  expect(runs).toMatchObject([{ status: 'finished', outcome: 'failed', plan: 'interlock.yaml' }]);
});

test('timeline tells what happened, by whom and under which term', async () => {
  const folder = projectWith(PLAN);
  expect((await cli(['timeline'], folder)).code).toBe(4);
  await cli(['run'], folder);
  const { code, out } = await cli(['timeline'], folder);
  const lines = out.replaceAll(/^\d\d:\d\d:\d\d {2}/gm, '').replaceAll(/process \d+/g, 'process P');
  expect([code, lines.split('\n').slice(1)]).toEqual([
    0,
    [
      'asked for by command line: 3 tasks of interlock.yaml',
      'a: claimed by runner/local (term 1)',
      'a: started (term 1, process P)',
      'a: completed (term 1)',
      'b: claimed by runner/local (term 2)',
      'b: started (term 2, process P)',
      'b: failed: exit code 4 (term 2)',
      'c: skipped, because b did not complete',
      'ended: failed',
      '',
    ],
  ]);
  const { run, events } = JSON.parse((await cli(['timeline', '--json'], folder)).out);
  expect(events.at(-1)).toMatchObject({ event: { kind: 'runFinished', run, outcome: 'failed' } });
  expect((await cli(['timeline', run], folder)).out).toBe(out);
  expect((await cli(['timeline', 'none-such'], folder)).code).toBe(2);
});

test('timeline and graph draw files that need no other, whatever titles say', async () => {
  const hostile = PLAN.replace(
    '{ run: "echo of a"',
    '{ title: "</title><script>x()</script>", run: "echo of a"',
  );
  const folder = projectWith(hostile);
  await cli(['run'], folder);
  for (const command of ['timeline', 'graph']) {
    const { code, out } = await cli([command, '--svg', 'picture.svg', '--json'], folder);
    const { file, bytes } = JSON.parse(out);
    const svg = readFileSync(file, 'utf8');
    expect([code, Buffer.byteLength(svg)]).toEqual([0, bytes]);
    expect(svg).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg xmlns=/);
    expect(svg).not.toMatch(/<script|href|url\(/);
    expect((await cli([command, '--svg', '-'], folder)).out).toMatch(/<\/svg>\n$/);
    expect((await cli([command, '--svg', 'no/such/folder.svg'], folder)).code).toBe(2);
  }
  expect((await cli(['graph'], folder)).out).toBe('a\nb: needs a\nc: needs b\n');
  expect((await cli(['graph', 'nowhere'], folder)).code).toBe(2);
});

test('why answers for tasks that have ended, were never asked for, or do not exist', async () => {
  const folder = projectWith(`${PLAN}  d: { run: x, depends_on: [gone] }\n`);
  expect((await cli(['why', 'a'], folder)).out).toBe(
    '"a" has not been asked for: interlock run a\n',
  );
  await cli(['run'], folder);
  expect((await cli(['why', 'b'], folder)).out).toMatch(
    /^"b" has ended: failed \(exit code 4 after [\d.]+ m?s\)\.\n$/,
  );
  expect((await cli(['why', 'd'], folder)).out).toContain('There is no task "gone" in this plan.');
  expect(await cli(['why', 'e'], folder)).toMatchObject({
    code: 2,
    err: 'There is no task "e". Tasks here: a, b, c, d.\n',
  });
  const { out } = await cli(['why', 'c', '--json'], folder);
  expect(JSON.parse(out)).toMatchObject({ task: 'c', state: 'skipped', blockers: [] });
});

test('log prints an attempt byte for byte, and one of another run by its id', async () => {
  const folder = projectWith(PLAN);
  await cli(['run', 'a', '--json'], folder);
  const { runs } = JSON.parse((await cli(['runs', '--json'], folder)).out);
  await cli(['run'], folder);
  expect((await cli(['log', 'b'], folder)).out).toBe('of b\n');
  expect((await cli(['log', 'a', '--run', runs[0].id], folder)).out).toBe('of a\n');
  expect((await cli(['log', 'b', '--run', runs[0].id], folder)).code).toBe(4);
  expect((await cli(['log', 'b', '--attempt', '9'], folder)).err).toBe(
    '"b" has no output of attempt 9.\n',
  );
  const { out } = await cli(['log', 'b', '--json'], folder);
  expect(JSON.parse(out)).toMatchObject({ task: 'b', attempt: 1, text: 'of b' });
});

test('log without a name is of what failed last, and --tail is its end', async () => {
  const folder = projectWith(
    'tasks:\n  a: { run: "true" }\n  b: { run: "seq 3; exit 4", after: [a] }\n  c: { run: "echo of c", after: [b] }\n',
  );
  expect(await cli(['log'], folder)).toMatchObject({ code: 4, err: 'No task has run yet.\n' });
  await cli(['run'], folder);
  const { code, out, err } = await cli(['log'], folder);
  expect([code, out, err]).toEqual([0, '1\n2\n3\n', expect.stringMatching(/^b, run \S+:\n$/)]);
  expect((await cli(['log', 'b', '--tail', '2'], folder)).out).toBe('2\n3\n');
  const { out: json } = await cli(['log', '--tail', '1', '--json'], folder);
  expect(JSON.parse(json)).toMatchObject({ task: 'b', text: '3' });
  expect((await cli(['log', '--tail', '1', '-f'], folder)).code).toBe(2);
  await cli(['run', 'a'], folder);
  expect((await cli(['log'], folder)).err).toMatch(/^a, run /);
});

test('export is one file with everything but secrets, for this user only', async () => {
  const folder = projectWith(PLAN);
  await cli(['run'], folder);
  const { out } = await cli(['export'], folder);
  expect(out).not.toContain('hush-hush');
  expect(out).toContain('echo of b');
  const bundle = JSON.parse(out);
  expect(bundle).toMatchObject({
    format: 'interlock-bundle',
    formatVersion: 1,
    versions: { interlock: expect.any(String), node: process.versions.node },
    rules: { foldCase: expect.any(Boolean) },
  });
  expect(bundle.entries).toHaveLength(bundle.revision);
  const { code, out: said } = await cli(['export', 'b.json.gz', '--redact', '--json'], folder);
  expect([code, JSON.parse(said)]).toMatchObject([0, { file: path.join(folder, 'b.json.gz') }]);
  const file = path.join(folder, 'b.json.gz');
  const text = gunzipSync(readFileSync(file)).toString();
  expect(text).not.toMatch(/hush-hush|echo of/);
  expect(JSON.parse(text).entries).toHaveLength(bundle.revision);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect((await cli(['export', 'no/such/folder.json'], folder)).code).toBe(2);
});

test('every command that looks prints one JSON document, before a run and after it', async () => {
  const folder = projectWith(PLAN);
  const looks = [
    'check',
    'status',
    'ready',
    'why a',
    'runs',
    'timeline',
    'graph',
    'log a',
    'where',
    'export',
  ];
  const documents = async (): Promise<readonly string[]> =>
    await Promise.all(
      looks.map(async (words) => {
        const { code, out } = await cli([...words.split(' '), '--json'], folder);
        return `${words} ${code}: ${Object.keys(JSON.parse(out)).slice(0, 3).join()}`;
      }),
    );
  expect(await documents()).toEqual([
    'check 0: plans,problems',
    'status 0: board,runs,tasks',
    'ready 0: tasks',
    'why a 0: task,plan,state',
    'runs 0: runs',
    'timeline 4: refused',
    'graph 0: folderUri,plan,width',
    'log a 4: refused',
    'where 0: state,database,socket',
    'export 0: format,formatVersion,versions',
  ]);
  await cli(['run'], folder);
  expect((await documents()).filter((line) => !line.includes(' 0: '))).toEqual([]);
});

test('where names every file that people ask for', async () => {
  const folder = projectWith(PLAN);
  const { out } = await cli(['where', '--json'], folder);
  const { state, database, logs, socket } = JSON.parse(out);
  expect([database, logs, socket]).toEqual([
    path.join(state, 'board.db'),
    path.join(state, 'runs'),
    expect.stringContaining('/'),
  ]);
  const lines = (await cli(['where'], folder)).out.trim().split('\n');
  expect(lines.map((line) => line.split(/ +/)[1])).toEqual([state, database, socket, logs]);
});
