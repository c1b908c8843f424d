import { expect, test } from 'vitest';
import {
  OWNERSHIP_CHANGED,
  OWNERSHIP_OF,
  type OwnershipChanged,
  type OwnershipReply,
} from '../../../../protocol/ownership.ts';
import { agentAt } from '../../../support/agent-at-board.ts';
import { EditedProject, type EditorOnTrial } from '../../../support/editor-files.ts';

const PLAN = `tasks:
  api:
    run: while [ ! -e go ]; do sleep 0.01; done
    writes: [src/api/**, src/app.ts]
  review:
    role: agent
    writes: [notes/*.md]
`;
const FILES = {
  'src/api/users.ts': 'one',
  'src/app.ts': 'two',
  'notes/one.md': 'three',
  'other.ts': 'four',
};

/** What a window hears, and asks. */
class Badges {
  readonly heard: OwnershipChanged[] = [];
  readonly #window: EditorOnTrial;

  constructor(window: EditorOnTrial) {
    this.#window = window;
    window.client.connection.onNotification(OWNERSHIP_CHANGED, (change: OwnershipChanged) => {
      this.heard.push(change);
      window.client.heard();
    });
  }

  async of(...files: readonly string[]): Promise<OwnershipReply['owned']> {
    const uris = files.map((file) => this.#window.uri(file));
    const { connection } = this.#window.client;
    return (await connection.sendRequest<OwnershipReply>(OWNERSHIP_OF, { uris })).owned;
  }

  async until(isSo: (last: OwnershipChanged) => boolean): Promise<void> {
    await this.#window.client.until(() => this.heard.some(isSo));
  }
}

test('files and whole folders that a task writes are owned, open or not, until it ends', async () => {
  const project = new EditedProject(PLAN, FILES);
  const kim = await project.window('kim');
  const badges = new Badges(kim);
  expect(await badges.of('src/app.ts')).toEqual([null]);
  await kim.client.run(project.folder, ['api']);
  await badges.until(({ isAnythingOwned }) => isAnythingOwned);
  const owned = await badges.of('src/api', 'src/api/users.ts', 'src/app.ts', 'src', 'other.ts');
  expect(owned.map((each) => each?.isOwn ?? null)).toEqual([false, false, false, false, null]);
  expect(owned.map((each) => each?.isPart ?? null)).toEqual([false, false, false, true, null]);
  expect(owned[1]?.sentences[0]).toMatch(
    /^Task "api" writes here, since [-\d ]*\d\d:\d\d:\d\d, until it ends$/,
  );
  project.write('go', '');
  await badges.until(({ isAnythingOwned }) => !isAnythingOwned);
  expect(await badges.of('src/api/users.ts')).toEqual([null]);
});

test('the client hears which of the files that it asked about have other owners, and of no other', async () => {
  const project = new EditedProject(PLAN, FILES);
  const kim = await project.window('kim');
  const badges = new Badges(kim);
  await kim.client.run(project.folder, ['api', 'review']);
  await badges.until(({ isAnythingOwned }) => isAnythingOwned);
  await badges.of('src/app.ts', 'notes/one.md', 'notes', 'other.ts');
  const agent = await agentAt(project.env, project.folder, 'agent/a1');
  const { term } = await agent.claim('review');
  const uri = kim.uri('notes/one.md');
  await badges.until(({ uris }) => uris?.length === 2 && uris[0] === uri);
  const [note, folder] = await badges.of('notes/one.md', 'notes');
  expect(note?.sentences[0]).toMatch(/^a1 writes here for task "review", since .*, until /);
  expect(folder?.isPart).toBe(true);
  const before = badges.heard.length;
  await agent.renew('review', term);
  await agent.release('review', term);
  await kim.client.until(() => badges.heard.length > before);
  expect(badges.heard.slice(before)).toEqual([
    { isAnythingOwned: true, uris: [uri, kim.uri('notes')] },
  ]);
  project.write('go', '');
});

test('what the person has is theirs in each of their windows, and somebody else’s in those of others', async () => {
  const project = new EditedProject(PLAN, FILES);
  const kim = await project.window('kim');
  const lee = await project.window('lee');
  const [kims, lees] = [new Badges(kim), new Badges(lee)];
  const agent = await agentAt(project.env, project.folder, 'person/kim');
  await agent.own(['notes/**'], project.folder, 60_000);
  await kims.until(({ isAnythingOwned }) => isAnythingOwned);
  await lees.until(({ isAnythingOwned }) => isAnythingOwned);
  const [[own], [others]] = [await kims.of('notes'), await lees.of('notes')];
  expect(own?.isOwn).toBe(true);
  expect(own?.sentences[0]).toMatch(/^You write here without a task, until /);
  expect(others?.isOwn).toBe(false);
  expect(others?.sentences[0]).toMatch(/^kim writes here without a task, until /);
});

test('a question that cannot be read is refused', async () => {
  const project = new EditedProject(PLAN);
  const { client } = await project.window('kim');
  const ask = async (params: object): Promise<unknown> =>
    await client.connection.sendRequest(OWNERSHIP_OF, params);
  await expect(ask({})).rejects.toThrow('"uris" is a list of URIs.');
  await expect(ask({ uris: [1] })).rejects.toThrow('"uris" is a list of URIs.');
  const many = Array.from({ length: 1001 }, () => 'file:///a');
  await expect(ask({ uris: many })).rejects.toThrow('"uris" has at most 1000 URIs.');
});
