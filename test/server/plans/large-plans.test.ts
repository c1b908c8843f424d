import { expect, test } from 'vitest';
import { analyzePlan } from '../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import type { AnalyzedPlan, ParsedPlan } from '../../../server/plans/plan.ts';
import { PlanReader } from '../../../server/plans/plan-reader.ts';
import { taskId } from '../../support/snapshots.ts';

/** Nothing of this takes a second; what is quadratic takes minutes, and then too long for a test. */
const LARGE = 10_000;

function analyze(text: string): AnalyzedPlan {
  return analyzePlan(parseInterlockYaml(text), { foldCase: false });
}

function planOf(keysOf: (index: number) => string): AnalyzedPlan {
  const lines = Array.from({ length: LARGE }, (_, index) => ` t${index}: { ${keysOf(index)} }\n`);
  return analyze(`tasks:\n${lines.join('')}`);
}

test('the problems past the limit are counted', () => {
  const { problems, obstacles } = planOf((index) => `run: x, after: [u${index}]`);
  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)).toStrictEqual({
    code: 'more-problems',
    severity: 'warning',
    message: '9000 more problems are not shown.',
    range: { start: 0, end: 0 },
    related: [],
  });
  expect(obstacles.size).toBe(LARGE);
});

test('a large plan may be one cycle', () => {
  const { problems, obstacles } = planOf((index) => `run: x, after: [t${(index + 1) % LARGE}]`);
  expect(problems).toHaveLength(20);
  expect(problems[0]?.message).toMatch(/^Dependency cycle: t0 → t1 → .* → t19 → 9980 more → t0\./);
  expect(obstacles.size).toBe(LARGE);
});

test('a large plan may wait behind one broken task', () => {
  const { obstacles } = planOf((index) =>
    index === 0 ? 'agent: x' : `run: x, after: [t${index - 1}]`,
  );
  expect(obstacles.get(taskId('t9999'))).toBe('It waits for "t0", which cannot start.');
});

test('a large plan may be for others to do', () => {
  const { obstacles } = planOf((index) => (index === 0 ? '' : `after: [t${index - 1}]`));
  expect(obstacles.size).toBe(0);
});

test('a large plan may write one file', () => {
  expect(planOf(() => 'run: x, writes: [y]').problems).toHaveLength(1001);
});

test('a plan of more tasks is read up to the limit', () => {
  const lines = Array.from({ length: 20_001 }, (_, index) => ` t${index}: { run: x }\n`);
  const { tasks, problems, obstacles } = analyze(`tasks:\n${lines.join('')}`);
  expect([tasks.length, problems.length, obstacles.size]).toStrictEqual([20_000, 1, 0]);
  expect(problems[0]?.message).toBe('A plan has at most 20000 tasks; the rest is left out.');
});

test('a plan that has its tasks in two places has no more of them', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => ` t${index}: { run: x }\n`);
  const text = `tasks:\n${lines.join('')}tasks:\n more: { run: x }\n`;
  const { tasks, problems } = analyze(text);
  expect(tasks).toHaveLength(20_000);
  expect(problems.map(({ code }) => code)).toStrictEqual(['duplicate-key', 'too-large']);
});

test('a large plan may take its defaults', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => ` t${index}: { run: x }\n`);
  const text = `defaults: { env: { A: x }, resources: { cpu: 1 }, timeout: x }\ntasks:\n${lines.join('')}`;
  const { problems, obstacles } = analyze(text);
  expect([problems.length, obstacles.size]).toStrictEqual([1, 20_000]);
});

/** The plan, and in how many slices it was read. */
function readInSlices(text: string): { plan: ParsedPlan; slices: number } {
  const reading = new PlanReader().reading(text);
  for (let slices = 1; ; slices += 1) {
    const slice = reading.next();
    if (slice.done === true) return { plan: slice.value, slices };
  }
}

/** What a slice may read is counted, so that no plan holds up a process for long. */
const SLICED: Readonly<Record<string, { text: string; slices: number }>> = {
  'one task after the other': {
    text: `tasks:\n${Array.from({ length: 2000 }, (_, n) => ` t${n}:\n  run: npm run build\n  writes: [a${n}/**]\n`).join('')}`,
    slices: 10,
  },
  JSON: {
    text: JSON.stringify({
      tasks: Object.fromEntries(
        Array.from({ length: 2000 }, (_, n) => [`t${n}`, { run: 'x', writes: [`a${n}/**`] }]),
      ),
    }),
    slices: 25,
  },
  'one key with very much in it': {
    text: `tasks:\n a:\n  run: x\n  after: [${'b,'.repeat(50_000)}]\n`,
    slices: 20,
  },
};

for (const [name, { text, slices }] of Object.entries(SLICED))
  test(`a large plan is read in slices: ${name}`, () => {
    const read = readInSlices(text);
    expect(read.slices).toBeGreaterThan(slices);
    expect(read.plan).toEqual(parseInterlockYaml(text));
  });

test('a plan of more signs than can soon be put together is refused', () => {
  for (const text of [`a: [${'[],'.repeat(300_000)}]`, `a: ${'"'.repeat(900_000)}`])
    expect(parseInterlockYaml(text).problems.map(({ message }) => message)).toEqual([
      'A plan has at most 200000 words, signs and line breaks to YAML. Split it into several files.',
    ]);
});
