import { expect, test } from 'vitest';
import {
  EditedProject,
  type EditorOnTrial,
  LITERAL_ACTIONS,
} from '../../../support/editor-files.ts';
import { agentAt } from '../../../support/agent-at-board.ts';

const RUNS = `tasks:
  api:
    run: while [ ! -e go ]; do sleep 0.01; done
    writes: [src/**]
  after:
    run: "true"
    depends_on: [api]
`;
const FOR_AGENTS = `tasks:
  api:
    role: agent
    lease: 1h
    writes: [src/**]
`;
const USERS = 'one\ntwo\nthree';
const FILES = { 'src/users.ts': USERS };
const SHOWS = {
  capabilities: { window: { showDocument: { support: true } }, textDocument: LITERAL_ACTIONS },
};

async function titles(editor: EditorOnTrial, file = 'src/users.ts'): Promise<readonly string[]> {
  return (await editor.actions(file)).map(({ title }) => title);
}

test('what may be done about a running command is offered, and each title says what it does', async () => {
  const project = new EditedProject(RUNS, FILES);
  const kim = await project.window('kim', { init: SHOWS });
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  expect(await titles(kim)).toEqual([
    'Open task "api"',
    'Take over users.ts: stop task "api"…',
    'Wait: tell me when users.ts is free',
  ]);
  await kim.choose('src/users.ts', 'Open task');
  await kim.client.until(() => kim.client.shown.length > 0);
  expect(kim.client.shown).toEqual([
    {
      uri: project.uri('interlock.yaml'),
      selection: { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } },
      takeFocus: true,
    },
  ]);
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  expect(await titles(kim)).toEqual([]);
});

test('a client that cannot open a place is not offered to', async () => {
  const project = new EditedProject(RUNS, FILES);
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  expect((await titles(kim))[0]).toBe('Take over users.ts: stop task "api"…');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
});

test('whoever waits is told once when the file is free, and may type in the meantime', async () => {
  const project = new EditedProject(RUNS, FILES);
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  await kim.choose('src/users.ts', 'Wait');
  await kim.change('src/users.ts', 1, 'TWO');
  await kim.untilMarks('src/users.ts', 'hint 0-0; warning 1-1');
  const promise = 'You will be told when users.ts is free.';
  expect(kim.client.questions).toEqual([promise]);
  project.write('go', '');
  await kim.client.until(() => kim.client.questions.length > 1);
  expect(kim.client.questions).toEqual([promise, 'users.ts is free: nobody else writes it now.']);
});

test('taking over from a command asks first, stops it, and leaves the file to the person', async () => {
  const project = new EditedProject(RUNS, FILES);
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await kim.client.run(project.folder);
  await kim.open('src/users.ts', USERS);
  await ann.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  await kim.choose('src/users.ts', 'Take over');
  await kim.client.until(() => kim.client.questions.length === 1);
  expect(kim.client.questions[0]).toBe(
    'Take src/users.ts from task "api"? Its command is stopped, the task is cancelled, and what depends on it is skipped until somebody retries it. [Take Over] [Leave It]',
  );
  await kim.client.until(() => kim.client.states === 'api running, after waiting');
  kim.client.chosen = 'Take Over';
  await kim.choose('src/users.ts', 'Take over');
  await kim.client.until(() => kim.client.states === 'api cancelled, after skipped');
  await kim.untilMarks('src/users.ts', '');
  await ann.client.until(
    () => ann.messages('src/users.ts')[0]?.startsWith('kim is editing') === true,
  );
});

test('an agent is asked to release a file, and hears of it when it renews', async () => {
  const project = new EditedProject(FOR_AGENTS, FILES);
  const kim = await project.window('kim');
  await kim.client.run(project.folder);
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  const { term } = await agent.claim('api');
  await kim.open('src/users.ts', USERS);
  await kim.client.until(
    () => kim.messages('src/users.ts')[0]?.startsWith('Task "api" (agent/a1) is writing') === true,
  );
  expect(kim.messages('src/users.ts')[0]).toMatch(
    /until [-\d ]*\d\d:\d\d:\d\d or as long as it is renewed\./,
  );
  expect(await agent.renew('api', term)).toEqual([]);
  await kim.choose('src/users.ts', 'Ask agent/a1 to release users.ts');
  await kim.client.until(() => kim.client.questions.length === 1);
  expect(kim.client.questions).toEqual([
    'agent/a1 is asked for src/users.ts, and hears of it when it renews its lease.',
  ]);
  expect(await agent.renew('api', term)).toEqual(['person/kim asks for src/users.ts']);
  await agent.release('api', term);
  await kim.untilMarks('src/users.ts', '');
});

test('whoever has taken a file without a task hears of it when they look', async () => {
  const project = new EditedProject(FOR_AGENTS, FILES);
  const kim = await project.window('kim');
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  await kim.open('src/users.ts', USERS);
  await agent.own(['src/**'], project.folder, 60_000);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  await kim.choose('src/users.ts', 'Ask agent/a1 to release users.ts');
  await kim.client.until(() => kim.client.questions.length === 1);
  expect(kim.client.questions).toEqual([
    'agent/a1 is asked for src/users.ts, and hears of it the next time they look at "interlock status".',
  ]);
});

test('taking over from an agent takes its task, which goes back to the queue and waits', async () => {
  const project = new EditedProject(FOR_AGENTS, FILES);
  const kim = await project.window('kim');
  await kim.client.run(project.folder);
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  const { term } = await agent.claim('api');
  await agent.renew('api', term);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  kim.client.chosen = 'Take Over';
  await kim.choose('src/users.ts', 'Take over users.ts from agent/a1');
  await kim.client.until(
    () => kim.messages('src/users.ts')[0]?.startsWith('A lost attempt at task "api"') === true,
  );
  expect(await agent.renew('api', term)).toBe('stale');
  // Its own leftover is in the way, and then the person.
  expect(kim.client.states).toBe('api waiting');
});

test('of whoever has come while the user thought nothing is taken', async () => {
  const project = new EditedProject(FOR_AGENTS, FILES);
  const kim = await project.window('kim');
  await kim.client.run(project.folder);
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  const { term } = await agent.claim('api');
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  const thoughts = Promise.withResolvers<void>();
  kim.client.thinks = thoughts.promise;
  kim.client.chosen = 'Take Over';
  const choice = kim.choose('src/users.ts', 'Take over users.ts from agent/a1');
  await kim.client.until(() => kim.client.questions.length === 1);
  await agent.release('api', term);
  const other = await agentAt(project.env, project.folder, 'agent/a2');
  const later = await other.claim('api');
  thoughts.resolve();
  await choice;
  await kim.client.until(() => kim.client.questions.length === 2);
  expect(kim.client.questions[1]).toBe('task "api" has ended already.');
  expect(await other.renew('api', later.term)).not.toBe('stale');
});

test('a person in another window is asked for a file, and lets it go', async () => {
  const project = new EditedProject(RUNS, FILES);
  const [kim, ann] = [await project.window('kim'), await project.window('ann')];
  await kim.open('src/users.ts', USERS);
  await ann.open('src/users.ts', USERS);
  await ann.change('src/users.ts', 1, 'TWO');
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  expect(await titles(kim)).toEqual([
    'Ask ann to release users.ts',
    'Wait: tell me when users.ts is free',
  ]);
  ann.client.chosen = 'Let Go';
  await kim.choose('src/users.ts', 'Ask ann');
  await ann.client.until(() => ann.client.questions.length === 1);
  expect(ann.client.questions).toEqual([
    'kim asks you for src/users.ts, which you have changed. [Let Go] [Not Now]',
  ]);
  await kim.untilMarks('src/users.ts', '');
});

test('what is free by the time somebody chooses is said to be', async () => {
  const project = new EditedProject(RUNS, FILES);
  const kim = await project.window('kim');
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  const [takeOver] = await kim.actions('src/users.ts');
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
  await kim.client.connection.sendRequest('workspace/executeCommand', {
    command: takeOver?.command?.command,
    arguments: takeOver?.command?.arguments,
  });
  await kim.client.until(() => kim.client.questions.length === 1);
  expect(kim.client.questions).toEqual(['users.ts is free by now.']);
});

test('commands with other words do nothing', async () => {
  const project = new EditedProject(RUNS, FILES);
  const kim = await project.window('kim');
  for (const args of [[], [1, 2], ['file:///nowhere', 'x'], [project.uri('src/users.ts'), '']])
    expect(
      await kim.client.connection.sendRequest('workspace/executeCommand', {
        command: 'interlock.hazard.takeOver',
        arguments: args,
      }),
    ).toBeNull();
  expect(kim.client.questions).toEqual([]);
});

test('a client that knows no more than commands is given those', async () => {
  const project = new EditedProject(RUNS, FILES);
  const kim = await project.window('kim', { init: { capabilities: {} } });
  await kim.client.run(project.folder, ['api']);
  await kim.open('src/users.ts', USERS);
  await kim.untilMarks('src/users.ts', 'hint 0-0');
  expect(await kim.actions('src/users.ts')).toEqual([
    {
      title: 'Take over users.ts: stop task "api"…',
      command: 'interlock.hazard.takeOver',
      arguments: [project.uri('src/users.ts'), expect.stringMatching(/^task /)],
    },
    {
      title: 'Wait: tell me when users.ts is free',
      command: 'interlock.hazard.wait',
      arguments: [project.uri('src/users.ts'), ''],
    },
  ]);
  project.write('go', '');
  await kim.untilMarks('src/users.ts', '');
});
