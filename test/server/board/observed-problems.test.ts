import { expect, test } from 'vitest';
import { observedProblems } from '../../../server/board/observed-problems.ts';
import type { WriterName } from '../../../server/scheduler/model/board-event.ts';
import type { Observed } from '../../../server/scheduler/model/observed.ts';
import { plansOfFolder } from '../../support/plans-of-folder.ts';
import { runId } from '../../support/runs.ts';
import { taskId, workerId } from '../../support/snapshots.ts';

const PATH = 'interlock.yaml';
const AT = { folder: '', rules: { foldCase: false } };
const NOTHING: Observed = { undeclared: new Set(), unclear: new Map(), stale: new Map() };

/** The tasks `a` and `b`, each with the same seen of it. */
function problemsOf(observed: Partial<Observed>): ReturnType<typeof observedProblems> {
  const [plan] = plansOfFolder({
    [PATH]: 'tasks:\n  a: { run: x, reads: [in], writes: [a] }\n  b: { run: x, writes: [b] }\n',
  }).plans;
  const seen = plan!.plan.tasks.map((task) => ({
    plan: plan!,
    task,
    observed: { ...NOTHING, ...observed },
  }));
  return observedProblems(seen, AT);
}

function writer(name: string): WriterName {
  return { run: runId(1), task: taskId(name), term: 1 };
}

test('a file that one of several has written has one problem, which leads to what each of them says', () => {
  const unclear = new Map([['c', [writer('a'), writer('b')]]]);
  const { inFiles, inPlans } = problemsOf({ unclear });
  expect([...inFiles]).toMatchObject([
    [
      'c',
      [{ message: expect.stringMatching(/^One of "a", "b" wrote this file/), plans: [{}, {}] }],
    ],
  ]);
  expect(inPlans.get(PATH)).toHaveLength(2);
});

test('a file says no more of who has written it than is known', () => {
  const [problem] = problemsOf({ undeclared: new Set(['c']) }).inFiles.get('c') ?? [];
  expect(problem?.message).toMatch(/^This file was written while "a" was at work/);
});

test('of a file that the only task there reads, both that can be are said, and neither is an error', () => {
  const { inPlans, inFiles } = problemsOf({ undeclared: new Set(['in', 'c']) });
  const said = inPlans.get(PATH)?.filter(({ message }) => message.includes('"a"'));
  expect(said).toMatchObject([
    { code: 'undeclared-write', severity: 'error', paths: ['c'], range: { start: 44 } },
    {
      code: 'undeclared-write',
      severity: 'warning',
      paths: ['in'],
      range: { start: 30 },
      message: expect.stringMatching(
        /^While "a" was at work, and no other task here, in was written, which it reads: either "a" wrote it without having declared that, or its input is stale\./,
      ),
    },
  ]);
  const [inFile] = inFiles.get('in') ?? [];
  expect(inFile?.message).toMatch(
    /Either "a" wrote it without having declared that, or its input is stale\.$/,
  );
});

test('a person is called by their name, whichever window they are in', () => {
  const stale = new Map([['in', [{ worker: workerId('person/kim:window-7') }]]]);
  const [problem] = problemsOf({ stale }).inPlans.get(PATH) ?? [];
  expect(problem?.message).toMatch(/by person\/kim: "a" may/);
});
