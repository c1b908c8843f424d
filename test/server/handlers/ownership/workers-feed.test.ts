import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  ACT_ON_WORKER,
  TAKE_HOLD,
  WORKERS_CHANGED,
  type WorkerReply,
  type WorkersChanged,
  type WorkerView,
} from '../../../../protocol/workers.ts';
import { CLAIM_TASK } from '../../../../protocol/claims.ts';
import type { BoardWorld } from '../../../../server/board/ports.ts';
import { realWorld } from '../../../../server/world.ts';
import { agentAt } from '../../../support/agent-at-board.ts';
import { EditedProject, type EditorOnTrial } from '../../../support/editor-files.ts';
import type { LanguageClient } from '../../../support/language-client.ts';

const PLAN = `limits: { parallel: 2, db: 3 }
tasks:
  api:
    run: while [ ! -e go ]; do sleep 0.01; done
    resources: { db: 2 }
    writes: [src/**]
  review:
    role: agent
    writes: [notes/*.md]
`;

/** What a window hears of workers, and does about them. */
class Workers {
  readonly heard: WorkersChanged[] = [];
  readonly #views = new Map<string, WorkerView>();
  readonly #client: LanguageClient;
  readonly #folderUri: string;

  constructor(client: LanguageClient, folder: string) {
    this.#client = client;
    this.#folderUri = pathToFileURL(folder).href;
    client.connection.onNotification(WORKERS_CHANGED, (change: WorkersChanged) => {
      this.heard.push(change);
      for (const { id } of change.removed) this.#views.delete(id);
      for (const view of change.changed) this.#views.set(view.id, view);
      client.heard();
    });
  }

  async until(id: string, isSo: (view: WorkerView) => boolean): Promise<WorkerView> {
    await this.#client.until(() => {
      const view = this.#views.get(id);
      return view !== undefined && isSo(view);
    });
    return this.#views.get(id)!;
  }

  async untilGone(id: string): Promise<void> {
    await this.#client.until(() => !this.#views.has(id));
  }

  async act(id: string, action: string): Promise<WorkerReply> {
    return await this.#ask(ACT_ON_WORKER, { id, action });
  }

  async take(id: string, key: string): Promise<WorkerReply> {
    return await this.#ask(TAKE_HOLD, { id, key });
  }

  async #ask(method: string, params: object): Promise<WorkerReply> {
    const { connection } = this.#client;
    return await connection.sendRequest(method, { folderUri: this.#folderUri, ...params });
  }
}

/** A window, and what it hears from its beginning. */
async function windowOf(
  project: EditedProject,
  { name = 'kim', change = {} }: { name?: string; change?: Partial<BoardWorld> } = {},
): Promise<{ readonly window: EditorOnTrial; readonly workers: Workers }> {
  const heard = Promise.withResolvers<Workers>();
  const window = await project.window(name, {
    change,
    listen: (client) => heard.resolve(new Workers(client, project.folder)),
  });
  return { window, workers: await heard.promise };
}

async function opened(): Promise<{
  readonly project: EditedProject;
  readonly kim: EditorOnTrial;
  readonly workers: Workers;
}> {
  const project = new EditedProject(PLAN);
  const { window: kim, workers } = await windowOf(project);
  await kim.client.run(project.folder, ['api', 'review']);
  return { project, kim, workers };
}

test('a client hears what machines, agents and people have, and for how long', async () => {
  const { project, workers } = await opened();
  const machine = await workers.until('runner/local', ({ holds }) => holds.length === 1);
  expect(machine).toMatchObject({
    kind: 'runner',
    name: 'This machine',
    state: 'busy',
    uses: [
      { what: 'places', used: 1, of: 2 },
      { what: 'db', used: 2, of: 3 },
    ],
    holds: [{ name: 'api', what: 'task', writes: ['src/**'], task: { id: 'api' } }],
  });
  await workers.until('person/kim', ({ isYou, state }) => isYou && state === 'idle');
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  await agent.claim('review');
  const a1 = await workers.until('agent/a1', ({ holds }) => holds.length === 1);
  const { now } = workers.heard.at(-1)!;
  const { expiresAt = 0, takingMeans } = a1.holds[0]!;
  expect(expiresAt - now).toBeGreaterThan(290_000);
  expect(expiresAt - now).toBeLessThanOrEqual(300_000);
  expect(takingMeans).toMatch(/^a1 loses the task, which goes back to the queue\./);
  project.write('go', '');
  await workers.until('runner/local', ({ holds }) => holds.length === 0);
});

test('what an agent has is taken away, and it hears that at its next word', async () => {
  const { project, workers } = await opened();
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  const { term } = await agent.claim('review');
  const { holds } = await workers.until('agent/a1', (view) => view.holds.length === 1);
  expect(await workers.take('agent/a1', holds[0]!.key)).toEqual({});
  expect(await agent.renew('review', term)).toBe('stale');
  const again = await workers.take('agent/a1', holds[0]!.key);
  expect(again.refusal).toBe('It has been released or has ended already.');
  project.write('go', '');
});

test('what one has oneself is given back, and may be had at once', async () => {
  const project = new EditedProject('tasks:\n  ask:\n    role: human\n    writes: [a.md]\n');
  const { window: kim, workers } = await windowOf(project);
  await kim.client.run(project.folder, ['ask']);
  await kim.client.connection.sendRequest(CLAIM_TASK, kim.client.key(project.folder, 'ask'));
  const { holds } = await workers.until('person/kim', (view) => view.holds.length === 1);
  expect(holds[0]?.takingMeans).toBe('You release task "ask".');
  expect(await workers.take('person/kim', holds[0]!.key)).toEqual({});
  await kim.client.until(() => kim.client.view('ask')?.state === 'ready');
});

test('a command that a runner has is stopped when its task is taken away', async () => {
  const { kim, workers } = await opened();
  const { holds } = await workers.until('runner/local', (view) => view.holds.length === 1);
  expect(await workers.take('runner/local', holds[0]!.key)).toEqual({});
  await kim.client.until(() => kim.client.view('api')?.state === 'cancelled');
});

test('a drained agent is given nothing, until it is undrained', async () => {
  const { project, workers } = await opened();
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  expect(await workers.act('agent/a1', 'drain')).toEqual({});
  await workers.until('agent/a1', ({ isDrained }) => isDrained);
  await expect(agent.claim('review')).rejects.toThrow('blocked');
  expect(await workers.act('agent/a1', 'undrain')).toEqual({});
  await agent.claim('review');
  await workers.until('agent/a1', ({ isDrained, holds }) => !isDrained && holds.length === 1);
  expect(await workers.act('agent/a1', 'wake')).toEqual({});
  project.write('go', '');
});

test('two windows of one person are one worker, and both hear of it', async () => {
  const { project, workers } = await opened();
  const { window: second, workers: others } = await windowOf(project);
  await second.open('free.md', 'one');
  await second.change('free.md', 0, 'two');
  await workers.until('person/kim', ({ holds }) => holds[0]?.what === 'unsaved');
  const { holds } = await others.until('person/kim', ({ holds: has }) => has.length === 1);
  expect(holds[0]).toMatchObject({ name: 'free.md' });
  const reply = await others.take('person/kim', holds[0]!.key);
  expect(reply.refusal).toMatch(/^A file that is open in an editor is never taken/);
  project.write('go', '');
});

test('what cannot be read is refused', async () => {
  const { project, workers } = await opened();
  await expect(workers.act('runner/local', 'explode')).rejects.toThrow('"action" is');
  await expect(workers.act('', 'drain')).rejects.toThrow('A worker is named by');
  await expect(workers.act('runner/far', 'drain')).resolves.toEqual({
    refusal: 'There is no far any more.',
  });
  project.write('go', '');
});

test('a terminal is there while it has a task, and is called after who sits before it', async () => {
  const project = new EditedProject('tasks:\n  play: { in: terminal, run: "true" }\n');
  const { window: kim, workers } = await windowOf(project);
  await kim.client.run(project.folder, ['play']);
  const terminal = await agentAt(project.env, project.folder, 'terminal/kim:t1');
  const { term } = await terminal.claim('play');
  const view = await workers.until('terminal/kim:t1', ({ holds }) => holds.length === 1);
  expect(view).toMatchObject({ kind: 'terminal', name: 'a terminal of kim' });
  await terminal.release('play', term);
  await workers.untilGone('terminal/kim:t1');
});

test('whoever shows workers leaves the lock of the board alone, as long as the same one decides', async () => {
  const project = new EditedProject(PLAN);
  const looks = { kim: 0, lou: 0 };
  const window = async (name: 'kim' | 'lou'): Promise<Workers> => {
    const world = realWorld(`the window of ${name}`, project.env);
    const open: BoardWorld['open'] = (root, options) => {
      const board = world.open(root, options);
      const decider = (): string | undefined => {
        looks[name] += 1;
        return board.decider();
      };
      return { ...board, decider };
    };
    const { window: editor, workers } = await windowOf(project, { name, change: { open } });
    await editor.client.run(project.folder, ['api']);
    await workers.until(`person/${name}`, ({ isYou }) => isYou);
    return workers;
  };
  const [kim, lou] = [await window('kim'), await window('lou')];
  const before = lou.heard.length;
  for (const action of ['drain', 'undrain', 'drain', 'undrain']) {
    await kim.act('runner/local', action);
    for (const each of [kim, lou])
      await each.until('runner/local', ({ isDrained }) => isDrained === (action === 'drain'));
  }
  expect(lou.heard.length - before).toBeGreaterThanOrEqual(4);
  expect(lou.heard.at(-1)?.boards[0]?.decider).toBe('the window of kim');
  expect(looks.kim + looks.lou).toBeLessThanOrEqual(3);
  project.write('go', '');
});

test('a folder that goes from the disk before anybody has looked for its hosts stops nobody', () => {
  const { env, folder } = new EditedProject(PLAN);
  const world = realWorld('a test', env);
  rmSync(folder, { recursive: true });
  expect(world.machines(folder).sights).toEqual([]);
});
