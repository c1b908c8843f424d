import { expect, test } from 'vitest';
import { EXPLAIN_TASK, FIND_OWNERS, type TaskAnswer } from '../../../../protocol/agents.ts';
import { agentAt } from '../../../support/agent-at-board.ts';
import { EditedProject } from '../../../support/editor-files.ts';

const PLAN = `tasks:
  api:
    role: agent
    lease: 1h
    writes: [src/**]
  after:
    run: "true"
    depends_on: [api]
`;

test('a model hears how a task is and what is in its way, and who writes files that are not open', async () => {
  const project = new EditedProject(PLAN, { 'src/users.ts': 'one' });
  const kim = await project.window('kim');
  const { connection } = kim.client;
  const explain = async (id: string): Promise<unknown> => {
    return await connection.sendRequest(EXPLAIN_TASK, kim.client.key(project.folder, id));
  };
  const owners = async (...files: readonly string[]): Promise<unknown> => {
    const uris = files.map((file) => project.uri(file));
    return await connection.sendRequest(FIND_OWNERS, { uris });
  };
  expect(await explain('api')).toEqual({ sentences: ['Task "api" of interlock.yaml is idle.'] });
  expect(await explain('nothing')).toEqual({ sentences: [] });
  await kim.client.run(project.folder, ['after']);
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  await agent.claim('api');
  await kim.client.until(() => kim.client.view('api')?.state === 'claimed');
  expect(await explain('api')).toEqual({
    sentences: [expect.stringMatching(/^Task "api" of interlock\.yaml is claimed: held by a1, /)],
  });
  expect(await explain('after')).toMatchObject({
    sentences: [expect.stringMatching(/is waiting: waits for api/), expect.any(String)],
  });
  expect(await owners('src/new.ts', 'README.md')).toEqual({
    files: [
      {
        uri: project.uri('src/new.ts'),
        mayWrite: false,
        sentences: [expect.stringMatching(/^Task "api" \(agent\/a1\) is writing this file/)],
      },
      { uri: project.uri('README.md'), mayWrite: true, sentences: [] },
    ],
  });
  await expect(connection.sendRequest(EXPLAIN_TASK, { id: 7 })).rejects.toThrow('names one task');
  await expect(connection.sendRequest(FIND_OWNERS, { uris: [7] })).rejects.toThrow(
    'list of at most',
  );
});

test('a model hears how long a task still waits, not how long it did when something last happened', async () => {
  const project = new EditedProject('tasks:\n  notes: { run: "true", writes: [docs/**] }\n');
  const { client } = await project.window('kim');
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  await agent.own(['docs/**'], project.folder, 20_000);
  await client.run(project.folder, ['notes']);
  await client.until(() => client.view('notes')?.state === 'waiting');
  const explain = async (): Promise<string> => {
    const key = client.key(project.folder, 'notes');
    const { sentences }: TaskAnswer = await client.connection.sendRequest(EXPLAIN_TASK, key);
    return sentences[0] ?? '';
  };
  const first = await explain();
  expect(first).toMatch(/, in \S+ s at the latest/);
  let later = first;
  while (later === first) later = await explain();
  expect(later).toMatch(/, in \S+ s at the latest/);
});
