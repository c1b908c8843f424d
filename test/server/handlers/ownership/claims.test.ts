import { expect, test } from 'vitest';
import {
  CLAIM_TASK,
  type ClaimableTask,
  type ClaimReply,
  END_CLAIM,
  type EndClaimReply,
  LIST_CLAIMABLE,
} from '../../../../protocol/claims.ts';
import { agentAt } from '../../../support/agent-at-board.ts';
import { EditedProject, type EditorOnTrial } from '../../../support/editor-files.ts';

const PLAN = `tasks:
  schema:
    run: while [ ! -e go ]; do sleep 0.01; done
  notes:
    writes: [notes/**]
  review:
    role: human
    writes: [docs/**]
  later:
    role: human
    depends_on: [schema]
  short:
    role: human
    lease: 1s
`;

/** A person before a window, who claims. */
class Person {
  readonly #window: EditorOnTrial;
  readonly #folder: string;

  constructor(window: EditorOnTrial, folder: string) {
    this.#window = window;
    this.#folder = folder;
  }

  async choices(): Promise<readonly string[]> {
    const all = await this.#ask<readonly ClaimableTask[]>(LIST_CLAIMABLE, {});
    return all.map(({ id, isForPeople, isNew, waits }) =>
      [id, ...(isForPeople ? ['person'] : []), ...(isNew ? ['new'] : []), waits]
        .filter((part) => part !== '')
        .join(', '),
    );
  }

  async claim(id: string): Promise<ClaimReply> {
    return await this.#ask(CLAIM_TASK, this.#window.client.key(this.#folder, id));
  }

  async end(id: string, how: string, message?: string): Promise<EndClaimReply> {
    const key = this.#window.client.key(this.#folder, id);
    return await this.#ask(END_CLAIM, { ...key, how, ...(message && { message }) });
  }

  async until(id: string, state: string): Promise<void> {
    const { client } = this.#window;
    await client.until(() => client.view(id)?.state === state);
  }

  detail(id: string): string | undefined {
    return this.#window.client.view(id)?.detail;
  }

  async #ask<Reply>(method: string, params: object): Promise<Reply> {
    return await this.#window.client.connection.sendRequest<Reply>(method, params);
  }
}

test('what is for people is offered first, and says what is in its way', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  expect(await kim.choices()).toEqual([
    'review, person, new',
    'later, person, new',
    'short, person, new',
    'notes, new',
  ]);
  await window.client.run(project.folder);
  await kim.until('schema', 'running');
  expect(await kim.choices()).toEqual([
    'review, person',
    'short, person',
    'later, person, waits for schema',
    'notes',
  ]);
  project.write('go', '');
});

test('what is not in the run that its plan has says so before it is chosen, and not only then', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  await window.client.run(project.folder, ['schema', 'later']);
  await kim.until('schema', 'running');
  expect(await kim.choices()).toEqual([
    'later, person, waits for schema',
    'review, person, new, waits until the run of its plan has ended',
    'short, person, new, waits until the run of its plan has ended',
    'notes, new, waits until the run of its plan has ended',
  ]);
  expect(await kim.claim('review')).toEqual({
    kind: 'refused',
    message: 'Other tasks of interlock.yaml are being run now. Wait for them, or stop them.',
  });
  project.write('go', '');
});

test('nobody claims what a command does, and trying starts nothing', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  expect(await kim.claim('schema')).toEqual({
    kind: 'refused',
    message: '"schema" is done by its command: run it, and nobody has to claim it.',
  });
  expect(window.client.view('schema')?.run).toBeUndefined();
});

test('a person claims, says that it is done, and both of their windows know', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  const second = new Person(await project.window('kim'), project.folder);
  // It is in no run yet, and asked for first.
  expect(await kim.claim('review')).toEqual({ kind: 'claimed', writes: ['docs/**'] });
  await second.until('review', 'running');
  expect(await second.choices()).not.toContain('review, person');
  expect(await second.end('review', 'complete')).toEqual({});
  await kim.until('review', 'completed');
  expect((await kim.end('review', 'complete')).refusal).toMatch(/not yours, or not any more/);
});

test('what is released can be had again, and what has failed says why', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  await kim.claim('review');
  expect(await kim.end('review', 'release')).toEqual({});
  await window.client.run(project.folder, ['review']);
  expect(await kim.claim('review')).toMatchObject({ kind: 'claimed' });
  expect(await kim.end('review', 'fail', 'no time')).toEqual({});
  await kim.until('review', 'failed');
  expect(kim.detail('review')).toContain('no time');
});

test('what is in the way of a claim is said, and who has it', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const [kim, lee] = [
    new Person(window, project.folder),
    new Person(await project.window('lee'), project.folder),
  ];
  await window.client.run(project.folder);
  expect(await kim.claim('later')).toEqual({
    kind: 'refused',
    message: '"later" cannot be claimed now: waits for schema.',
  });
  await kim.claim('review');
  await expect(lee.claim('review')).resolves.toMatchObject({
    message: '"review" is held by kim.',
  });
  expect((await lee.end('review', 'release')).refusal).toMatch(/not yours/);
  project.write('go', '');
});

test('a lease is renewed for as long as the window is open', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  const reply = await kim.claim('short');
  expect(reply).toMatchObject({ kind: 'claimed', expiresAt: expect.any(Number) });
  const agent = await agentAt(project.env, project.folder, 'person/lee');
  const renewed = await agent.leaseEnd('short', 2);
  expect(renewed - (reply.kind === 'claimed' ? (reply.expiresAt ?? 0) : 0)).toBeGreaterThan(500);
  expect(await kim.end('short', 'complete')).toEqual({});
});

test('a window that is opened later goes on with what its person has, and one of somebody else does not', async () => {
  const project = new EditedProject(PLAN);
  const first = await project.window('kim');
  const reply = await new Person(first, project.folder).claim('short');
  await project.window('lee');
  const agent = await agentAt(project.env, project.folder, 'person/lee');
  await first.client.connection.sendRequest('shutdown');
  const kim = new Person(await project.window('kim'), project.folder);
  await kim.until('short', 'running');
  const renewed = await agent.leaseEnd('short', 3);
  expect(renewed - (reply.kind === 'claimed' ? (reply.expiresAt ?? 0) : 0)).toBeGreaterThan(900);
  expect(await kim.end('short', 'complete')).toEqual({});
});

test('a window whose folder is not trusted goes on with nothing', async () => {
  const project = new EditedProject(PLAN);
  const first = await project.window('kim');
  await new Person(first, project.folder).claim('short');
  const { client } = await project.window('lee');
  await client.until(() => client.view('short')?.state === 'running');
  await project.window('kim', { options: { isTrusted: false } });
  await first.client.connection.sendRequest('shutdown');
  await client.until(() => client.view('short')?.state !== 'running');
});

test('who has a task is asked for its files, and may release it', async () => {
  const project = new EditedProject(PLAN);
  const window = await project.window('kim');
  const kim = new Person(window, project.folder);
  window.client.chosen = 'Release';
  await kim.claim('review');
  await kim.until('review', 'running');
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  await agent.askFor('review', 'docs/a.md');
  await window.client.until(() => window.client.questions.length > 0);
  expect(window.client.questions).toEqual([
    'a1 asks you for docs/a.md, which your task "review" writes. [Release] [Not Now]',
  ]);
  await window.client.until(() => window.client.view('review')?.state !== 'running');
});

test('what cannot be read is refused', async () => {
  const project = new EditedProject(PLAN);
  const kim = new Person(await project.window('kim'), project.folder);
  await expect(kim.end('review', 'explode')).rejects.toThrow('"how" is');
  await expect(kim.claim('no such')).rejects.toThrow('no id of a task');
});
