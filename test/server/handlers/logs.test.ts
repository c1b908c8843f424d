import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  type AttemptView,
  CANCEL_FOLLOWED,
  FOLLOW_LOG,
  type FollowReply,
  LIST_ATTEMPTS,
  LOG_ENDED,
  LOG_OUTPUT,
  type LogEnded,
  type LogOutput,
  RUN_AND_FOLLOW,
  UNFOLLOW_LOG,
} from '../../../protocol/logs.ts';
import { realWorld } from '../../../server/world.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A client that looks at logs, and keeps what it was told of them. */
class LogReader {
  readonly client: LanguageClient;
  readonly folder = temporaryFolder();
  readonly outputs: LogOutput[] = [];
  readonly ends: LogEnded[] = [];
  /** Pieces are taken when this has come. */
  takes: Promise<void> = Promise.resolve();
  /** Only pieces of this task wait for that, if it is named. */
  slow = '';

  constructor(plan: string) {
    writeFileSync(path.join(this.folder, 'interlock.yaml'), plan);
    const env = { ...process.env, INTERLOCK_STATE_DIR: path.join(this.folder, '.state') };
    this.client = clientInMemory(realWorld('a test', env));
    const { connection } = this.client;
    connection.onRequest(LOG_OUTPUT, async (output: LogOutput) => {
      this.outputs.push(output);
      this.client.heard();
      if (this.slow === '' || this.slow === output.task) await this.takes;
      return null;
    });
    connection.onNotification(LOG_ENDED, (end: LogEnded) => {
      this.ends.push(end);
      this.client.heard();
    });
  }

  async start(): Promise<void> {
    await this.client.start(this.folder);
  }

  async ask(method: string, id: string, more: object = {}): Promise<FollowReply> {
    const params = { follower: 'me', task: this.client.key(this.folder, id), ...more };
    return await this.client.connection.sendRequest(method, params);
  }

  async attempts(id: string): Promise<readonly AttemptView[]> {
    return await this.client.connection.sendRequest(
      LIST_ATTEMPTS,
      this.client.key(this.folder, id),
    );
  }

  textOf(task: string): string {
    const own = this.outputs.filter((output) => output.task === task);
    return own.map(({ text }) => text).join('');
  }
}

test('a task is run and what it and what it needs print is told, with its exit code', async () => {
  const reader = new LogReader(`tasks:
  schema: { run: echo one }
  api: { depends_on: [schema], run: 'printf "\\033[31mtwo\\033[0m\\033]0;title\\007\\n"; exit 3' }
`);
  await reader.start();
  const reply = await reader.ask(RUN_AND_FOLLOW, 'api');
  expect(reply).toEqual({ kind: 'following', tasks: ['api', 'schema'] });
  await reader.client.until(() => reader.ends.length === 2);
  expect(reader.textOf('schema')).toBe('one\n');
  expect(reader.textOf('api')).toBe('\u001B[31mtwo\u001B[0m\n\u001B[0m');
  const ends = reader.ends.map(({ task, state, exitCode, isLast }) => [
    task,
    state,
    exitCode,
    isLast,
  ]);
  expect(ends).toEqual([
    ['schema', 'completed', 0, false],
    ['api', 'failed', 3, true],
  ]);
  expect(reader.ends.at(-1)?.detail).toMatch(/^exit code 3 after /);
});

test('what a needed task printed is told to its end, also when it is taken after all has ended', async () => {
  const reader = new LogReader(
    `tasks:\n  schema: { run: echo one }\n  api: { depends_on: [schema], run: echo two }\n`,
  );
  const taken = Promise.withResolvers<void>();
  [reader.slow, reader.takes] = ['schema', taken.promise];
  await reader.start();
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.until(() => reader.client.finishedRuns.length === 1);
  await reader.client.until(() => reader.textOf('api') === 'two\n');
  taken.resolve();
  await reader.client.until(() => reader.ends.at(-1)?.isLast === true);
  expect(reader.ends.map(({ task, isLast }) => [task, isLast])).toEqual([
    ['schema', false],
    ['api', true],
  ]);
});

test('a needed task that goes on when the task was cancelled is not waited for', async () => {
  const reader = new LogReader(
    `tasks:\n  schema: { run: echo one; sleep 60 }\n  api: { depends_on: [schema], run: echo two }\n`,
  );
  await reader.start();
  await reader.client.run(reader.folder);
  await reader.client.until(() => reader.client.view('schema')?.state === 'running');
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.until(() => reader.textOf('schema') === 'one\n');
  await reader.client.connection.sendRequest(CANCEL_FOLLOWED, { follower: 'me' });
  await reader.client.until(() => reader.ends.length > 0);
  expect(reader.ends).toMatchObject([{ task: 'api', state: 'cancelled', isLast: true }]);
  expect(reader.client.view('schema')?.state).toBe('running');
});

test('output comes while the task runs, and the next piece when the last one was taken', async () => {
  const reader = new LogReader(
    `tasks:\n  api: { run: 'echo one; until [ -e go ]; do sleep 0.02; done; echo two' }\n`,
  );
  await reader.start();
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.until(() => reader.textOf('api') === 'one\n');
  const taken = Promise.withResolvers<void>();
  reader.takes = taken.promise;
  writeFileSync(path.join(reader.folder, 'go'), '');
  await reader.client.until(() => reader.textOf('api') === 'one\ntwo\n');
  await reader.client.until(() => reader.client.states === 'api completed');
  expect(reader.ends).toEqual([]);
  taken.resolve();
  await reader.client.until(() => reader.ends.length === 1);
});

test('whoever follows a task sees its newest attempt, and those of later runs', async () => {
  const reader = new LogReader(`tasks:\n  api: { run: 'echo again >> all; wc -l < all' }\n`);
  await reader.start();
  await reader.client.run(reader.folder);
  await reader.client.until(() => reader.client.finishedRuns.length === 1);
  expect(await reader.ask(FOLLOW_LOG, 'api')).toEqual({ kind: 'following', tasks: ['api'] });
  await reader.client.until(() => reader.ends.length === 1);
  expect(reader.textOf('api').trim()).toBe('1');
  await reader.client.run(reader.folder);
  await reader.client.until(() => reader.ends.length === 2);
  expect(reader.textOf('api').split(/\s+/).filter(Boolean)).toEqual(['1', '2']);
  await reader.client.connection.sendNotification(UNFOLLOW_LOG, { follower: 'me' });
  await reader.client.run(reader.folder);
  await reader.client.until(() => reader.client.finishedRuns.length === 3);
  expect(reader.ends).toHaveLength(2);
});

test('attempts are listed, the newest first, and each can be read by itself', async () => {
  const reader = new LogReader(
    `tasks:\n  api: { run: 'echo try $INTERLOCK_ATTEMPT; exit 1', retry: { attempts: 2, backoff: 1ms } }\n`,
  );
  await reader.start();
  expect(await reader.attempts('api')).toEqual([]);
  await reader.client.run(reader.folder);
  await reader.client.until(() => reader.client.finishedRuns.length === 1);
  const attempts = await reader.attempts('api');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([2, 1]);
  expect(attempts[0]?.outcome).toMatch(/^failed, exit code 1 after /);
  expect(attempts[1]?.outcome).toBe('');
  const { run, revision, attempt } = attempts[1]!;
  await reader.ask(FOLLOW_LOG, 'api', { attempt: { run, revision, attempt } });
  await reader.client.until(() => reader.ends.length === 1);
  expect(reader.textOf('api')).toBe('try 1\n');
  expect(reader.ends[0]?.isLast).toBe(true);
});

test('a long log comes whole and in order', async () => {
  const reader = new LogReader(`tasks:\n  api: { run: seq 100000 300000 }\n`);
  await reader.start();
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.until(() => reader.ends.length === 1);
  const lines = reader.textOf('api').trimEnd().split('\n');
  expect(lines).toEqual(Array.from({ length: 200_001 }, (_, index) => String(100_000 + index)));
});

test('a log of 10 MiB that is looked at again comes at once, in full pieces and nothing twice', async () => {
  const length = 10 * 1024 * 1024;
  const reader = new LogReader(`tasks:\n  api: { run: 'yes 0123456 | head -c ${length}' }\n`);
  await reader.start();
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.until(() => reader.ends.length === 1);
  reader.outputs.length = 0;
  const [attempt] = await reader.attempts('api');
  await reader.ask(FOLLOW_LOG, 'api', { attempt });
  await reader.client.until(() => reader.ends.length === 2);
  const lengths = reader.outputs.map(({ text }) => text.length);
  expect(lengths.reduce((sum, one) => sum + one, 0)).toBe(length);
  expect(lengths.length).toBeLessThanOrEqual(41);
  expect(Math.max(...lengths)).toBeLessThan(384 * 1024);
});

test('while other tasks of its plan run, a task waits; cancelled, what was begun for it ends', async () => {
  const reader = new LogReader(`tasks:\n  api: { run: sleep 60 }\n  docs: { run: echo docs }\n`);
  await reader.start();
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.until(() => reader.client.states === 'api running, docs idle');
  const busy = await reader.ask(RUN_AND_FOLLOW, 'docs', { follower: 'you' });
  expect(busy).toMatchObject({ kind: 'busy' });
  await reader.client.connection.sendRequest(CANCEL_FOLLOWED, { follower: 'me' });
  await reader.client.until(() => reader.ends.length === 1);
  expect(reader.ends[0]).toMatchObject({ state: 'cancelled', exitCode: 130, isLast: true });
  expect(await reader.ask(RUN_AND_FOLLOW, 'docs', { follower: 'you' })).toMatchObject({
    kind: 'following',
  });
  await reader.client.until(() => reader.textOf('docs') === 'docs\n');
});

test('of a run that others began, only the task is cancelled', async () => {
  const reader = new LogReader(`tasks:\n  api: { run: sleep 60 }\n  docs: { run: sleep 60 }\n`);
  await reader.start();
  await reader.client.run(reader.folder);
  await reader.client.until(() => reader.client.states === 'api running, docs running');
  await reader.ask(RUN_AND_FOLLOW, 'api');
  await reader.client.connection.sendRequest(CANCEL_FOLLOWED, { follower: 'me' });
  await reader.client.until(() => reader.ends.length === 1);
  expect(reader.client.view('docs')?.state).toBe('running');
});

const REFUSED: readonly (readonly [string, string, object, RegExp])[] = [
  ['without a name', FOLLOW_LOG, { follower: 7 }, /"follower" is a name/],
  ['with a name that is too long', FOLLOW_LOG, { follower: 'x'.repeat(101) }, /at most 100/],
  ['without a task', FOLLOW_LOG, { task: 'api' }, /"folderUri", "plan" and "id"/],
  [
    'of an attempt whose name leads elsewhere',
    FOLLOW_LOG,
    { attempt: { run: '../../../etc', revision: 1, attempt: 1 } },
    /An attempt is named by/,
  ],
  [
    'of an attempt that is no number',
    FOLLOW_LOG,
    { attempt: { run: '0mabcdef-0123456789', revision: '1/..', attempt: 1 } },
    /An attempt is named by/,
  ],
];

for (const [what, method, more, message] of REFUSED)
  test(`a request ${what} is refused`, async () => {
    const reader = new LogReader(`tasks:\n  api: { run: echo }\n`);
    await reader.start();
    await expect(reader.ask(method, 'api', more)).rejects.toThrow(message);
  });

test('a task that is not there, or a folder that is not open, is said so', async () => {
  const reader = new LogReader(`tasks:\n  api: { run: echo }\n`);
  await reader.start();
  expect(await reader.ask(FOLLOW_LOG, 'apy')).toEqual({
    kind: 'refused',
    message: 'There is no task "apy" in interlock.yaml any more.',
  });
  const elsewhere = { folderUri: 'file:///elsewhere', plan: 'interlock.yaml', id: 'api' };
  expect(await reader.ask(RUN_AND_FOLLOW, 'api', { task: elsewhere })).toMatchObject({
    kind: 'refused',
  });
});

test('no more are followed than may be, and none twice, also when all ask at once', async () => {
  const reader = new LogReader(`tasks:\n  api: { run: echo }\n`);
  await reader.start();
  const names = Array.from({ length: 202 }, (_, index) => `reader ${Math.min(index, 200)}`);
  const replies = await Promise.allSettled(
    names.toReversed().map(async (follower) => reader.ask(FOLLOW_LOG, 'api', { follower })),
  );
  const refusals = replies.flatMap((reply) =>
    reply.status === 'rejected' ? [String(reply.reason)] : [],
  );
  expect(refusals).toEqual([
    expect.stringContaining('"reader 200" follows something already'),
    expect.stringContaining('No more than 200 logs'),
  ]);
  await reader.client.connection.sendNotification(UNFOLLOW_LOG, { follower: 'reader 7' });
  expect(await reader.ask(FOLLOW_LOG, 'api')).toMatchObject({ kind: 'following' });
});
