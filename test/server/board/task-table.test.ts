import { expect, test } from 'vitest';
import { shown, TableOnBoard } from '../../support/table-on-board.ts';

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

test('what only waits for its turn stays as it is until somebody has time to look', async () => {
  const free = AGENTS.replaceAll(', depends_on: [root]', '');
  const table = new TableOnBoard(free);
  await table.start();
  const { table: tasks } = table.board;
  // Now there is an agent.
  await table.claim('t0');
  table.drain();
  const row = tasks.get('interlock.yaml', 't8');
  const before = tasks.looks;
  for (const id of ['t1', 't2', 't3']) {
    await table.claim(id);
    expect(tasks.take(0).isMore).toBe(true);
  }
  expect(tasks.looks - before).toBe(3);
  table.drain();
  expect(tasks.looks - before).toBeGreaterThan(MANY - 4);
  // Nobody is told of what looks the same.
  expect(tasks.get('interlock.yaml', 't8')).toBe(row);
});

test('that a run has ended is known of its tasks before they are looked at again', async () => {
  const table = new TableOnBoard(AGENTS);
  await table.start();
  const { table: tasks, opened } = table.board;
  const [run] = [...opened!.keeper.board.runs.keys()];
  await table.board.control({ kind: 'stop-run', run: run! });
  await table.until(() => opened!.keeper.board.runs.size === 0);
  tasks.take(0);
  expect(tasks.recordOf('interlock.yaml', 't8')?.runStatus).toBe('finished');
});
