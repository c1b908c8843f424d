import { expect, test } from 'vitest';
import {
  CLEAR_BLOCKER,
  type ClearReply,
  WHY_TASK,
  type WhyReply,
} from '../../../../protocol/why.ts';
import { agentAt } from '../../../support/agent-at-board.ts';
import { EditedProject, type EditorOnTrial } from '../../../support/editor-files.ts';

const PLAN = `limits: { parallel: 2, db: 1 }
tasks:
  schema:
    run: while [ ! -e go ]; do sleep 0.01; done
    resources: { db: 1 }
    writes: [src/schema/**]
  api:
    run: 'true'
    depends_on: [schema]
  load:
    run: 'true'
    resources: { db: 1 }
  index:
    run: 'true'
    writes: [src/schema/index.ts]
  docs:
    run: 'true'
    depends_on: [schema]
    writes: [notes/one.md]
  review:
    role: human
  check:
    role: agent
    writes: [notes/**]
  wrong:
    run: 'true'
    depends_on: [nothing]
`;

/** A person who asks why. */
class Asking {
  readonly #window: EditorOnTrial;
  readonly #folder: string;

  constructor(window: EditorOnTrial, folder: string) {
    this.#window = window;
    this.#folder = folder;
  }

  async why(id: string): Promise<WhyReply> {
    const { client } = this.#window;
    return await client.connection.sendRequest(WHY_TASK, client.key(this.#folder, id));
  }

  /** `dependencies: Waits for schema → show schema` */
  async blockers(id: string): Promise<readonly string[]> {
    const { blockers } = await this.why(id);
    return blockers.map(({ kind, what, action }) => {
      const doing = action === undefined ? '' : ` → ${action.kind} ${action.title}`;
      return `${kind}: ${what}${doing}`;
    });
  }

  async clear(id: string, key: string): Promise<ClearReply> {
    const { client } = this.#window;
    const params = { ...client.key(this.#folder, id), key };
    return await client.connection.sendRequest(CLEAR_BLOCKER, params);
  }

  /** Chooses the first of them. */
  async clearFirst(id: string): Promise<ClearReply> {
    const { blockers } = await this.why(id);
    return await this.clear(id, blockers[0]?.key ?? '');
  }
}

async function running(): Promise<{
  readonly project: EditedProject;
  readonly window: EditorOnTrial;
  readonly kim: Asking;
}> {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  await window.client.run(project.folder);
  await window.client.until(() => window.client.view('schema')?.state === 'running');
  return { project, window, kim: new Asking(window, project.folder) };
}

test('each thing that is in the way has one thing to do about it', async () => {
  const { project, kim } = await running();
  expect(await kim.blockers('api')).toEqual(['dependencies: Waits for schema → show Show schema']);
  expect(await kim.blockers('load')).toEqual([
    'resources: Waits for db: it needs 1, and 1 of 1 are taken, used by schema → show Show schema',
  ]);
  expect(await kim.blockers('index')).toEqual([
    'hazard: Waits for schema, which writes src/schema/index.ts too → show Show schema',
  ]);
  expect(await kim.blockers('review')).toEqual([
    'unclaimed: Nobody has taken it yet → claim Claim It',
  ]);
  expect(await kim.blockers('schema')).toEqual([]);
  const [wrong] = (await kim.why('wrong')).blockers;
  expect(wrong).toMatchObject({
    kind: 'plan',
    action: { kind: 'open', uri: project.uri('interlock.yaml'), line: 24, character: 2 },
  });
  project.write('go', '');
});

test('who has a file is asked for it', async () => {
  const { project, window, kim } = await running();
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  const { term } = await agent.claim('check');
  project.write('go', '');
  await window.client.until(() => window.client.view('schema')?.state === 'completed');
  const [hazard] = (await kim.why('docs')).blockers;
  expect(hazard?.action).toEqual({ kind: 'clear', title: 'Ask a1 to Release notes/one.md' });
  expect(await kim.clear('docs', hazard!.key)).toEqual({
    message: 'a1 is asked for notes/one.md, and hears of it with their next word.',
  });
  expect(await agent.renew('check', term)).toEqual(['person/kim asks for notes/one.md']);
});

test('what the server can do about it is done, and it is not in the way any more', async () => {
  const { project, window, kim } = await running();
  const { connection } = window.client;
  const act = async (action: string): Promise<unknown> =>
    await connection.sendRequest('workers/act', {
      folderUri: window.client.key(project.folder, 'api').folderUri,
      id: 'runner/local',
      action,
    });
  await act('drain');
  project.write('go', '');
  await window.client.until(() => window.client.view('schema')?.state === 'completed');
  expect(await kim.blockers('api')).toEqual([
    'paused: Waits: this machine is drained, and is given nothing new → clear Undrain this machine',
  ]);
  const { blockers } = await kim.why('api');
  expect(await kim.clearFirst('api')).toEqual({});
  await window.client.until(() => window.client.view('api')?.state === 'completed');
  expect(await kim.clear('api', blockers[0]!.key)).toEqual({
    message: 'It is not in the way any more.',
  });
});

test('a task that waits for a file that is open and not saved can be let start', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Asking(window, project.folder);
  await window.open('notes/one.md', 'one');
  await window.change('notes/one.md', 0, 'two');
  project.write('go', '');
  await window.client.run(project.folder, ['docs']);
  await window.client.until(() => window.client.view('schema')?.state === 'completed');
  const [hazard] = (await kim.why('docs')).blockers;
  expect(hazard).toMatchObject({
    kind: 'hazard',
    what: 'Waits for you: you are editing notes/one.md',
    action: { kind: 'clear', title: 'Let It Start' },
  });
  await kim.clear('docs', hazard?.key ?? '');
  await window.client.until(() => window.client.view('docs')?.state === 'completed');
});

test('what cannot be read is refused', async () => {
  const { project, kim } = await running();
  await expect(kim.why('never')).rejects.toThrow('No plan here has a task "never".');
  await expect(kim.why('no such')).rejects.toThrow('is no id of a task');
  project.write('go', '');
});
