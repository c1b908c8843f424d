import { expect, test } from 'vitest';
import { analyzePlan } from '../../../server/plans/analyze.ts';
import { parseInterlockYaml } from '../../../server/plans/interlock-yaml.ts';
import { checkProblems } from '../../support/check-problems.ts';

function checkLimits(
  name: string,
  limits: string,
  [parallel, expected]: readonly [number | undefined, Readonly<Record<string, number>>],
): void {
  test(name, () => {
    const plan = parseInterlockYaml(`limits: { ${limits} }`);
    expect([plan.problems, plan.parallel, plan.limits]).toStrictEqual([[], parallel, expected]);
  });
}

/** Two tasks that ask for something, of some limits. */
function checkRequests(
  name: string,
  [limits, requests]: readonly [string, string],
  expected: readonly string[] | string,
): void {
  checkProblems(
    name,
    `tasks:\n  a: { run: x, resources: { ${requests} } }\nlimits: { ${limits} }`,
    expected,
  );
}

checkLimits('a plan without limits leaves them to the machine', '', [undefined, {}]);
checkLimits('sizes are bytes', 'cpu: 8, memory: 16GiB, db: 1, disk: 512KiB', [
  undefined,
  { cpu: 8, memory: 17_179_869_184, db: 1, disk: 524_288 },
]);
checkLimits('places are no amount', 'parallel: 4, db: 0', [4, { db: 0 }]);
checkLimits('half a processor is an amount', 'cpu: 0.5', [undefined, { cpu: 0.5 }]);
checkLimits('names of built-in properties are names', 'constructor: 1', [
  undefined,
  { constructor: 1 },
]);

const WRONG = 'error wrong-type:';
const AMOUNT = 'is a number, 0 or more, or a size: 512KiB, 2MiB, 16GiB.';

checkProblems(
  'a limit that is nearly one of the machine is told, and counts; a short name is one of its own',
  'limits: { «paralel»: 4, «memroy»: 2GiB, gpu: 1, dbs: 2 }',
  [
    'warning unknown-key: "paralel" is a limit of your own. Did you mean "parallel"?',
    'warning unknown-key: "memroy" is a limit of your own. Did you mean "memory"?',
  ],
);
checkProblems(
  'memory is a size',
  'limits: { memory: «16» }',
  `${WRONG} "memory" is a size: 512KiB, 2MiB, 16GiB.`,
);
checkProblems(
  'processors are a number',
  'limits: { cpu: «all» }',
  `${WRONG} "cpu" is a number, 0 or more.`,
);
checkProblems('a limit is an amount', 'limits: { db: «one», «web», log: «[1]» }', [
  `${WRONG} "db" ${AMOUNT}`,
  `${WRONG} "web" ${AMOUNT}`,
  `${WRONG} "log" ${AMOUNT}`,
]);
checkProblems(
  'a limit has a name',
  'limits: { «a b»: 1, «__proto__»: 2 }',
  Array.from(
    { length: 2 },
    () =>
      'error invalid-id: The name of a limit starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".',
  ),
);
checkProblems(
  'a limit is there once',
  'limits: { db: 1, «db»: 2 }',
  'error duplicate-key: "db" is here twice.',
);

checkRequests(
  'all that there is may be asked for',
  ['db: 2, memory: 2MiB', 'db: 2, memory: 2048KiB'],
  [],
);
checkRequests(
  'more than there is cannot be had',
  ['db: 2, memory: 1GiB, cpu: 4', 'db: «2.5», memory: «1025MiB», cpu: «5»'],
  [
    'error too-much: "db" is limited to 2, and this asks for 2.5.',
    'error too-much: "memory" is limited to 1GiB, and this asks for 1025MiB.',
    'error too-much: "cpu" is limited to 4, and this asks for 5.',
  ],
);
checkRequests(
  'of what the machine has, it says how much',
  ['db: 1', 'cpu: 1000, memory: 1000GiB'],
  [],
);
checkRequests(
  'what nobody limits is not there',
  ['dbs: 1', '«db»: 1, «banana»: 1'],
  [
    'error unknown-limit: There is no limit "db" in this plan. Did you mean "dbs"?',
    'error unknown-limit: There is no limit "banana" in this plan.',
  ],
);
checkRequests(
  'a slip in what the machine has is named',
  ['parallel: 1', '«memroy»: 1GiB'],
  'error unknown-limit: There is no limit "memroy" in this plan. Did you mean "memory"?',
);
checkRequests(
  'a place is what every task takes',
  ['parallel: 4', '«parallel»: 2'],
  'error unknown-limit: Every task takes one place of "parallel", no more.',
);
checkRequests(
  'a size is not a number of things',
  ['disk: 1GiB, db: 2147483648', 'disk: «5», db: «1GiB»'],
  [
    `${WRONG} "disk" is limited to 1GiB; 5 is not of that kind.`,
    `${WRONG} "db" is limited to 2147483648; 1GiB is not of that kind.`,
  ],
);
checkProblems(
  'of a limit that cannot be read nothing can be had; the machine has its own',
  'limits: { db: «x», cpu: «x» }\ntasks: { a: { run: x, resources: { db: «1», cpu: 1 } } }',
  [
    `${WRONG} "db" ${AMOUNT}`,
    `${WRONG} "cpu" is a number, 0 or more.`,
    'error unknown-limit: Nobody can say how much there is of "db".',
  ],
);

checkProblems(
  'what cannot be read is not compared',
  'limits: { db: «x» }\ntasks: { a: { run: x, resources: { db: «y» } } }',
  [`${WRONG} "db" ${AMOUNT}`, `${WRONG} "db" ${AMOUNT}`],
);

test('whoever asks for too much cannot start, nor what depends on it', () => {
  const text =
    'limits: { db: 1 }\ntasks:\n a: { run: x, resources: { db: 2 } }\n b: { run: x, after: [a] }\n c: { run: x, resources: { db: 1 } }';
  const { obstacles, problems } = analyzePlan(parseInterlockYaml(text), { foldCase: false });
  expect(Object.fromEntries(obstacles)).toStrictEqual({
    a: '"db" is limited to 1, and this asks for 2.',
    b: 'It waits for "a", which cannot start.',
  });
  expect(problems[0]?.related).toStrictEqual([
    { message: 'This is how much there is.', range: { start: 14, end: 15 } },
  ]);
});
