import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Assembler } from '../../../server/plans/assemble.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { PartTasks } from '../../../server/plans/part-tasks.ts';
import type { ParsedPlan } from '../../../server/plans/plan.ts';
import { readWhole } from '../../../server/plans/read-part.ts';
import { PlanReader } from '../../../server/plans/plan-reader.ts';
import { edit, edited, planText } from '../../support/plan-edits.ts';
import { valuesOf } from '../../support/plan-values.ts';

const RUNS = Number(process.env['PLAN_RUNS'] ?? 300);

test('what is read of an edited plan is what is read of its text', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(planText, fc.array(edit, { maxLength: 12 }), (start, edits) => {
      const reader = new PlanReader();
      let text = start;
      expect(valuesOf(reader.read(text))).toStrictEqual(valuesOf(parseInterlockYaml(text)));
      for (const each of edits) {
        text = edited(text, each);
        expect(valuesOf(reader.read(text))).toStrictEqual(valuesOf(parseInterlockYaml(text)));
      }
    }),
    { numRuns: RUNS },
  );
});

test('what is read in blocks is what YAML says', { timeout: 120_000 }, () => {
  let compared = 0;
  fc.assert(
    fc.property(planText, fc.array(edit, { maxLength: 3 }), (start, edits) => {
      const text = edits.reduce(edited, start);
      const part = readWhole(text);
      if (part.slips.length > 0) return;
      compared += 1;
      const whole = new Assembler().assemble([{ tasks: new PartTasks(part), by: 0 }]);
      expect(valuesOf(parseInterlockYaml(text))).toStrictEqual(valuesOf(whole));
    }),
    { numRuns: RUNS * 5 },
  );
  expect(compared).toBeGreaterThan(RUNS);
});

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
