import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cli, SERVER, startCli } from '../support/command.ts';
import { projectWith } from '../support/project.ts';
import { stdioClient } from '../support/stdio-client.ts';
import { untilFile } from '../support/until-file.ts';

const LITERAL = { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } };

/** Goes on until the test says so, or is over. */
const untilGo = (go: string): string =>
  `until test -e ${go} || test ! -e interlock.yaml; do sleep 0.02; done`;

/** A repository with a plan in it; what is ignored is nobody's. */
function repositoryWith(plan: string): string {
  const folder = projectWith(plan);
  writeFileSync(path.join(folder, '.gitignore'), 'out/\ngo*\nbegan*\n');
  for (const name of ['src/a', 'src/b', 'out'])
    mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'src/a/in'), 'before\n');
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', ...args], {
      cwd: folder,
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'all');
  return folder;
}

async function statusOf(folder: string): Promise<readonly Record<string, unknown>[]> {
  const { out } = await cli(['status', '--json'], folder);
  return JSON.parse(out).tasks;
}

test('a short task that writes what it did not declare is named by every command that looks', async () => {
  const folder = repositoryWith(
    'tasks:\n  a: { run: "echo x > src/b/x; echo y > src/a/y; echo z > out/z", writes: [src/a/**] }\n',
  );
  const { code, err } = await cli(['run'], folder);
  expect([code, err]).toEqual([
    0,
    'a: src/b/x changed while it was running, which its "writes" leaves out\n',
  ]);
  expect(await statusOf(folder)).toMatchObject([{ id: 'a', undeclared: ['src/b/x'] }]);
  const why = await cli(['why', 'a'], folder);
  expect(why.out).toContain(
    'src/b/x changed while "a" was running, which its "writes" leaves out.\n',
  );
  const timeline = await cli(['timeline'], folder);
  expect(timeline.out).toMatch(
    /a: src\/b\/x changed while it was running, which its "writes" leaves out \(term 1\)$/m,
  );
});

test('a task that begins after something was written is not named for it', async () => {
  const folder = repositoryWith(
    `tasks:
  a: { run: "echo x > first; ${untilGo('second')}", writes: [src/a/**] }
  b: { run: "true", writes: [src/a/**] }
`,
  );
  const run = startCli(['run'], folder);
  // From then on the tree is watched.
  await run.says('a: first changed while it was running');
  writeFileSync(path.join(folder, 'second'), '');
  const { code, err } = await run.ended;
  const named = err.split('\n').filter((line) => line.includes('second'));
  expect([code, named]).toEqual([
    0,
    ['a: second changed while it was running, which its "writes" leaves out'],
  ]);
});

test('an editor shows it within a second of the writing, in the plan and in the file', async () => {
  const folder = repositoryWith(
    `tasks:\n  a: { run: "${untilGo('go')}; echo x > src/b/x; touch began; ${untilGo('go2')}", writes: [src/a/**] }\n`,
  );
  const client = stdioClient(SERVER, { INTERLOCK_STATE_DIR: path.join(folder, '.state') });
  await client.start(folder, { capabilities: { textDocument: { codeAction: LITERAL } } });
  await client.run(folder, ['a']);
  await client.until(() => client.view('a')?.state === 'running');
  writeFileSync(path.join(folder, 'go'), '');
  await untilFile(path.join(folder, 'src/b/x'), 'x');
  const writtenAt = performance.now();
  const uri = (file: string): string => pathToFileURL(path.join(folder, file)).href;
  const seen = (file: string): boolean =>
    client.diagnostics.get(uri(file))?.some((each) => each.code === 'undeclared-write') === true;
  await client.until(() => seen('interlock.yaml') && seen('src/b/x'));
  expect(performance.now() - writtenAt).toBeLessThan(1000);
  const [problem] = client.diagnostics.get(uri('interlock.yaml')) ?? [];
  expect(problem).toMatchObject({
    severity: 2,
    message: expect.stringMatching(/^src\/b\/x changed while "a" was running\./),
    relatedInformation: [{ location: { uri: uri('src/b/x') } }],
  });
  const line = readFileSync(path.join(folder, 'interlock.yaml'), 'utf8').split('\n')[1]!;
  const { start, end } = problem!.range;
  expect([start.line, line.slice(start.character, end.character)]).toEqual([1, 'src/a/**']);
  expect(client.diagnostics.get(uri('src/b/x'))).toMatchObject([
    {
      severity: 2,
      range: { start: { line: 0 } },
      message: 'This file changed while task "a" was running, and its "writes" leaves it out.',
    },
  ]);
  const textDocument = { uri: uri('interlock.yaml') };
  const asked = { textDocument, range: { start, end: start }, context: { diagnostics: [] } };
  expect(await client.connection.sendRequest('textDocument/codeAction', asked)).toMatchObject([
    {
      title: 'Add "src/b/x" to the writes of "a"',
      edit: { changes: { [textDocument.uri]: [{ range: { start: end }, newText: ', src/b/x' }] } },
    },
  ]);
  const mended = readFileSync(path.join(folder, 'interlock.yaml'), 'utf8').replace(
    '[src/a/**]',
    '[src/**]',
  );
  await client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: uri('interlock.yaml'), languageId: 'interlock', version: 1, text: mended },
  });
  await client.until(() => !seen('interlock.yaml') && !seen('src/b/x'));
  writeFileSync(path.join(folder, 'go2'), '');
  await client.until(() => client.view('a')?.state === 'completed');
});

test('of two tasks at work nobody is blamed alone, and an input that changes is stale', async () => {
  const folder = repositoryWith(
    `tasks:
  a: { run: "${untilGo('go')}; echo after > src/a/in; echo x > src/c; ${untilGo('go2')}", writes: [src/a/**] }
  r: { run: "touch began; ${untilGo('go2')}", reads: [src/a/**] }
`,
  );
  const run = startCli(['run'], folder);
  await run.says('a: running');
  await untilFile(path.join(folder, 'began'), '');
  writeFileSync(path.join(folder, 'go'), '');
  await run.says('read src/a/in that changed after it began');
  await run.says('r: src/c changed while it was running');
  writeFileSync(path.join(folder, 'go2'), '');
  expect((await run.ended).code).toBe(0);
  expect(await statusOf(folder)).toMatchObject([
    { id: 'a', unclear: ['src/c'] },
    { id: 'r', unclear: ['src/c'], stale: ['src/a/in'] },
  ]);
  const { out } = await cli(['timeline'], folder);
  expect(out).toContain(
    'src/c changed while "a", "r" were running, and none of them declares that',
  );
});

test('what is written after whoever decided was killed is found by the next one', async () => {
  const folder = repositoryWith(
    `tasks:\n  a: { run: "${untilGo('go')}; echo x > src/b/x; touch began; ${untilGo('go2')}", writes: [src/a/**] }\n`,
  );
  const first = startCli(['run'], folder);
  await first.says('a: running');
  first.child.kill('SIGKILL');
  await first.ended;
  writeFileSync(path.join(folder, 'go'), '');
  await untilFile(path.join(folder, 'src/b/x'), 'x');
  const second = startCli(['run'], folder);
  await second.says('a: src/b/x changed while it was running');
  writeFileSync(path.join(folder, 'go2'), '');
  expect((await second.ended).code).toBe(0);
});

test('what a person saves is never blamed on the one task at work, however soon they close the file', async () => {
  const folder = repositoryWith(
    `tasks:\n  a: { run: "until test -e go; do sleep 0.02; done; echo x > src/b/last; ${untilGo('go2')}", writes: [src/a/**] }\n`,
  );
  const client = stdioClient(SERVER, { INTERLOCK_STATE_DIR: path.join(folder, '.state') });
  await client.start(folder);
  await client.run(folder, ['a']);
  await client.until(() => client.view('a')?.state === 'running');
  const { connection } = client;
  const uri = (file: string): string => pathToFileURL(path.join(folder, file)).href;
  const files = ['typed', 'fresh', 'untouched'].map((name) => `src/b/${name}`);
  for (const file of files) {
    const textDocument = { uri: uri(file), languageId: 'plaintext', version: 1, text: '' };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
  }
  const change = async (file: string): Promise<void> =>
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uri(file), version: 2 },
      contentChanges: [{ text: 'mine' }],
    });
  await change('src/b/typed');
  // Whoever is answered knows that the server has read what came before.
  await connection.sendRequest('workspace/symbol', { query: '' });
  await change('src/b/fresh');
  for (const file of files) {
    writeFileSync(path.join(folder, file), 'mine');
    const textDocument = { uri: uri(file) };
    await connection.sendNotification('textDocument/didSave', { textDocument });
    await connection.sendNotification('textDocument/didClose', { textDocument });
  }
  // What the task writes after that is found after that.
  writeFileSync(path.join(folder, 'go'), '');
  const named = (file: string): boolean =>
    client.diagnostics.get(uri(file))?.some(({ code }) => code === 'undeclared-write') === true;
  await client.until(() => named('src/b/last'));
  expect(files.filter(named)).toEqual([]);
  writeFileSync(path.join(folder, 'go2'), '');
  await client.until(() => client.view('a')?.state === 'completed');
});
