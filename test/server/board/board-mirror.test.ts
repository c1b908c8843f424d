import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Board } from '../../../server/board/board.ts';
import type { FileChange, SharedFiles, TextChange } from '../../../server/board/ports.ts';
import type { Grant } from '../../../server/engine/store-port.ts';
import { DiskSharedFiles } from '../../../server/system/shared-files.ts';
import { realWorld } from '../../../server/world.ts';
import { CONFIG, taskText } from '../../support/kanban-board.ts';
import { taskId, workerId } from '../../support/snapshots.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PLAN = 'kanban/config.yml';
type Change = (text: string) => TextChange;

/** The files of this machine, and how often somebody wanted to change one. */
class WatchedFiles implements SharedFiles {
  readonly #disk = new DiskSharedFiles();
  asked = 0;
  /** Whoever changes a file finds that somebody else has it. */
  isBusy = false;

  change(root: string, file: string, change: Change): FileChange {
    this.asked += 1;
    return this.isBusy ? { kind: 'busy' } : this.#disk.change(root, file, change);
  }

  timeOfDay(): number {
    return this.#disk.timeOfDay();
  }
}

/** A repository with a board of kanban-md, and processes that open it. */
class Project {
  readonly root = temporaryFolder();
  readonly said: string[] = [];
  readonly #env = { ...process.env, INTERLOCK_STATE_DIR: temporaryFolder() };
  #operations = 0;

  constructor(tasks: Readonly<Record<string, string>>, config = CONFIG) {
    mkdirSync(path.join(this.root, 'kanban', 'tasks'), { recursive: true });
    writeFileSync(path.join(this.root, PLAN), config);
    for (const [name, text] of Object.entries(tasks)) writeFileSync(this.#file(name), text);
  }

  async open(files: SharedFiles = new DiskSharedFiles()): Promise<Board> {
    const world = { ...realWorld('test', this.#env), shared: files };
    const listener = { changed: () => {}, failed: (said: string) => void this.said.push(said) };
    const board = new Board(this.root, world, { isTrusted: true, listener, carriesOn: 'all' });
    onTestFinished(async () => board.close());
    board.load();
    await board.takePart();
    return board;
  }

  async claim(board: Board, id: string, name = 'alice'): Promise<Grant> {
    const keeper = board.opened?.keeper;
    const run = [...(keeper?.board.runs.keys() ?? [])][0]!;
    const worker = {
      id: workerId(`agent/${name}`),
      kind: 'agent',
      capabilities: [],
      isIdle: true,
      root: this.root,
      since: board.opened!.clock.now(),
    } as const;
    const reply = await keeper?.calls.claim({
      worker,
      operation: this.#operation(),
      task: { run, task: taskId(id) },
    });
    if (reply?.kind !== 'granted') throw new Error(`not granted: ${JSON.stringify(reply)}`);
    return reply.grant;
  }

  async say(
    board: Board,
    { run, task, term }: Grant,
    kind: 'completed' | 'released',
  ): Promise<void> {
    const says = kind === 'completed' ? { kind } : ({ kind, reason: 'released' } as const);
    const holder = board.opened?.keeper.board.find(run, task)?.claim?.holder;
    const by = { kind: 'worker', worker: holder?.worker ?? workerId('nobody') } as const;
    await board.opened?.keeper.calls.say({ run, task, term, by, says }, this.#operation());
  }

  text(name: string): string {
    return readFileSync(this.#file(name), 'utf8');
  }

  write(name: string, text: string): void {
    writeFileSync(this.#file(name), text);
  }

  /** What a file says by these keys. */
  says(name: string): string {
    const lines = this.text(name).split('\n');
    const keys = ['status', 'claimed_by'].map((key) =>
      lines.find((line) => line.startsWith(`${key}:`)),
    );
    return keys.filter((line) => line !== undefined).join(', ');
  }

  async run(board: Board): Promise<void> {
    const result = await board.run({ tasks: [], requestedBy: 'test' });
    if (result.kind !== 'accepted') throw new Error(result.message);
  }

  #file(name: string): string {
    return path.join(this.root, 'kanban', 'tasks', name);
  }

  #operation(): string {
    this.#operations += 1;
    return `operation ${this.#operations}`;
  }
}

function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

const TWO = {
  '001-a.md': taskText(1, '# a note\nmine: [x,  y]'),
  '002-b.md': taskText(2, 'depends_on: [1]'),
};

test('what becomes of a task is in its file, and nothing else of it has changed', async () => {
  const project = new Project(TWO);
  const board = await project.open();
  await project.run(board);
  const grant = await project.claim(board, '1');
  await expect.poll(() => project.says('001-a.md')).toBe('status: in-progress, claimed_by: alice');
  expect(project.text('001-a.md')).toContain('# a note\nmine: [x,  y]\n');
  await project.say(board, grant, 'released');
  await expect.poll(() => project.says('001-a.md')).toBe('status: in-progress');
  const again = await project.claim(board, '1', 'bob');
  await project.say(board, again, 'completed');
  await expect.poll(() => project.says('001-a.md')).toBe('status: done');
  expect(project.text('001-a.md')).toMatch(/^completed: /m);
  expect(project.text('002-b.md')).toBe(TWO['002-b.md']);
  board.load();
  // Its first task is done in the file too, and still it is the same run.
  await project.run(board);
  expect(board.opened?.keeper.board.runs.size).toBe(1);
  expect(project.said).toStrictEqual([]);
});

test('only the process that decides writes', async () => {
  const project = new Project(TWO);
  const board = await project.open();
  const files = new WatchedFiles();
  const follower = await project.open(files);
  await project.run(follower);
  await project.claim(follower, '1');
  await expect.poll(() => project.says('001-a.md')).toBe('status: in-progress, claimed_by: alice');
  expect([board.opened?.keeper.isDeciding, files.asked]).toStrictEqual([true, 0]);
});

test('what the last process had no time for is written by the next one', async () => {
  const project = new Project(TWO);
  const files = new WatchedFiles();
  const first = await project.open(files);
  await project.run(first);
  const grant = await project.claim(first, '1');
  await expect.poll(() => project.says('001-a.md')).toBe('status: in-progress, claimed_by: alice');
  files.isBusy = true;
  await project.say(first, grant, 'completed');
  await project.claim(first, '2');
  await first.close();
  expect([project.says('001-a.md'), project.says('002-b.md')]).toStrictEqual([
    'status: in-progress, claimed_by: alice',
    'status: todo',
  ]);
  await project.open();
  await expect.poll(() => project.says('001-a.md')).toBe('status: done');
  await expect.poll(() => project.says('002-b.md')).toBe('status: in-progress, claimed_by: alice');
});

test('what was written once is not written again over what people change later', async () => {
  const project = new Project(TWO);
  const first = await project.open();
  await project.run(first);
  await project.say(first, await project.claim(first, '1'), 'completed');
  await expect.poll(() => project.says('001-a.md')).toBe('status: done');
  await first.close();
  project.write('001-a.md', taskText(1, '', 'backlog'));
  const files = new WatchedFiles();
  const second = await project.open(files);
  await second.close();
  expect([project.text('001-a.md'), files.asked]).toStrictEqual([taskText(1, '', 'backlog'), 0]);
});

test('a file that somebody has for a moment is written when they are done', async () => {
  const project = new Project(TWO);
  const files = new WatchedFiles();
  const board = await project.open(files);
  await project.run(board);
  files.isBusy = true;
  await project.claim(board, '1');
  await expect.poll(() => files.asked).toBeGreaterThan(2);
  files.isBusy = false;
  await expect.poll(() => project.says('001-a.md')).toBe('status: in-progress, claimed_by: alice');
});

test('whoever has claimed a task in its file keeps it, and the user is told', async () => {
  const project = new Project(TWO);
  const board = await project.open();
  await project.run(board);
  const theirs = taskText(1, `claimed_by: bob\nclaimed_at: ${new Date().toISOString()}`);
  project.write('001-a.md', theirs);
  await project.claim(board, '1');
  await expect
    .poll(() => project.said)
    .toStrictEqual([
      'Task 1 of kanban/config.yml: its file says that "bob" has claimed it, and "alice" has it here: the file was left as it is.',
    ]);
  expect(project.text('001-a.md')).toBe(theirs);
});

test('a task that somebody has claimed in its file is theirs until that is too old', async () => {
  const project = new Project({
    '001-a.md': taskText(1, `claimed_by: bob\nclaimed_at: ${ago(30)}`),
    '002-b.md': taskText(2, 'depends_on: [1]'),
    '003-c.md': taskText(3, `claimed_by: bob\nclaimed_at: ${ago(90)}`),
    '004-d.md': taskText(4, '', 'done'),
  });
  const board = await project.open();
  const states = board
    .tasks()
    .map(({ task, status }) => `${task.id} ${status.kind} ${status.detail}`);
  expect(states).toStrictEqual([
    '1 blocked "bob" has claimed it in its file. It can start once "claimed_by" is gone from there, or the claim has become too old for its board.',
    '2 blocked It waits for "1", which cannot start.',
    '3 idle ',
    '4 completed done',
  ]);
  expect(await board.run({ tasks: [], requestedBy: 'test' })).toMatchObject({
    leftOut: [{ task: '1' }, { task: '2' }],
  });
  const done = await board.run({ tasks: [{ id: '4' }], requestedBy: 'test' });
  expect(done).toMatchObject({ message: '"4" is not to be done any more: its status is "done".' });
});

test('a full status keeps the task where it is, and says so', async () => {
  const config = `${CONFIG}wip_limits: { in-progress: 1 }\n`;
  const project = new Project(
    { '001-a.md': taskText(1), '005-e.md': taskText(5, '', 'in-progress') },
    config,
  );
  const board = await project.open();
  await project.run(board);
  await project.claim(board, '1');
  await expect.poll(() => project.says('001-a.md')).toBe('status: todo, claimed_by: alice');
  expect(project.said).toStrictEqual([
    'Task 1 of kanban/config.yml: its status in the file stays, because "in-progress" takes 1 at most on this board.',
  ]);
});
