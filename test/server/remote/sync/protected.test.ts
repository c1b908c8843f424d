import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localLink } from '../../../../server/remote/local-link.ts';
import { limited } from './link-wrappers.ts';
import { filesIn, SyncBench } from './sync-bench.ts';

const HOSTILE = [
  'line\nbreak',
  '-rf',
  '--upload-pack=touch pwned',
  "it's",
  'double "quotes"',
  '$(touch pwned)',
  '`touch pwned`',
  '#(touch pwned)',
  'ünïcødé ☃',
  'tab\there',
  'back\\slash',
  '*',
  '[a]?',
  '!not',
  ':(top)x',
  'trailing ',
  '~',
  '"quoted"',
  '\u001B[31mred',
  '%s%n',
];

test('names are taken as they are, whatever a shell, git or tmux would make of them', async () => {
  const bench = new SyncBench();
  bench.commit({ '.gitignore': 'out/\n' });
  bench.write(Object.fromEntries(HOSTILE.map((name) => [name, `in ${name}`])));
  const folder = await bench.prepare();
  expect(filesIn(folder)).toEqual(filesIn(bench.tree));

  bench.write(Object.fromEntries(HOSTILE.map((name) => [`out/${name}/${name}`, name])), folder);
  bench.write(Object.fromEntries(HOSTILE.map((name) => [name, `out ${name}`])), folder);
  const notices = await bench.collect({ outputs: ['out/**'] });
  expect(notices).toHaveLength(1);
  for (const name of HOSTILE) {
    expect(filesIn(bench.tree)[`out/${name}/${name}`]).toBe(name);
    expect(bench.git('show', `interlock/api/1:${name}`)).toBe(`out ${name}`.trimEnd());
  }
  const everywhere = Object.keys(filesIn(bench.root)).filter((name) => name.endsWith('/pwned'));
  expect(everywhere).toEqual([]);
});

test('a name that is no text is sent, and comes back on the branch', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const name = Buffer.from([0x66, 0xff, 0xfe]);
  await writeFile(Buffer.concat([Buffer.from(`${bench.tree}/`), name]), 'bytes');
  const folder = await bench.prepare();
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), name]), 'others');
  await bench.collect({ outputs: ['**'] });
  const [hash = ''] = bench.git('ls-tree', 'interlock/api/1', '--', '.').split('\n').slice(-1);
  expect(bench.git('cat-file', 'blob', hash.split(/\s/)[2]!)).toBe('others');
});

test('nothing that the repository or a user has set runs here or there', async () => {
  const bench = new SyncBench();
  const ran = path.join(bench.root, 'ran');
  const program = path.join(bench.root, 'program');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >>${ran}\ncat\n`);
  chmodSync(program, 0o755);
  bench.commit({ 'a.txt': 'a', '.gitattributes': '* filter=evil diff=evil\n' });
  for (const home of [bench.env.HOME, bench.homeThere])
    bench.write({ '.gitconfig': settingsThatRun(program) }, home);
  bench.write({
    '.git/config': `[core]\n\trepositoryformatversion = 0\n${settingsThatRun(program)}`,
  });
  for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change', 'pre-commit'])
    symlinkSync(program, path.join(bench.tree, '.git', 'hooks', hook));
  bench.write({ 'a.txt': 'changed', 'b.txt': 'b' });

  const folder = await bench.prepare();
  expect(filesIn(folder)).toEqual(filesIn(bench.tree));
  bench.write({ 'a.txt': 'there', 'c.txt': 'there' }, folder);
  await bench.collect({ outputs: ['c.txt'] });
  expect(filesIn(bench.tree)['c.txt']).toBe('there');
  expect(existsSync(ran)).toBe(false);
  expect(() => bench.git('status')).toThrow('evil');
  expect(existsSync(ran)).toBe(true);
});

function settingsThatRun(program: string): string {
  return `[core]
	fsmonitor = ${program}
	hooksPath = ${path.dirname(program)}
	sshCommand = ${program}
	askPass = ${program}
[filter "evil"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[uploadpack]
	packObjectsHook = ${program}
[credential]
	helper = !${program}
[init]
	templateDir = ${path.dirname(program)}
[diff "evil"]
	textconv = ${program}
	command = ${program}
`;
}

test('a file that has changed here is not overwritten', async () => {
  const bench = new SyncBench();
  bench.commit({ 'kept.txt': 'sent', 'mine.txt': 'sent', 'same.txt': 'sent' });
  const folder = await bench.prepare();
  const made = { 'kept.txt': 'made', 'mine.txt': 'made', 'same.txt': 'made', 'new.txt': 'made' };
  bench.write(made, folder);
  bench.write({ 'mine.txt': 'mine', 'same.txt': 'made', 'new.txt': 'mine' });
  const collected = await bench.collect({ outputs: ['*.txt'] });
  expect(collected).toEqual([
    `Not put here: mine.txt and 1 more, which api has made on build-1, because the file here has changed meanwhile. It is in ${bench.keptFolder}/outputs.`,
  ]);
  expect(filesIn(bench.tree)).toEqual({ ...made, 'mine.txt': 'mine', 'new.txt': 'mine' });
  expect(filesIn(bench.keptFolder)).toEqual({
    'outputs/mine.txt': 'made',
    'outputs/new.txt': 'made',
  });
  expect(await bench.collect({ outputs: ['*.txt'] })).toEqual(collected);
});

test('what was put there before is replaced by what comes later', async () => {
  const bench = new SyncBench();
  bench.commit({ '.gitignore': 'out' });
  for (const term of [1, 2, 3]) {
    bench.reopen();
    const folder = await bench.prepare(term);
    bench.write({ out: `made ${term}` }, folder);
    expect(await bench.collect({ term, outputs: ['out'] })).toEqual([]);
    expect(filesIn(bench.tree)['out']).toBe(`made ${term}`);
  }
  bench.write({ out: 'mine' });
  bench.write({ out: 'made 4' }, await bench.prepare(4));
  expect(await bench.collect({ term: 4, outputs: ['out'] })).toHaveLength(1);
  expect(filesIn(bench.tree)['out']).toBe('mine');
});

test('nothing is written through links, and no link leads out', async () => {
  const bench = new SyncBench();
  bench.commit({ '.gitignore': 'out\ndist\n', 'a.txt': 'a' });
  const outside = path.join(bench.root, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, path.join(bench.tree, 'dist'));
  const folder = await bench.prepare();
  bench.write({ 'dist/x': 'x' }, folder);
  mkdirSync(path.join(folder, 'out'));
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, path.join(folder, name));
  const notices = await bench.collect({ outputs: ['dist/**', 'out/**'] });
  expect(notices).toHaveLength(1);
  expect(filesIn(outside)).toEqual({});
  expect(filesIn(bench.tree)).toEqual({
    '.gitignore': 'out\ndist\n',
    'a.txt': 'a',
    dist: `-> ${outside}`,
    'out/inside': '-> ../a.txt',
  });
});

const LINKS = {
  'out/inside': '../a.txt',
  'out/absolute': '/etc/passwd',
  'out/above': '../../outside',
};

test('nothing here makes room for what comes', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const folder = await bench.prepare();
  bench.write({ 'out/x': 'made', file: 'made' }, folder);
  bench.write({ out: 'mine', 'file/y': 'mine' });
  expect(await bench.collect({ outputs: ['out/**', 'file'] })).toHaveLength(1);
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'a', out: 'mine', 'file/y': 'mine' });
  expect(filesIn(bench.keptFolder)).toEqual({ 'outputs/file': 'made', 'outputs/out/x': 'made' });
});

test('a branch of that name that is not ours is not touched', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  bench.git('branch', 'interlock/api/1');
  const before = bench.git('rev-parse', 'interlock/api/1');
  bench.write({ 'a.txt': 'b' }, await bench.prepare());
  const notices = await bench.collect();
  expect(notices).toEqual([
    expect.stringMatching(/^There is a branch interlock\/api\/1 already that is not of this/),
  ]);
  expect(bench.git('rev-parse', 'interlock/api/1')).toBe(before);
});

test('a folder of that name that is not ours is not touched', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const word = path.basename(bench.trees);
  bench.write({ 'mine.txt': 'mine' }, bench.trees);
  expect(await bench.refusal()).toBe(
    `The files of the task did not get to build-1: ~/code/shop--interlock/${word} there is not ours; move it away.`,
  );
  expect(filesIn(bench.homeThere)).toEqual({ [`code/shop--interlock/${word}/mine.txt`]: 'mine' });

  await rm(bench.trees, { recursive: true });
  const elsewhere = path.join(bench.root, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, bench.trees);
  expect(await bench.refusal()).toContain('is not ours');
  expect(filesIn(elsewhere)).toEqual({});
});

test('trees are removed when nobody needs them, and nothing else is', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  const outside = path.join(bench.root, 'outside');
  bench.write({ precious: 'p' }, outside);
  for (const term of [1, 2, 3]) await bench.prepare(term);
  symlinkSync(outside, path.join(bench.trees, 't', '1', 'link'));
  mkdirSync(path.join(bench.trees, 't', '1', 'locked'));
  await writeFile(path.join(bench.trees, 't', '1', 'locked', 'x'), 'x');
  chmodSync(path.join(bench.trees, 't', '1', 'locked'), 0o500);
  symlinkSync(outside, path.join(bench.trees, 't', '9'));
  expect(await bench.sync.terms(bench.place)).toEqual([1, 2, 3, 9]);

  await bench.sync.discard(bench.place, [1, 3, 9]);

  expect(await bench.sync.terms(bench.place)).toEqual([2]);
  expect(filesIn(outside)).toEqual({ precious: 'p' });
  bench.gitIn(path.join(bench.trees, 't', '2'), 'status');
  expect(filesIn(await bench.prepare(4))).toEqual({ 'a.txt': 'a' });
});

test('a tree whose task has ended is removed a day later, whoever was to remove it', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  for (const term of [1, 2, 3]) await bench.prepare(term);
  await bench.collect({ term: 1 });
  await bench.collect({ term: 2 });
  const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
  for (const name of ['1.back', '1.ready', '3.ready'])
    utimesSync(path.join(bench.trees, 't', name), dayAgo, dayAgo);
  bench.reopen();
  await bench.prepare(4);
  expect(await bench.sync.terms(bench.place)).toEqual([2, 3, 4]);
});

test('what somebody else has where trees would be is nobody’s to look at or to remove', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  bench.write({ 'theirs.txt': 'theirs' }, bench.trees);
  await bench.refusal();
  expect(await bench.sync.terms(bench.place)).toEqual([]);
  await bench.sync.discard(bench.place, [1]);
  expect(filesIn(bench.trees)).toEqual({ 'theirs.txt': 'theirs' });
});

test('a machine without git says so', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'a' });
  bench.link = localLink({ HOME: bench.homeThere, PATH: bench.root });
  expect(await bench.refusal()).toBe(
    'The files of the task did not get to build-1: it has no git; install it, or set "sync" to "none".',
  );
  expect(await bench.sync.terms(bench.place)).toEqual([]);
  await bench.sync.discard(bench.place, [1]);
});

test('a file that is saved while others are brought home is not overwritten', async () => {
  const bench = new SyncBench();
  bench.commit({ 'a.txt': 'sent', 'b.txt': 'sent' });
  bench.write({ 'a.txt': 'made', 'b.txt': 'made' }, await bench.prepare());
  const programs = path.join(bench.root, 'programs');
  const git = `#!/bin/sh
PATH=\${PATH#*:}; git "$@" || exit
case " $* " in *' --stdin-paths '*) printf mine >'${bench.tree}/b.txt'; printf mine >'${bench.tree}/c.txt' ;; esac`;
  bench.write({ git }, programs);
  chmodSync(path.join(programs, 'git'), 0o755);
  Object.assign(bench.env, { PATH: `${programs}:${process.env['PATH']}` });
  bench.reopen();
  expect(await bench.collect({ outputs: ['*.txt'] })).toEqual([
    `Not put here: b.txt, which api has made on build-1, because the file here has changed meanwhile. It is in ${bench.keptFolder}/outputs.`,
  ]);
  expect(filesIn(bench.tree)).toEqual({ 'a.txt': 'made', 'b.txt': 'mine', 'c.txt': 'mine' });
});

test('a full disk leaves nothing half, and runs nothing that was sent', async () => {
  const bench = new SyncBench();
  const program = `touch ${bench.root}/pwned\n`;
  bench.commit({ 'a.txt': program.repeat(100_000) });
  bench.git('config', 'core.compression', '0');
  const whole = bench.link;
  bench.link = limited(whole, 100);
  expect(await bench.refusal()).toMatch(/did not get to build-1: /);
  expect(existsSync(path.join(bench.root, 'pwned'))).toBe(false);
  expect(filesIn(path.join(bench.trees, 't'))).toEqual({});
  bench.reopen();
  bench.link = whole;
  expect(filesIn(await bench.prepare())).toEqual(filesIn(bench.tree));
});
