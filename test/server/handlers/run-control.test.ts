import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLAIM_TASK, END_CLAIM } from '../../../protocol/claims.ts';
import type { RunView } from '../../../protocol/runs.ts';
import {
  CONTROL_TASKS,
  type ControlReply,
  DESCRIBE_TASK,
  type DescribeReply,
  type Intervention,
} from '../../../protocol/tasks.ts';
import { OpenFolder } from '../../support/open-folder.ts';

const PLAN = `tasks:
  slow: { run: "echo begun; until test -e go; do sleep 0.02; done; rm go" }
  after: { run: "true", depends_on: [slow] }
  odd: { run: "echo 'it <b>broke</b>'; test -e fixed" }
`;

class Controlled {
  readonly folder: OpenFolder;

  constructor(folder: OpenFolder) {
    this.folder = folder;
  }

  get newest(): RunView | undefined {
    return this.folder.client.runs.at(-1);
  }

  async control(what: Intervention): Promise<readonly string[]> {
    const params = { folderUri: this.folder.uri('').replace(/\/$/, ''), what };
    const { connection } = this.folder.client;
    return (await connection.sendRequest<ControlReply>(CONTROL_TASKS, params)).refusals;
  }

  async describe(id: string): Promise<string | undefined> {
    const key = this.folder.client.key(this.folder.path, id);
    const { connection } = this.folder.client;
    return (await connection.sendRequest<DescribeReply>(DESCRIBE_TASK, key)).markdown;
  }

  async until(isSo: () => boolean): Promise<void> {
    await this.folder.client.until(isSo);
  }
}

async function openPlan(): Promise<Controlled> {
  return new Controlled(await OpenFolder.open({ 'interlock.yaml': PLAN }));
}

function tasksNamed(...ids: readonly string[]): { plan: string; id: string }[] {
  return ids.map((id) => ({ plan: 'interlock.yaml', id }));
}

test('a run is told with how its tasks are, from its beginning to its end', async () => {
  const board = await openPlan();
  const { client, path: root } = board.folder;
  await client.run(root);
  await board.until(() => board.newest?.counts.running === 1 && board.newest.counts.failed === 1);
  expect(board.newest).toMatchObject({
    plan: 'interlock.yaml',
    requestedBy: 'editor',
    status: 'active',
    counts: { waiting: 1, ready: 0, running: 1, failed: 1, completed: 0 },
  });
  writeFileSync(path.join(root, 'go'), '');
  await board.until(() => board.newest?.status === 'finished');
  expect(board.newest).toMatchObject({
    outcome: 'failed',
    counts: { running: 0, failed: 1, completed: 2 },
  });
  await board.until(() => client.finishedRuns.length === 1);
  expect(client.finishedRuns[0]).toMatchObject({ run: board.newest?.run, failedIds: ['odd'] });
});

test('tasks are paused, go on, are cancelled and tried again', async () => {
  const board = await openPlan();
  const { client, path: root } = board.folder;
  await client.run(root);
  await board.until(() => client.view('slow')?.state === 'running');
  expect(await board.control({ kind: 'pause', tasks: tasksNamed('after') })).toEqual([]);
  await board.until(() => client.view('after')?.isPaused === true);
  expect(await board.control({ kind: 'resume', tasks: tasksNamed('after') })).toEqual([]);
  await board.until(() => client.view('after')?.isPaused === false);
  expect(await board.control({ kind: 'pause-all' })).toEqual([]);
  await board.until(() => board.newest?.status === 'paused');
  expect(await board.control({ kind: 'resume-all' })).toEqual([]);
  await board.until(() => board.newest?.status === 'active');
  expect(await board.control({ kind: 'cancel', tasks: tasksNamed('slow', 'after') })).toEqual([]);
  await board.until(() => board.newest?.status === 'finished');
  expect(client.view('slow')?.state).toBe('cancelled');
  writeFileSync(path.join(root, 'fixed'), '');
  expect(await board.control({ kind: 'retry', tasks: tasksNamed('odd') })).toEqual([]);
  await board.until(() => client.view('odd')?.state === 'completed');
});

test('a run is stopped, and what cannot be done is said', async () => {
  const board = await openPlan();
  const { client, path: root } = board.folder;
  expect(await board.control({ kind: 'cancel', tasks: tasksNamed('odd') })).toEqual([
    '"odd" is in no unfinished run. There is nothing to cancel.',
  ]);
  await client.run(root, ['slow']);
  await board.until(() => client.view('slow')?.state === 'running');
  expect(await board.control({ kind: 'answer', tasks: tasksNamed('slow') })).toEqual([
    '"slow" has asked nothing.',
  ]);
  await board.until(() => board.newest !== undefined);
  const { run } = board.newest!;
  expect(await board.control({ kind: 'stop-run', run })).toEqual([]);
  await board.until(() => board.newest?.status === 'finished');
  expect(board.newest?.outcome).toBe('cancelled');
  expect(await board.control({ kind: 'pause', tasks: tasksNamed('slow') })).toEqual([
    '"slow" is in no unfinished run. There is nothing to pause.',
  ]);
  expect(await board.control({ kind: 'stop-run', run })).toEqual([
    `Run ${run} has ended, or there is none.`,
  ]);
});

test('a run whose command takes its time to end is being stopped', async () => {
  const plan = `tasks:
  deaf: { run: "trap '' TERM; echo begun; until test -e go; do sleep 0.02; done" }
`;
  const board = new Controlled(await OpenFolder.open({ 'interlock.yaml': plan }));
  const { client, path: root } = board.folder;
  await client.run(root);
  await board.until(() => client.view('deaf')?.state === 'running');
  await board.until(() => board.newest !== undefined);
  expect(await board.control({ kind: 'stop-run', run: board.newest!.run })).toEqual([]);
  await board.until(() => board.newest?.status === 'stopping');
  writeFileSync(path.join(root, 'go'), '');
  await board.until(() => board.newest?.status === 'finished');
});

test('a task is described with its times, its attempt and the last line it wrote', async () => {
  const board = await openPlan();
  const { client, path: root } = board.folder;
  await board.until(() => client.view('odd') !== undefined);
  expect(await board.describe('odd')).toBe('**odd** — not run yet');
  expect(await board.describe('nobody')).toBeUndefined();
  await client.run(root);
  await board.until(
    () => client.view('odd')?.state === 'failed' && client.view('slow')?.state === 'running',
  );
  expect(await board.describe('after')).toContain('- Waits for slow.');
  const said = (await board.describe('odd')) ?? '';
  expect(said).toMatch(/^\*\*odd\*\* — failed, exit code 1 after/);
  expect(said).toMatch(/Started \d\d:\d\d:\d\d, ended \d\d:\d\d:\d\d, .*\n.*Attempt 1/);
  expect(said).toContain('Last output: `it <b>broke</b>`');
  writeFileSync(path.join(root, 'go'), '');
  await board.until(() => board.newest?.status === 'finished');
});

test('what clears by itself is told when it does, though nothing happens on the board', async () => {
  const retry = '{ attempts: 2, backoff: 300ms }';
  const plan = `tasks:\n  review: { role: human, retry: ${retry} }\n`;
  const { client, path: root } = await OpenFolder.open({ 'interlock.yaml': plan });
  const key = client.key(root, 'review');
  await client.until(() => client.view('review') !== undefined);
  expect(await client.connection.sendRequest(CLAIM_TASK, key)).toMatchObject({ kind: 'claimed' });
  const ending = { ...key, how: 'fail' };
  expect(await client.connection.sendRequest(END_CLAIM, ending)).toEqual({});
  await client.until(() => client.view('review')?.state === 'waiting');
  expect(client.view('review')?.detail).toBe('waits before attempt 2');
  await client.until(() => client.view('review')?.state === 'ready');
});

for (const [name, what] of Object.entries({
  'no task': { kind: 'cancel' },
  'a task without a plan': { kind: 'cancel', tasks: [{ id: 'odd' }] },
  'a word that is none': { kind: 'explode' },
  'a run that has no id': { kind: 'stop-run', run: 7 },
}))
  test(`an intervention with ${name} is refused`, async () => {
    const { folder } = await openPlan();
    const params = { folderUri: folder.uri('').replace(/\/$/, ''), what };
    await expect(folder.client.connection.sendRequest(CONTROL_TASKS, params)).rejects.toThrow('"');
  });
