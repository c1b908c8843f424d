import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Board } from '../../../server/board/board.ts';
import type { BoardTask } from '../../../server/board/board-task.ts';
import { realWorld } from '../../../server/world.ts';
import { taskId, workerId } from '../../support/snapshots.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A board that hands its news to its table, as whoever shows it does. */
class TableOnBoard {
  readonly board: Board;
  readonly #root: string;
  #waiting: (() => void) | undefined;
  #operations = 0;

  constructor(plan: string) {
    this.#root = temporaryFolder();
    writeFileSync(path.join(this.#root, 'interlock.yaml'), plan);
    const env = { ...process.env, INTERLOCK_STATE_DIR: temporaryFolder() };
    const changed = (entries: Parameters<Board['table']['heed']>[0]): void => {
      if (entries.length === 0) this.board.table.forget();
      else this.board.table.heed(entries);
      this.#waiting?.();
    };
    const listener = { changed, failed: (said: string) => expect.fail(said) };
    this.board = new Board(this.#root, realWorld('test', env), {
      isTrusted: true,
      listener,
      carriesOn: 'all',
    });
    onTestFinished(async () => this.board.close());
  }

  async start(): Promise<void> {
    this.board.load();
    await this.board.takePart();
    await this.board.run({ tasks: [], requestedBy: 'test' });
    this.drain();
  }

  drain(): void {
    while (this.board.table.take(7).isMore) continue;
  }

  async until(isSo: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting = () => isSo() && resolve();
      this.#waiting();
    });
    this.#waiting = undefined;
  }

  async claim(id: string): Promise<void> {
    const keeper = this.board.opened!.keeper;
    const [run] = [...keeper.board.runs.keys()];
    const worker = {
      id: workerId('agent/ada'),
      kind: 'agent',
      capabilities: [],
      isIdle: true,
      root: this.#root,
      since: this.board.opened!.clock.now(),
    } as const;
    const operation = `claim ${(this.#operations += 1)}`;
    const reply = await keeper.calls.claim({
      worker,
      operation,
      task: { run: run!, task: taskId(id) },
    });
    if (reply.kind !== 'granted') throw new Error(JSON.stringify(reply));
  }
}

function shown(tasks: readonly BoardTask[]): readonly string[] {
  return tasks.map(
    ({ task, status, record }) => `${task.id} ${status.kind} ${status.detail} ${record?.runStatus}`,
  );
}

const STAGES = `limits: { parallel: 2 }
tasks:
${[1, 2, 3, 4, 5, 6].map((n) => `  first${n}: { run: "true", writes: [${n % 2}.txt] }`).join('\n')}
  bad: { run: "exit 3", depends_on: [first1, first2] }
  after-bad: { run: "true", depends_on: [bad] }
  last: { run: "true", after: [bad, first6] }
`;

test('at each news the table says what reading the whole board anew says', async () => {
  const table = new TableOnBoard(STAGES);
  const told: string[] = [];
  const look = (): boolean => {
    table.drain();
    const now = shown(table.board.table.all);
    expect(now).toEqual(shown(table.board.tasks()));
    told.push(now.join('; '));
    return now.every((row) => row.endsWith('finished'));
  };
  await table.start();
  await table.until(look);
  expect(told.length).toBeGreaterThan(5);
  expect(told.at(-1)).toContain('after-bad skipped');
});

const MANY = 2000;
const AGENTS = `tasks:
  root: { role: agent }
${Array.from({ length: MANY }, (_, n) => `  t${n}: { role: agent, depends_on: [root] }`).join('\n')}
`;

test('what happens to one of many tasks has that one looked at again, not all of them', async () => {
  const table = new TableOnBoard(AGENTS);
  await table.start();
  const { table: tasks } = table.board;
  expect(tasks.all).toHaveLength(MANY + 1);
  const before = tasks.looks;
  await table.claim('root');
  table.drain();
  expect(tasks.get('interlock.yaml', 'root')?.status.kind).toBe('claimed');
  expect(tasks.looks - before).toBe(1);
});

test('tasks that only wait for their turn are looked at a few at a time, and each in the end', async () => {
  const free = AGENTS.replaceAll(', depends_on: [root]', '');
  const table = new TableOnBoard(free);
  await table.start();
  const { table: tasks } = table.board;
  const before = tasks.looks;
  await table.claim('t7');
  expect(tasks.take(100).isMore).toBe(true);
  expect(tasks.looks - before).toBeLessThanOrEqual(101);
  table.drain();
  expect(shown(tasks.all)).toEqual(shown(table.board.tasks()));
});
