import { expect, test } from 'vitest';
import { analyzePlan } from '../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import type { PlanTask } from '../../../server/plans/plan.ts';
import { checkProblems } from '../../support/check-problems.ts';

type Said = Pick<PlanTask, 'asks'> & Partial<Pick<PlanTask, 'cwd' | 'env'>>;

/** What a task with a command says with some defaults below it, and that nothing is wrong with it. */
function check(name: string, [defaults, keys]: readonly [string, string], expected: Said): void {
  test(name, () => {
    const text = `tasks: { a: { ${keys} } }\ndefaults: { ${defaults} }\nlimits: { db: 4, web: 4 }`;
    const { tasks, problems } = parseInterlockYaml(text);
    expect(problems).toStrictEqual([]);
    const { cwd, env, asks } = tasks[0] ?? {};
    expect({ cwd, env, asks }).toStrictEqual({ cwd: '', env: {}, ...expected });
  });
}

const RETRY = { attempts: 1, backoffMs: 100, factor: 2, maxMs: 30_000, on: [] };

check(
  'a task takes all that it does not say',
  [
    'cwd: src, env: { A: x }, priority: low, resources: { db: 2 }, needs: [web], retry: { attempts: 2 }, timeout: 5m, stuck_after: 1m, lease: 1m',
    'run: x',
  ],
  {
    cwd: 'src',
    env: { A: 'x' },
    asks: {
      priority: 'low',
      resources: { db: 2 },
      needs: ['web'],
      retry: { ...RETRY, attempts: 2 },
      timeout: { hardMs: 300_000 },
      stuckAfterMs: 60_000,
      leaseMs: 60_000,
    },
  },
);
check(
  'what a task says counts',
  [
    'cwd: src, priority: low, needs: [web], timeout: 5m, stuck_after: 1m, lease: 1m',
    'run: x, cwd: ., priority: high, needs: [], timeout: { soft: 1s }, stuck_after: 2m, lease: 2m',
  ],
  {
    asks: {
      priority: 'high',
      needs: [],
      timeout: { softMs: 1000 },
      stuckAfterMs: 120_000,
      leaseMs: 120_000,
    },
  },
);
check(
  'variables, resources and retries are put together by name',
  [
    'env: { A: x, B: y }, resources: { db: 2, web: 1 }, retry: { attempts: 2, factor: 3 }',
    'run: x, env: { B: z, C: z }, resources: { db: 1, cpu: 1 }, retry: { attempts: 5 }',
  ],
  {
    env: { A: 'x', B: 'z', C: 'z' },
    asks: {
      resources: { web: 1, db: 1, cpu: 1 },
      retry: { ...RETRY, attempts: 5, factor: 3 },
    },
  },
);
check(
  'runners are in a hurry, people are not',
  ['lease: 1m, stuck_after: 1m, priority: low', 'role: human'],
  {
    asks: { doer: { kind: 'person' }, priority: 'low' },
  },
);
check('nor is whoever else claims a task', ['lease: 1m, stuck_after: 1m', ''], {
  asks: { doer: { kind: 'anyone' } },
});
check('an agent is, where nobody says otherwise', ['lease: 1m, stuck_after: 1m', 'role: agent'], {
  asks: { doer: { kind: 'agent' }, leaseMs: 60_000, stuckAfterMs: 60_000 },
});

check('tasks run where the defaults say', ['on: [build-1, local], in: tmux', 'run: x'], {
  asks: { hosts: ['build-1', 'local'], isInSession: true },
});
check('one host is a list of one', ['', 'run: x, on: build-1'], { asks: { hosts: ['build-1'] } });
check('this machine needs no name', ['on: build-1', 'run: x, on: local'], { asks: {} });
check('a terminal is here, wherever other tasks run', ['on: build-1', 'run: x, in: terminal'], {
  asks: { doer: { kind: 'terminal' } },
});
check('a task on a host has no terminal', ['in: terminal', 'run: x, on: build-1'], {
  asks: { hosts: ['build-1'] },
});

const WRONG = 'error wrong-type:';

checkProblems(
  'the defaults have no terminal on a host',
  'defaults: { in: terminal, on: «build-1» }',
  'error contradiction: A terminal is on this machine, and not on "build-1": use "in: tmux", which you can attach to there, or leave out "on".',
);

checkProblems(
  'defaults have keys',
  'defaults: «low»',
  `${WRONG} "defaults" holds keys: { retry: { attempts: 2 } }.`,
);
checkProblems(
  'a slip of the keys is named',
  'defaults: { «prioritiy»: low, «run»: x, «depends_on»: [a] }',
  [
    'warning unknown-key: "prioritiy" is not a key of "defaults". Did you mean "priority"?',
    'warning unknown-key: "run" is not a key of "defaults".',
    'warning unknown-key: "depends_on" is not a key of "defaults".',
  ],
);
checkProblems(
  'keys of later versions are named',
  'defaults: { in: tmux, on: x, «isolation»: none }',
  'warning not-yet: This version does not act on "isolation" yet.',
);
checkProblems(
  'a mistake is marked once, however many tasks have it',
  'defaults: { timeout: «5», resources: { «db»: 1 } }\ntasks: { a: { run: x }, b: { run: x } }',
  [
    `${WRONG} "timeout" is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m. Did you mean "5s"?`,
    'error unknown-limit: There is no limit "db" in this plan.',
  ],
);
checkProblems(
  'what no task takes may be too much',
  'defaults: { resources: { db: 2 } }\nlimits: { db: 1 }\ntasks: { a: { run: x, resources: { db: 1 } } }',
  [],
);

/** Which tasks a mistake in the defaults stops. */
function checkObstacles(name: string, text: string, expected: Record<string, string>): void {
  test(name, () => {
    const { obstacles } = analyzePlan(parseInterlockYaml(text), { foldCase: false });
    expect(Object.fromEntries(obstacles)).toStrictEqual(expected);
  });
}

const FOLDER = 'A path cannot leave the workspace folder with "..".';

checkObstacles(
  'a mistake stops those who take it, and what waits for them',
  'defaults: { cwd: ../x, priority: low }\ntasks:\n a: { run: x }\n b: { run: x, cwd: y }\n c: { run: x, cwd: z, after: [a] }',
  { a: FOLDER, c: 'It waits for "a", which cannot start.' },
);
checkObstacles(
  'a mistake in what is put together stops all',
  'tasks:\n a: { run: x, env: { A: x } }\n b: { run: x, env: {} }\ndefaults: { env: { A: [] } }',
  { a: '"A" is a text.', b: '"A" is a text.' },
);
checkObstacles(
  'a mistake in a retry stops those who add to it',
  'defaults: { retry: { max: soon } }\ntasks:\n a: { run: x, retry: { attempts: 2 } }',
  { a: '"max" is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.' },
);
checkObstacles(
  'asking for too much stops those who do',
  'defaults: { resources: { db: 3 } }\nlimits: { db: 2 }\ntasks:\n a: { run: x }\n b: { role: human }',
  {
    a: '"db" is limited to 2, and this asks for 3.',
    b: '"db" is limited to 2, and this asks for 3.',
  },
);
checkObstacles(
  'a mistake that is not for people stops none of them',
  'defaults: { lease: soon }\ntasks:\n a: { role: human }\n b: {}\n c: { role: agent }',
  { c: '"lease" is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.' },
);
checkObstacles(
  'a warning stops nobody',
  'defaults: { in: tmux, prioritiy: low }\ntasks:\n a: { run: x }',
  {},
);
