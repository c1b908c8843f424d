import * as fc from 'fast-check';

/** Few ids and few paths, so that they meet. */
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;

const clause = fc.oneof(
  fc.constantFrom(...IDS).map((id) => `needs ${id}`),
  fc.constantFrom(...IDS).map((id) => `after ${id}`),
  fc.constantFrom('writes src/**', 'writes src/x', 'writes docs/x', 'reads src/x', 'isolated'),
  fc.constantFrom('priority critical', 'priority high', 'priority low'),
  fc.constantFrom('takes db:1', 'takes db:2', 'takes db:1 cpu:2', 'takes db:9', 'takes gpu:1'),
  fc.constantFrom('on h1', 'on h1 h2', 'on h2 h1', 'on h3', 'capable gpu'),
  fc.constantFrom('starts claude', 'starts nobody', 'agent', 'person', 'anyone'),
  fc.constantFrom('expects 5s', 'expects 60s', 'expects 10m'),
  fc.constantFrom('retries 2', 'timeout 5s', 'soft timeout 3s', 'lease 2s', 'without lease'),
  fc.constantFrom('running', 'claimed', 'completed', 'failed', 'attention', 'paused'),
);

/** At most one clause that starts with the same word: a second is never read. */
const clauses = fc.uniqueArray(clause, {
  maxLength: 4,
  selector: (text) => groupOf(text.split(' ')[0] ?? ''),
});

const GROUPS = [
  ['running', 'claimed', 'completed', 'failed', 'attention'],
  ['starts', 'agent', 'person', 'anyone'],
  ['lease', 'without'],
];

function groupOf(word: string): string {
  return GROUPS.find((group) => group.includes(word))?.join('') ?? word;
}

const run = fc.record({
  limits: fc.constantFrom('limits db:2', 'limits db:3 cpu:4', 'fail-fast', 'limits db:1'),
  parallel: fc.integer({ min: 1, max: 4 }),
  tasks: fc.uniqueArray(fc.record({ id: fc.constantFrom(...IDS), clauses }), {
    minLength: 1,
    maxLength: 7,
    selector: ({ id }) => id,
  }),
});

const THINGS = [
  'host h1: limits parallel:2 cpu:2, can gpu',
  'host h2: limits cpu:4',
  'agent claude: can code',
  'worker ann: can code',
];

const runs = fc.array(run, { minLength: 1, maxLength: 2 });

export const boards = fc
  .tuple(runs, fc.boolean(), fc.constantFrom('', 'board paused', 'board untrusted', ''))
  .map(([all, isShared, first]) => {
    const lines = all.flatMap(({ limits, parallel, tasks }, index) => [
      `run run-of-${index + 1}: parallel ${parallel}, ${limits}`,
      ...tasks.map((task) => [task.id, task.clauses.join(', ')].filter(Boolean).join(': ')),
    ]);
    const people = isShared ? ['person ann: writes src/x, unsaved'] : [];
    return [first, ...THINGS, ...people, ...lines].filter(Boolean).join('\n');
  });

const target = fc
  .tuple(fc.constantFrom(...IDS), fc.constantFrom(1, 1, 2))
  .map(([id, number]) => `run-of-${number}/${id}`);

const saying = fc.constantFrom(
  'starts',
  'completes',
  'completes',
  'fails 1',
  'is lost',
  'is killed',
  'is released',
  'is stuck',
  'progresses',
  'asks',
  'renews',
  'cannot start',
  'is rate-limited',
);

/** What happens to such a board. Steps about what is not there are to be left out. */
export const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(target, saying).map(([id, what]) => `${id} ${what}`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('retry', 'cancel', 'pause', 'resume', 'answer'), target)
        .map(([what, id]) => `${what} ${id}`),
    },
    { weight: 2, arbitrary: fc.constantFrom('wait 1s', 'wait 10s', 'work 30s', 'work 130s') },
    { weight: 1, arbitrary: target.map((id) => `nothing is left of ${id}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'pause board',
        'resume board',
        'stop run-of-1',
        'interrupt run-of-2',
        'carry on run-of-2',
        'host h1 is unreachable',
        'host h1 is reachable',
        'ann writes docs/x',
        'ann saves',
        'load memory 0.91',
        'load memory 0.99',
        'load memory 0.1',
      ),
    },
  ),
  { maxLength: 14, size: 'max' },
);
