import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GRAPH_CHANGED, type GraphReply, SHOW_GRAPH } from '../../../protocol/graph.ts';
import {
  FOLLOW_TIMELINE,
  type RunSummary,
  TIMELINE_CHANGED,
  TIMELINE_RUNS,
  type TimelineChanged,
  type TimelineReply,
} from '../../../protocol/timeline.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const UNTIL_GO = 'until test -e go || test ! -e interlock.yaml; do sleep 0.02; done';
const PLAN = `tasks:
  a: { title: First, run: "${UNTIL_GO}", writes: [x] }
  b: { run: "touch go", after: [other/c] }
  d: { run: "true", depends_on: [a], writes: [y] }
  e: { run: "true", writes: [y] }
`;
const OTHER = 'name: other\ntasks:\n  c: { run: "true" }\n';

async function folderWith(plan: string): Promise<{
  folder: OpenFolder;
  folderUri: string;
  ask: <Reply>(method: string, params: object) => Promise<Reply>;
}> {
  const folder = await OpenFolder.open({ 'interlock.yaml': plan, 'other.interlock.yaml': OTHER });
  const ask = async <Reply>(method: string, params: object): Promise<Reply> =>
    await folder.client.connection.sendRequest(method, params);
  return { folder, folderUri: folder.uri('').replace(/\/$/, ''), ask };
}

test('a graph has a place for each task, stubs for those of other plans, and dashed hazards', async () => {
  const { folderUri, ask } = await folderWith(PLAN);
  const reply = await ask<GraphReply>(SHOW_GRAPH, { folderUri, plan: 'interlock.yaml' });
  if (reply.kind === 'refused') throw new Error(reply.message);
  expect(reply.graph.nodes.map(({ id, kind, layer }) => `${id} ${kind} ${layer}`)).toEqual([
    'a task 0',
    'b task 1',
    'd task 1',
    'e task 0',
    'other/c elsewhere 0',
  ]);
  expect(reply.graph.nodes.at(-1)?.task).toEqual({ plan: 'other.interlock.yaml', id: 'c' });
  expect(reply.graph.edges.map(({ kind, from, to }) => `${kind} ${from} ${to}`)).toEqual([
    'after other/c b',
    'depends_on a d',
    'collides e d',
  ]);
});

test('a graph of what is near one task says how much it leaves out', async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `t${at}`);
  const lines = ids.map(
    (id, at) => `  ${id}: { run: x${at === 0 ? '' : `, depends_on: [t${at - 1}]`} }`,
  );
  const { folderUri, ask } = await folderWith(`tasks:\n${lines.join('\n')}\n`);
  const params = { folderUri, plan: 'interlock.yaml', around: 't10' };
  const reply = await ask<GraphReply>(SHOW_GRAPH, params);
  if (reply.kind === 'refused') throw new Error(reply.message);
  expect(reply.graph.nodes.map(({ id }) => id)).toEqual(['t8', 't9', 't10', 't11', 't12']);
  expect(reply.graph.hiddenCount).toBe(25);
});

test('whoever looks at a graph is told when it is another one', async () => {
  const { folder, folderUri, ask } = await folderWith('tasks:\n  a: { run: x }\n¦');
  const key = { folderUri, plan: 'interlock.yaml' };
  const told: unknown[] = [];
  folder.client.connection.onNotification(GRAPH_CHANGED, (params: unknown) => {
    told.push(params);
    folder.client.heard();
  });
  await ask(SHOW_GRAPH, key);
  await folder.client.open(folder.uri(), 'tasks:\n  a: { run: x }\n  b: { run: x }\n');
  await folder.client.until(() => told.length > 0);
  expect(told).toEqual([key]);
  const { client } = folder;
  const contentChanges = [{ text: 'tasks:\n  c: { run: x }\n' }];
  const textDocument = { uri: folder.uri(), version: 2 };
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument,
    contentChanges,
  });
  await client.until(() => client.view('c') !== undefined);
  // Whatever else there is to say has been said before this is answered.
  await client.connection.sendRequest('tasks/list');
  expect(told).toEqual([key]);
});

test('too many tasks are refused with what to do instead, and so is what is not there', async () => {
  const many = Array.from({ length: 1501 }, (_, at) => `  t${at}: { run: x }`).join('\n');
  const { folderUri, ask } = await folderWith(`tasks:\n${many}\n`);
  const refusals = [];
  for (const params of [
    { folderUri, plan: 'interlock.yaml' },
    { folderUri, plan: 'nowhere' },
    { folderUri: 'file:///nowhere', plan: 'interlock.yaml' },
    {},
  ]) {
    const reply = await ask<GraphReply>(SHOW_GRAPH, params);
    refusals.push(reply.kind === 'refused' ? reply.message : '');
  }
  expect(refusals).toEqual([
    'interlock.yaml has 1501 tasks, and a picture of more than 1500 shows nothing. ' +
      'Choose a task to see what is around it.',
    'There is no plan "nowhere" in this folder.',
    'This folder is not open.',
    'This folder is not open.',
  ]);
});

test('a run is told as it goes on, only what has changed of it', async () => {
  const { folder, folderUri, ask } = await folderWith(PLAN);
  const { client } = folder;
  await client.run(folder.path, ['a', 'd']);
  await client.until(() => client.view('a')?.state === 'running');
  const [run] = await ask<readonly RunSummary[]>(TIMELINE_RUNS, {});
  expect(run).toMatchObject({ folderUri, plan: 'interlock.yaml', state: 'active', taskCount: 2 });
  const reply = await ask<TimelineReply>(FOLLOW_TIMELINE, { folderUri, run: run?.run });
  expect(reply).toMatchObject({
    kind: 'timeline',
    timeline: {
      rows: [
        { id: 'a', title: 'First' },
        { id: 'd', spans: [{ cause: 'dependencies' }] },
      ],
    },
  });
  const changes: TimelineChanged[] = [];
  client.connection.onNotification(TIMELINE_CHANGED, (change: TimelineChanged) => {
    changes.push(change);
    client.heard();
  });
  writeFileSync(path.join(folder.path, 'go'), '');
  await client.until(() => changes.at(-1)?.state === 'completed');
  const rows = changes.flatMap((change) => change.rows);
  expect(rows.findLast(({ id }) => id === 'a')?.spans.at(-1)).toMatchObject({
    kind: 'running',
    end: 'completed',
    attempt: 1,
  });
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(['a', 'd']));
  await client.run(folder.path, ['e']);
  await client.until(() => client.view('e')?.state === 'completed');
  const [newest, before] = await ask<readonly RunSummary[]>(TIMELINE_RUNS, {});
  expect([newest?.taskCount, before?.run]).toEqual([1, run?.run]);
});

test('what is no run is refused', async () => {
  const { folderUri, ask } = await folderWith(PLAN);
  const params = { folderUri, run: 'none-such-run' };
  expect(await ask(FOLLOW_TIMELINE, params)).toEqual({
    kind: 'refused',
    message: 'There is no run "none-such-run".',
  });
  expect(await ask(FOLLOW_TIMELINE, { folderUri, run: 7 })).toMatchObject({ kind: 'refused' });
  expect(await ask(TIMELINE_RUNS, {})).toEqual([]);
});
