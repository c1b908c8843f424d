import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaskAsks } from '../../../server/domain/asks.ts';
import { analyzePlan } from '../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { checkProblems, checkTaskProblems as checkProblem } from '../../support/check-problems.ts';

/** What a task asks by its keys, and that nothing is wrong with them. */
function checkKeys(name: string, keys: string, expected: Partial<TaskAsks>): void {
  test(name, () => {
    const plan = parseInterlockYaml(`limits: { db: 3, disk: 1GiB }\ntasks:\n  a: { ${keys} }`);
    const { problems, obstacles, tasks } = analyzePlan(plan, { foldCase: false });
    expect([problems, obstacles.size]).toStrictEqual([[], 0]);
    expect(tasks[0]?.asks).toStrictEqual(expected);
  });
}

/** The same for a task with a command. */
function check(name: string, keys: string, expected: Partial<TaskAsks>): void {
  checkKeys(name, `run: x, ${keys}`, expected);
}

const WRONG = 'error wrong-type:';

checkKeys('a task that asks for nothing says nothing', 'run: x', {});

check('a command may run in a terminal', 'in: terminal', { doer: { kind: 'terminal' } });
check('a command is a process if nothing else is said', 'in: process', {});
check('whoever it is for, a command may run in a terminal', 'role: runner, in: terminal', {
  doer: { kind: 'terminal' },
});
checkProblems(
  'what has no command has no terminal',
  'tasks: { a: { role: human, «in»: terminal } }',
  'warning contradiction: "in" says how a command is run, and this task has none: add "run: …", or leave out "in".',
);
test('of all tasks, those without a command have no terminal', () => {
  const text = 'defaults: { in: terminal }\ntasks:\n  a: { role: human }\n  b: { in: terminal }';
  const { tasks, problems } = parseInterlockYaml(text);
  expect(tasks.map(({ asks }) => asks.doer?.kind)).toEqual(['person', 'anyone']);
  expect(problems.map(({ range }) => text.slice(0, range.start).split('\n').length)).toEqual([4]);
});
test('all tasks may run in terminals', () => {
  const text = 'defaults: { in: terminal }\ntasks:\n  a: { run: x }\n  b: { run: x, in: process }';
  const { tasks } = parseInterlockYaml(text);
  expect(tasks.map(({ asks }) => asks)).toStrictEqual([{ doer: { kind: 'terminal' } }, {}]);
});

const PRIORITY = `${WRONG} "priority" is critical, high, normal or low.`;

for (const [word, priority] of [
  ['critical', 'critical'],
  ['urgent', 'critical'],
  ['high', 'high'],
  ['normal', 'normal'],
  ['medium', 'normal'],
  ['low', 'low'],
] as const)
  check(`"${word}" is the class ${priority}`, `priority: ${word}`, { priority });
checkProblem('a slip in a class is named', 'priority: «hihg»', `${PRIORITY} Did you mean "high"?`);
checkProblem('a class is in lower case', 'priority: «High»', `${PRIORITY} Did you mean "high"?`);
checkProblem(
  'a slip in another word for a class is named',
  'priority: «urgnet»',
  `${PRIORITY} Did you mean "urgent"?`,
);
checkProblem('a class is no number', 'priority: «1»', PRIORITY);
checkProblem('a class is no list', 'priority: «[high]»', PRIORITY);
checkProblem('a class is something', '«priority»', PRIORITY);

const AMOUNT = 'is a number, 0 or more, or a size: 512KiB, 2MiB, 16GiB.';
const MEMORY = `${WRONG} "memory" is a size: 512KiB, 2MiB, 16GiB.`;
const CPU = `${WRONG} "cpu" is a number, 0 or more.`;

check(
  'a task takes amounts of limits and of the machine',
  'resources: { cpu: 0.5, memory: 2MiB, db: 3, disk: 512KiB }',
  { resources: { cpu: 0.5, memory: 2_097_152, db: 3, disk: 524_288 } },
);
check('an amount may be nothing', 'resources: { db: 0, disk: 0, memory: 0KiB }', {
  resources: { db: 0, disk: 0, memory: 0 },
});
check('a task may list no resources', 'resources: {}', { resources: {} });
checkProblem(
  'resources have names',
  'resources: «[cpu]»',
  `${WRONG} "resources" holds amounts of the limits: { cpu: 2, memory: 1GiB }.`,
);
checkProblem('memory has a unit', 'resources: { memory: «4» }', MEMORY);
checkProblem('memory has a unit of ours', 'resources: { memory: «4GB» }', MEMORY);
checkProblem('processors have no unit', 'resources: { cpu: «2GiB» }', CPU);
checkProblem('an amount is not negative', 'resources: { cpu: «-1» }', CPU);
checkProblem('an amount is a number', 'resources: { cpu: «.nan» }', CPU);
checkProblem('an amount has an end', 'resources: { cpu: «.inf» }', CPU);
checkProblem('an amount in quotes is a text', 'resources: { cpu: «"2"» }', CPU);
checkProblem('an amount is something', 'resources: { «cpu» }', CPU);
checkProblem('an amount is no list', 'resources: { cpu: «[2]» }', CPU);
checkProblems(
  'an amount of any other kind is a number or a size',
  'limits: { db: 1 }\ntasks: { a: { run: x, resources: { db: «one» } } }',
  `${WRONG} "db" ${AMOUNT}`,
);

check('a worker must have capabilities', 'needs: [code, node-24, "gpu:a100"]', {
  needs: ['code', 'node-24', 'gpu:a100'],
});
check('a task may need nothing', 'needs: []', { needs: [] });
const CAPABILITY = `${WRONG} A capability starts with a letter or digit and has at most 64 of: letters, digits, "_" "." "@" ":" "/" "+" "-".`;
checkProblem('a capability has no spaces', 'needs: [web, «big gpu»]', CAPABILITY);
checkProblem('a capability has letters', 'needs: [«""»]', CAPABILITY);
checkProblem('a capability has 64 letters at most', `needs: [«${'x'.repeat(65)}»]`, CAPABILITY);
checkProblem('a capability is a text', 'needs: [«{}»]', `${WRONG} "needs" is a text.`);
checkProblem(
  '"needs" is a list',
  'needs: «web»',
  `${WRONG} "needs" is a list of capabilities. Put it in brackets: [web].`,
);

checkKeys('anyone claims a task without a command', 'title: x', { doer: { kind: 'anyone' } });
checkKeys('a person claims it', 'role: human', { doer: { kind: 'person' } });
checkKeys('an agent claims it', 'role: agent', { doer: { kind: 'agent' } });
check('a command is for a runner', 'role: runner', { doer: { kind: 'runner' } });
const ROLE = `${WRONG} "role" is runner, agent or human.`;
checkProblem('a slip in a role is named', 'role: «humna»', `${ROLE} Did you mean "human"?`);
checkProblem('a role is a word', 'role: «[human]»', ROLE);
checkProblems(
  'a slip in a role of a task without a command is named',
  'tasks: { a: { role: «agnet» } }',
  `${ROLE} Did you mean "agent"?`,
);
for (const role of ['human', 'agent'])
  checkProblem(
    `a command is not for role ${role}`,
    `role: «${role}»`,
    `error contradiction: A command is for a runner, and "role" is ${role}: leave out one of the two.`,
  );
checkProblems(
  'a runner has something to run',
  'tasks: { a: { role: «runner» } }',
  'error contradiction: A runner needs a command: "run: …".',
);

test('the other side of a contradiction is the command', () => {
  const text = 'tasks: { a: { role: human, run: x } }';
  const [problem] = parseInterlockYaml(text).problems;
  expect(problem?.related).toStrictEqual([
    { message: 'This is the command.', range: { start: 27, end: 30 } },
  ]);
});

const DEFAULT_RETRY = { attempts: 1, backoffMs: 100, factor: 2, maxMs: 30_000, on: [] };

check(
  'all of a retry is said',
  'retry: { attempts: 3, backoff: 1s, factor: 1.5, max: 1m, on: [75, 111] }',
  {
    retry: { attempts: 3, backoffMs: 1000, factor: 1.5, maxMs: 60_000, on: [75, 111] },
  },
);
check('the rest of a retry is as for any other task', 'retry: { attempts: 3 }', {
  retry: { ...DEFAULT_RETRY, attempts: 3 },
});
check('a retry may come at once', 'retry: { backoff: 0s, max: 0s }', {
  retry: { ...DEFAULT_RETRY, backoffMs: 0, maxMs: 0 },
});
check(
  'a retry at its limits is read',
  'retry: { attempts: 1000, factor: 100, on: [1, 4294967295] }',
  {
    retry: { ...DEFAULT_RETRY, attempts: 1000, factor: 100, on: [1, 4_294_967_295] },
  },
);
const ATTEMPTS = `${WRONG} "attempts" is a number from 1 to 1000.`;
const EXIT_CODE = `${WRONG} The exit code of a failure is a whole number from 1 to 4294967295.`;
checkProblem('a retry has keys', 'retry: «3»', `${WRONG} "retry" holds keys: { attempts: 2 }.`);
checkProblem('there is one attempt', 'retry: { attempts: «0» }', ATTEMPTS);
checkProblem('there are 1000 attempts at most', 'retry: { attempts: «1001» }', ATTEMPTS);
checkProblem(
  'attempts are counted',
  'retry: { attempts: «1.5» }',
  `${WRONG} "attempts" is a whole number.`,
);
checkProblem(
  'waits do not get shorter',
  'retry: { factor: «0.5» }',
  `${WRONG} "factor" is a number from 1 to 100.`,
);
checkProblem(
  'a factor is a number',
  'retry: { factor: «two» }',
  `${WRONG} "factor" is a number from 1 to 100.`,
);
checkProblem('success is no failure', 'retry: { on: [1, «0»] }', EXIT_CODE);
checkProblem('an exit code is a number', 'retry: { on: [«"1"», «SIGTERM», «1.5»] }', [
  EXIT_CODE,
  EXIT_CODE,
  EXIT_CODE,
]);
checkProblem(
  'exit codes are a list',
  'retry: { on: «75» }',
  `${WRONG} "on" is a list of exit codes. Put it in brackets: [75].`,
);
checkProblem(
  'exit codes are no map',
  'retry: { on: «{}» }',
  `${WRONG} "on" is a list of exit codes.`,
);
checkProblem(
  'a slip in a key of a retry is named',
  'retry: { «atempts»: 3 }',
  'warning unknown-key: "atempts" is not a key of "retry". Did you mean "attempts"?',
);

const DURATION = 'is a duration: 250ms, 30s, 5m, 2h, 1d, or joined like 1h30m.';

check('one limit is the hard one', 'timeout: 10m', { timeout: { hardMs: 600_000 } });
check('a limit may be soft', 'timeout: { soft: 10m }', { timeout: { softMs: 600_000 } });
check('a soft limit comes before the hard one', 'timeout: { soft: 10m, hard: 12m }', {
  timeout: { softMs: 600_000, hardMs: 720_000 },
});
check('both limits may be one', 'timeout: { hard: 1h, soft: 60m }', {
  timeout: { softMs: 3_600_000, hardMs: 3_600_000 },
});
checkProblem(
  'a soft limit is not longer than the hard one',
  'timeout: { soft: «12m», hard: 10m }',
  'error contradiction: The soft limit comes before the hard one.',
);
checkProblem(
  'a limit has a unit',
  'timeout: «30»',
  `${WRONG} "timeout" ${DURATION} Did you mean "30s"?`,
);
checkProblem('both limits are durations', 'timeout: { soft: «soon», hard: «[5m]» }', [
  `${WRONG} "soft" ${DURATION}`,
  `${WRONG} "hard" ${DURATION}`,
]);
checkProblem('a limit is a duration or two', 'timeout: «[5m]»', `${WRONG} "timeout" ${DURATION}`);
checkProblem(
  'a limit is longer than nothing',
  'timeout: «0s»',
  `${WRONG} "timeout" is longer than nothing.`,
);
checkProblem('a limit is a year at most', 'timeout: «366d»', `${WRONG} "timeout" is at most 365d.`);
checkProblem(
  'a slip in a key of a timeout is named',
  'timeout: { «sotf»: 3m, hard: 4m }',
  'warning unknown-key: "sotf" is not a key of "timeout". Did you mean "soft"?',
);

for (const [key, name] of [
  ['stuck_after', 'stuckAfterMs'],
  ['lease', 'leaseMs'],
] as const) {
  check(`"${key}" is a duration`, `${key}: 1h30m`, { [name]: 5_400_000 });
  checkProblem(
    `"${key}" has a unit`,
    `${key}: «90»`,
    `${WRONG} "${key}" ${DURATION} Did you mean "90s"?`,
  );
  checkProblem(`"${key}" is no list`, `${key}: «[5m]»`, `${WRONG} "${key}" ${DURATION}`);
}
checkProblem(
  'patience is longer than nothing',
  'stuck_after: «0ms»',
  `${WRONG} "stuck_after" is longer than nothing.`,
);
checkProblems(
  'people take the time they need',
  'tasks: { a: { role: human, «stuck_after»: 5m } }',
  'warning contradiction: "stuck_after" is for runners and agents; people take the time they need.',
);
checkKeys('a person may have to renew', 'role: human, lease: 24h', {
  doer: { kind: 'person' },
  leaseMs: 86_400_000,
});
check('a lease lasts a second at least', 'lease: 1s', { leaseMs: 1000 });
const LEASE = `${WRONG} "lease" is from 1s to 24h.`;
checkProblem('a shorter lease is none', 'lease: «999ms»', LEASE);
checkProblem('a lease lasts a day at most', 'lease: «1d1ms»', LEASE);
checkProblem('a lease is a duration', 'lease: «until-released»', `${WRONG} "lease" ${DURATION}`);

test('nobody does a task whose role cannot be read', () => {
  const { tasks } = parseInterlockYaml('tasks: { a: { role: humna } }');
  expect(tasks[0]?.asks).toStrictEqual({});
});

test('what is wrong with one key leaves the others as they are', () => {
  const keys = [
    'run: x',
    'priority: high',
    'needs: [web, "b c"]',
    'resources: { cpu: 2, memory: 4 }',
    'retry: { attempts: 3, max: 5 }',
    'timeout: { soft: 1m, hard: 2 }',
    'stuck_after: soon',
    'lease: 1m',
  ];
  const { tasks, problems } = parseInterlockYaml(`tasks: { a: { ${keys.join(', ')} } }`);
  expect(problems).toHaveLength(5);
  expect(tasks[0]).toMatchObject({ command: { kind: 'shell', script: 'x' } });
  expect(tasks[0]?.asks).toStrictEqual({
    priority: 'high',
    needs: ['web'],
    resources: { cpu: 2 },
    retry: { ...DEFAULT_RETRY, attempts: 3 },
    timeout: { softMs: 60_000 },
    leaseMs: 60_000,
  });
});

const KEYS_OF_DOERS = [
  ['run: x', 'run: [x]', 'run: {}', 'run: ""', 'agent: x', 'agent: []', 'prompt: x'],
  ['role: human', 'role: agent', 'role: runner', 'role: x', 'role', 'lease: 5m', 'lease: 5'],
].flat();

test('whoever can start is run by its command, or claimed', () => {
  const key = fc.constantFrom(...KEYS_OF_DOERS);
  const keys = fc.uniqueArray(key, { maxLength: 5 });
  fc.assert(
    fc.property(keys, keys, (own, defaults) => {
      const text = `defaults: { ${defaults.join(', ')} }\ntasks: { a: { ${own.join(', ')} } }`;
      const { tasks, obstacles } = analyzePlan(parseInterlockYaml(text), { foldCase: false });
      const [task] = tasks;
      if (task === undefined || obstacles.has(task.id)) return;
      const kind = task.asks.doer?.kind ?? 'runner';
      const isClaimed = ['anyone', 'agent', 'person'].includes(kind);
      expect(isClaimed ? undefined : 'runner').toBe(task.command && kind);
    }),
    { numRuns: 2000 },
  );
});
