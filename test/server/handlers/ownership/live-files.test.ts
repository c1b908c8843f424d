import { EDIT_OVERWRITTEN, type EditOverwritten } from '../../../../protocol/documents.ts';
import type { LanguageClient } from '../../../support/language-client.ts';
import { CONTROL_TASKS, LET_START } from '../../../../protocol/tasks.ts';
import { WHY_TASK, type WhyReply } from '../../../../protocol/why.ts';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { FileClaims } from '../../../../server/board/file-claims.ts';
import { agentAt } from '../../../support/agent-at-board.ts';
import { EditedProject } from '../../../support/editor-files.ts';

const WRITES_SRC = `tasks:
  api:
    run: while [ ! -e go ]; do sleep 0.01; done
    writes: [src/**, "!src/own/**"]
  docs:
    run: while [ ! -e go ]; do sleep 0.01; done
    reads: [notes/**]
`;
const TWO_WRITERS = `tasks:
  first:
    run: while [ ! -e go ]; do sleep 0.01; done
    writes: [src/**]
  second:
    run: while [ ! -e go ]; do sleep 0.01; done; exit 3
    writes: [src/**]
    priority: low
`;
const USERS = 'one\ntwo\nthree\nfour\nfive';

test('who writes a file is told on line 1 as long as the task runs, and not of files it leaves alone', async () => {
  const project = new EditedProject(WRITES_SRC);
  const kim = await project.window('kim');
  await kim.open('src/users.ts', USERS);
  await kim.open('src/own/mine.ts', USERS);
  await kim.client.run(project.folder, ['api']);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  const [hint] = kim.diagnostics('src/users.ts');
  expect(hint).toMatchObject({
    source: 'interlock',
    code: 'owner',
    message: expect.stringMatching(
      /^Task "api" is writing this file \(as src\/\*\*\), since [-\d ]*\d\d:\d\d:\d\d, until it ends\.$/,
    ),
    relatedInformation: [
      {
        message: '"api" says here that it writes this file.',
        location: {
          uri: project.uri('interlock.yaml'),
          range: { start: { line: 3, character: 13 }, end: { line: 3, character: 19 } },
        },
      },
    ],
  });
  expect(kim.marks('src/own/mine.ts')).toBe('');
  const freeAt = performance.now();
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(performance.now() - freeAt).toBeLessThan(1000);
});

test('the first changed character puts a warning on its line, and undoing it takes that away', async () => {
  const project = new EditedProject(WRITES_SRC);
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  await kim.change('src/users.ts', 2, 'threeX');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 2-2');
  const [, warning] = kim.diagnostics('src/users.ts');
  expect(warning).toMatchObject({
    code: 'hazard',
    range: { end: { line: 2, character: 6 } },
    message: expect.stringMatching(
      /^Task "api" is writing this file .* If you save this change, one of the two may overwrite the other\.$/,
    ),
    relatedInformation: [{ location: { uri: project.uri('interlock.yaml') } }],
  });
  await kim.change('src/users.ts', 3, 'fourX');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 2-3');
  await kim.change('src/users.ts', 0, '');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 0-0; warning 2-3');
  await kim.replace('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
});

test('a change that is saved beside a task is said to be, until the task ends', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  await kim.save('src/users.ts');
  await kim.client.until(
    () => kim.messages('src/users.ts')[1]?.includes('is saved all the same') === true,
  );
  await kim.change('src/users.ts', 4, 'FIVE');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1; warning 4-4');
  expect(kim.messages('src/users.ts')[1]).toContain('If you save this change');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  await kim.change('src/users.ts', 4, 'six');
  await kim.close('src/users.ts');
});

test('what was changed before the task came is marked when it comes', async () => {
  const plan = `hazards: { human: warn }\n${WRITES_SRC}`;
  const project = new EditedProject(plan, { 'src/users.ts': USERS });
  const kim = await project.window('kim');
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await kim.client.run(project.folder, ['api']);
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(kim.client.errors).toEqual([]);
});

test("a file that was read anew because the task wrote it is nobody's change", async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  project.write('src/users.ts', 'other\ntext');
  await kim.replace('src/users.ts', 'other\ntext');
  await kim.change('src/users.ts', 1, 'mine');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(kim.client.errors).toEqual([]);
});

test('a client that tells of unsaved changes is believed', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const kim = await project.window('kim', { options: { tellsUnsaved: true } });
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  // What the client read anew may be older than what is on the disk by now.
  project.write('src/users.ts', 'newest');
  await kim.replace('src/users.ts', 'newer\ntext');
  await kim.change('src/users.ts', 1, 'mine');
  await kim.tellUnsaved('src/users.ts', true);
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  await kim.change('src/users.ts', 1, 'mine too');
  await kim.tellUnsaved('src/users.ts', false);
  await kim.save('src/users.ts');
  await kim.client.until(
    () => kim.messages('src/users.ts')[1]?.includes('is saved all the same') === true,
  );
  await kim.change('src/users.ts', 1, 'text');
  await kim.tellUnsaved('src/users.ts', true);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(kim.client.errors).toEqual([]);
});

test('what a task wrote over is kept, and the client that can bring it back is told once', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const told: EditOverwritten[] = [];
  const listen = ({ connection }: LanguageClient): void =>
    void connection.onNotification(
      EDIT_OVERWRITTEN,
      (edit: EditOverwritten) => void told.push(edit),
    );
  const kim = await project.window('kim', { options: { tellsUnsaved: true }, listen });
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  await kim.change('src/users.ts', 1, 'mine');
  await kim.tellUnsaved('src/users.ts', true);
  await kim.change('src/users.ts', 1, 'mine too');
  await kim.tellUnsaved('src/users.ts', false);
  await kim.save('src/users.ts');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  const mine = USERS.replace('two', 'mine too');
  // The task keeps the edit at first, and is not blamed for that.
  project.write('src/users.ts', `${mine}\nmore\n`);
  await kim.replace('src/users.ts', `${mine}\nmore\n`);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  project.write('src/users.ts', `${USERS}\nmore\n`);
  await kim.replace('src/users.ts', `${USERS}\nmore\n`);
  await vi.waitUntil(() => told.length > 0, { timeout: 20_000 });
  expect(told).toEqual([{ uri: kim.uri('src/users.ts'), by: 'api', text: mine }]);
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
});

test('who only reads what is being changed is told of once, and quietly', async () => {
  const project = new EditedProject(WRITES_SRC, { 'notes/a.md': USERS });
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['docs']);
  await kim.open('notes/a.md', USERS);
  await kim.change('notes/a.md', 1, 'TWO');
  await kim.change('notes/a.md', 3, 'FOUR');
  await kim.untilMarks('notes/a.md', 'information 1-1');
  expect(kim.messages('notes/a.md')).toEqual([
    'task "docs" reads this file now, and may have seen it before or after your change.',
  ]);
  project.write('go', '');
  await kim.untilMarks('notes/a.md', '');
});

test('unsaved changes of one window are a hint in another, until they are saved, undone or closed', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await ann.open('src/users.ts', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  expect(ann.messages('src/users.ts')[0]).toMatch(
    /^kim is editing this file in another window, with changes that are not saved, until [-\d ]*\d\d:\d\d:\d\d\./,
  );
  expect(kim.marks('src/users.ts')).toBe('');
  await kim.replace('src/users.ts', USERS);
  await ann.untilMarks('src/users.ts', '');
});

test('a window that is closed lets go of its buffers', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS, 'notes/a.md': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await ann.open('src/users.ts', USERS);
  await ann.open('notes/a.md', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.open('notes/a.md', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await kim.change('notes/a.md', 1, 'TWO');
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  await ann.untilMarks('notes/a.md', 'hint 0-0');
  await kim.close('src/users.ts');
  await ann.untilMarks('src/users.ts', '');
  await kim.client.connection.sendRequest('shutdown');
  await ann.untilMarks('notes/a.md', '');
  expect(kim.client.errors).toEqual([]);
});

test('two windows of one person have two texts', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const [one, other] = [await project.window('kim'), await project.window('kim')];
  await one.open('src/users.ts', USERS);
  await other.open('src/users.ts', USERS);
  await one.change('src/users.ts', 1, 'TWO');
  await other.untilMarks('src/users.ts', 'hint 0-0');
  await other.change('src/users.ts', 2, 'THREE');
  await other.untilMarks('src/users.ts', 'hint 0-0; warning 2-2');
  expect(other.messages('src/users.ts')[1]).toContain('Whoever saves last overwrites the other.');
  await one.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
});

test('a task that would write an open buffer waits, asks, and starts when the person lets it', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await ann.open('src/users.ts', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  await ann.client.run(project.folder, ['api']);
  const question =
    'Task "api" would write src/users.ts, which you have changed, and waits for you. [Let It Start] [Keep It Waiting]';
  await kim.client.until(() => kim.client.questions.includes(question));
  await ann.client.until(() => ann.client.states.includes('api waiting'));
  expect(ann.client.view('api')?.detail).toBe('waits for kim, who is editing src/users.ts');
  expect(ann.client.questions).toEqual([]);
  await kim.replace('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(kim.client.questions).toEqual([question]);
});

test('a task that waits for a saved file says so, and its person lets it start from its row', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await kim.open('src/users.ts', USERS);
  await ann.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  await ann.client.run(project.folder, ['api']);
  await kim.client.until(
    () => kim.client.view('api')?.detail === 'waits for you: you are editing src/users.ts',
  );
  await kim.save('src/users.ts');
  const saved = 'waits for you: you have just edited src/users.ts';
  await kim.client.until(() => kim.client.view('api')?.detail === saved);
  await ann.client.until(
    () => ann.client.view('api')?.detail === 'waits for kim, who has just edited src/users.ts',
  );
  expect([kim.client.view('api')?.waitsForYou, ann.client.view('api')?.waitsForYou]).toEqual([
    true,
    undefined,
  ]);
  const key = kim.client.key(project.folder, 'api');
  const why: WhyReply = await kim.client.connection.sendRequest(WHY_TASK, key);
  expect(why.blockers).toMatchObject([
    {
      what: 'Waits for you: you have just edited src/users.ts',
      remedy: 'It goes on two minutes after your last change, or when you let it start',
      until: expect.any(Number),
      action: { kind: 'clear', title: 'Let It Start' },
    },
  ]);
  expect(await kim.client.connection.sendRequest(LET_START, key)).toEqual({});
  await kim.client.until(() => kim.client.view('api')?.state === 'running');
  project.write('go', '');
  await kim.client.until(() => kim.client.view('api')?.state === 'completed');
});

test('whoever lets a task start beside them is warned from then on', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const kim = await project.window('kim');
  kim.client.chosen = 'Let It Start';
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await kim.client.run(project.folder, ['api']);
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  await kim.change('src/users.ts', 2, 'THREE');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-2');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(kim.client.errors).toEqual([]);
});

test('only the task that was let start starts beside a file, and only once', async () => {
  const project = new EditedProject(TWO_WRITERS, { 'src/users.ts': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await ann.open('src/users.ts', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  const { client } = kim;
  const waits = 'waits for you: you are editing src/users.ts';
  await client.run(project.folder);
  await client.until(() => client.view('first')?.detail === waits);
  await client.until(() => client.view('second')?.detail === waits);
  const second = client.key(project.folder, 'second');
  expect(await client.connection.sendRequest(LET_START, second)).toEqual({});
  await client.until(() => client.view('second')?.state === 'running');
  expect(client.view('first')?.state).toBe('waiting');
  await kim.change('src/users.ts', 2, 'THREE');
  project.write('go', '');
  await client.until(() => client.view('second')?.state === 'failed');
  // Nobody but kim is in its way now.
  await client.until(() => client.view('first')?.detail === waits);
  const folderUri = project.uri('').replace(/\/$/, '');
  const what = { kind: 'retry', tasks: [{ plan: 'interlock.yaml', id: 'second' }] };
  await client.connection.sendRequest(CONTROL_TASKS, { folderUri, what });
  await client.until(() => client.view('second')?.detail === waits);
  await client.until(
    () => client.questions.filter((question) => question.startsWith('Task "second"')).length === 2,
  );
});

test('a question that was answered elsewhere does nothing, and says so', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  const answered = Promise.withResolvers<void>();
  [kim.client.chosen, kim.client.thinks] = ['Let It Start', answered.promise];
  await ann.open('src/users.ts', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  await kim.client.run(project.folder, ['api']);
  await kim.client.until(() => kim.client.questions.length === 1);
  const key = kim.client.key(project.folder, 'api');
  await kim.client.connection.sendRequest(LET_START, key);
  await kim.client.until(() => kim.client.view('api')?.state === 'running');
  answered.resolve();
  const moot = 'Task "api" does not wait for src/users.ts any more.';
  await kim.client.until(() => kim.client.errors.concat(kim.client.questions).includes(moot));
  project.write('go', '');
  await kim.client.until(() => kim.client.view('api')?.state === 'completed');
  // The file is still kim's.
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  expect(ann.messages('src/users.ts')[0]).toContain('kim is editing this file');
});

test('what this window says of one file is no reason to look at all the others', async () => {
  const files = Array.from({ length: 40 }, (_, number) => `src/${number}.ts`);
  const project = new EditedProject(WRITES_SRC, Object.fromEntries(files.map((f) => [f, USERS])));
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  for (const file of files) await kim.open(file, USERS);
  await ann.open(files.at(-1)!, USERS);
  await ann.client.connection.sendRequest('workspace/symbol', { query: '' });
  const looks = vi.spyOn(FileClaims.prototype, 'on');
  for (const file of files) await kim.change(file, 1, 'TWO');
  await ann.untilMarks(files.at(-1)!, 'hint 0-0');
  const count = looks.mock.calls.length;
  looks.mockRestore();
  expect(count).toBeLessThan(files.length * 5);
});

test("files that git ignores, of .git and of node_modules are nobody's", async () => {
  const project = new EditedProject(WRITES_SRC, {});
  const asked: string[] = [];
  const isIgnored = async (file: string): Promise<boolean> => {
    asked.push(path.relative(project.folder, file));
    return file.endsWith('.log');
  };
  const kim = await project.window('kim', { change: { isIgnored } });
  const ann = await project.window('ann');
  const files = ['out.log', 'node_modules/a.js', '.git/config', 'src/users.ts'];
  for (const file of files) {
    project.write(file, USERS);
    await ann.open(file, USERS);
    await kim.open(file, USERS);
    await kim.change(file, 1, 'TWO');
  }
  await ann.untilMarks('src/users.ts', 'hint 0-0');
  expect(files.map((file) => ann.marks(file))).toEqual(['', '', '', 'hint 0-0']);
  expect(asked).toEqual(['out.log', 'src/users.ts']);
});

test('a window that is not trusted says nothing of its buffers, and is told of those of others', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS });
  const kim = await project.window('kim', { options: { isTrusted: false } });
  const ann = await project.window('ann');
  await ann.open('src/users.ts', USERS);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await ann.change('src/users.ts', 2, 'THREE');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  expect(ann.marks('src/users.ts')).toBe('');
});

test('a file that is moved is looked up where it is now', async () => {
  const project = new EditedProject(WRITES_SRC, { 'elsewhere/users.ts': USERS });
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('elsewhere/users.ts', USERS);
  await kim.close('elsewhere/users.ts');
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  await kim.close('src/users.ts');
  await kim.untilMarks('src/users.ts', '');
  rmSync(path.join(project.folder, 'elsewhere'), { recursive: true });
  project.write('go', '');
  await kim.client.until(() => kim.client.states.includes('api completed'));
  expect(kim.client.errors).toEqual([]);
});

test('what is taken for a while is told until then, and ends by itself without a word', async () => {
  const project = new EditedProject(WRITES_SRC, { 'notes/a.md': USERS });
  const kim = await project.window('kim');
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  await kim.open('notes/a.md', USERS);
  await agent.own(['notes/**'], project.folder, 700);
  await kim.untilMarks('notes/a.md', 'hint 0-0');
  expect(kim.messages('notes/a.md')[0]).toMatch(
    /^agent\/a1 has taken this file \(as notes\/\*\*\), until [-\d ]*\d\d:\d\d:\d\d\.$/,
  );
  const seenAt = performance.now();
  await kim.untilMarks('notes/a.md', '');
  expect(performance.now() - seenAt).toBeLessThan(1700);
});

test('what a person has taken is told to others, and not to their own window', async () => {
  const project = new EditedProject(WRITES_SRC, { 'notes/a.md': USERS });
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await kim.open('notes/a.md', USERS);
  await ann.open('notes/a.md', USERS);
  const person = await agentAt(project.env, project.folder, 'person/kim');
  await person.own(['notes/a.md'], project.folder, 60_000);
  await ann.untilMarks('notes/a.md', 'hint 0-0');
  expect(ann.messages('notes/a.md')[0]).toMatch(/^kim has taken this file, until /);
  expect(kim.marks('notes/a.md')).toBe('');
});

test('in folders that lie in each other a file is told of once', async () => {
  const project = new EditedProject(WRITES_SRC, { 'src/users.ts': USERS, '.git/HEAD': 'ref: x' });
  project.write('src/interlock.yaml', 'tasks:\n  inner: { run: "true", writes: [inner/**] }\n');
  const folders = ['', 'src'].map((name) => ({ uri: project.uri(name), name }));
  const kim = await project.window('kim', { init: { workspaceFolders: folders } });
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.change('src/users.ts', 1, 'TWO');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  expect(kim.diagnostics('src/users.ts')[1]?.relatedInformation).toHaveLength(1);
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
});

test("what is not saved is still its person's when its folder is closed and opened again", async () => {
  const project = new EditedProject(WRITES_SRC);
  const capabilities = { workspace: { workspaceFolders: true } };
  const robin = await project.window('robin');
  const kim = await project.window('kim', { init: { capabilities } });
  await robin.open('lib/a.ts', USERS);
  await kim.open('lib/a.ts', USERS);
  await kim.change('lib/a.ts', 0, 'oneX');
  await robin.untilMarks('lib/a.ts', 'hint 0-0');
  const folder = { uri: project.uri(''), name: 'project' };
  const change = async (added: readonly object[], removed: readonly object[]): Promise<void> =>
    await kim.client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added, removed },
    });
  await change([], [folder]);
  await robin.untilMarks('lib/a.ts', '');
  await change([folder], []);
  await robin.untilMarks('lib/a.ts', 'hint 0-0');
  expect(robin.messages('lib/a.ts')[0]).toMatch(/^kim is editing this file in another window/);
});

test('keys that are pressed while their folder is closed and opened again harm nobody', async () => {
  const project = new EditedProject(WRITES_SRC);
  const capabilities = { workspace: { workspaceFolders: true } };
  // Whoever comes first decides, and its board is gone with the folder.
  const kim = await project.window('kim', { init: { capabilities } });
  const robin = await project.window('robin');
  await robin.open('lib/a.ts', USERS);
  await kim.open('lib/a.ts', USERS);
  await kim.change('lib/a.ts', 0, 'oneX');
  await robin.untilMarks('lib/a.ts', 'hint 0-0');
  const folder = { uri: project.uri(''), name: 'project' };
  for (const letter of ['Y', 'Z'].flatMap((each) => [each, `${each}${each}`])) {
    await kim.client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [folder], removed: [folder] },
    });
    await kim.change('lib/a.ts', 1, `two${letter}`);
  }
  await kim.client.connection.sendRequest('workspace/symbol', { query: '' });
  await robin.untilMarks('lib/a.ts', 'hint 0-0');
  expect(robin.messages('lib/a.ts')[0]).toMatch(/^kim is editing this file in another window/);
});
