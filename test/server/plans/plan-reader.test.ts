import { expect, test } from 'vitest';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import type { ParsedPlan } from '../../../server/plans/plan.ts';
import { PlanReader } from '../../../server/plans/plan-reader.ts';
import { valuesOf } from '../../support/plan-values.ts';

const TASKS = Array.from(
  { length: 5 },
  (_, index) => `  t${index}:\n    run: x\n    after: [u]\n    writes: [src/t${index}]\n`,
);
const PLAN = `limits: { db: 1 }\ndefaults: { cwd: src }\ntasks:\n${TASKS.join('')}`;

function readTwice(next: string): readonly [ParsedPlan, ParsedPlan] {
  const reader = new PlanReader();
  return [reader.read(PLAN), reader.read(next)];
}

test('a task that neither changed nor moved is the same object', () => {
  const [before, after] = readTwice(PLAN.replace('src/t2', 'src/t9'));
  const isSame = after.tasks.map((task, index) => task === before.tasks[index]);
  expect(isSame).toStrictEqual([true, true, false, true, true]);
});

test('a task that only moved says what it said, in its new place', () => {
  const [before, after] = readTwice(PLAN.replace('src/t2', 'src/longer'));
  const isSame = after.tasks.map((task, index) => task === before.tasks[index]);
  expect(isSame).toStrictEqual([true, true, false, false, false]);
  const [was, is] = [before.tasks[3], after.tasks[3]];
  expect([is?.writes === was?.writes, is?.asks === was?.asks]).toStrictEqual([true, true]);
  expect(is?.idRange.start).toBe((was?.idRange.start ?? 0) + 'longer'.length - 't2'.length);
});

test('an open quote spoils its own task, and no other', () => {
  const { tasks, problems } = parseInterlockYaml(PLAN.replace('run: x', 'run: "x'));
  expect(tasks.map(({ id }) => id)).toStrictEqual(['t0', 't1', 't2', 't3', 't4']);
  expect(problems.map(({ code }) => code)).toStrictEqual(['syntax']);
  expect(problems[0]?.range.end).toBeLessThan(PLAN.indexOf('t1:'));
});

test('a word without its colon is told so, and nothing else is', () => {
  const text = PLAN.replace('  t3:', '  new\n  t3:');
  const { tasks, problems } = parseInterlockYaml(text);
  expect(tasks).toHaveLength(5);
  expect(
    problems.map(({ message, range }) => [message, text.slice(range.start, range.end)]),
  ).toEqual([['A key is followed by a colon: "new:".', 'new']]);
});

test('what stood below nothing is read again when there is something above it', () => {
  const reader = new PlanReader();
  for (const text of ['run: x\n1GiB\ntasks:\n', '#run: x\n1GiB\ntasks:\n'])
    expect(valuesOf(reader.read(text))).toStrictEqual(valuesOf(parseInterlockYaml(text)));
});

test('ids that differ in case only are found when one of them becomes readable', () => {
  const reader = new PlanReader();
  for (const text of ['tasks:\n  a: {}\n  A: x\n', 'tasks:\n  a: {}\n  A: {}\n'])
    expect(valuesOf(reader.read(text))).toStrictEqual(valuesOf(parseInterlockYaml(text)));
});
