import { expect, test } from 'vitest';
import { observedProblems } from '../../../server/board/observed-problems.ts';
import type { WriterName } from '../../../server/scheduler/model/board-event.ts';
import type { Observed } from '../../../server/scheduler/model/observed.ts';
import { plansOfFolder } from '../../support/plans-of-folder.ts';
import { runId } from '../../support/runs.ts';
import { taskId, workerId } from '../../support/snapshots.ts';

const PATH = 'interlock.yaml';
const GONE = new Set(['gone']);
const AT = {
  folder: '',
  rules: { foldCase: false },
  isThere: (path: string) => !GONE.has(path),
};
const NOTHING: Observed = {
  undeclared: new Set(),
  unclear: new Map(),
  stale: new Map(),
  touched: new Map(),
};

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
      [
        {
          message: expect.stringMatching(/^This file changed while "a", "b" were running/),
          plans: [{}, {}],
        },
      ],
    ],
  ]);
  expect(inPlans.get(PATH)).toHaveLength(2);
});

test('a file says no more of who has written it than is known', () => {
  const [problem] = problemsOf({ undeclared: new Set(['c']) }).inFiles.get('c') ?? [];
  expect(problem?.message).toMatch(/^This file changed while task "a" was running/);
});

test('of a file that the only task there reads, both that can be are said, and neither is an error', () => {
  const { inPlans, inFiles } = problemsOf({ undeclared: new Set(['in', 'c']) });
  const said = inPlans.get(PATH)?.filter(({ message }) => message.includes('"a"'));
  expect(said).toMatchObject([
    { code: 'undeclared-write', severity: 'warning', paths: ['c'], range: { start: 44 } },
    {
      code: 'undeclared-write',
      severity: 'warning',
      paths: ['in'],
      range: { start: 30 },
      message: expect.stringMatching(
        /^in changed while "a" was running, which reads it\. If "a" wrote it, add it to "writes"\./,
      ),
    },
  ]);
  const [inFile] = inFiles.get('in') ?? [];
  expect(inFile?.message).toMatch(/which reads it and does not declare that it writes it\.$/);
});

test('many files have one problem, in the plan, and none of their own', () => {
  const undeclared = new Set(['c', 'd', 'e', 'f']);
  const { inPlans, inFiles } = problemsOf({ undeclared });
  expect(inFiles.size).toBe(0);
  const said = inPlans.get(PATH)?.filter(({ task }) => task === 'a');
  expect(said).toMatchObject([
    { paths: ['c', 'd', 'e', 'f'], message: expect.stringMatching(/^c, d, e and 1 more changed/) },
  ]);
});

test('nothing is said of files that are gone', () => {
  const { inPlans, inFiles } = problemsOf({ undeclared: new Set(['gone']) });
  expect([inPlans.size, inFiles.size]).toEqual([0, 0]);
});

test('a person is called by their name, whichever window they are in', () => {
  const stale = new Map([['in', [{ worker: workerId('person/kim:window-7') }]]]);
  const [problem] = problemsOf({ stale }).inPlans.get(PATH) ?? [];
  expect(problem?.message).toMatch(/by person\/kim: "a" may/);
});
