import * as fc from 'fast-check';
import type { TaskDefinition } from '../../server/domain/task.ts';
import { Play } from './board-play.ts';
import { play } from './board-script.ts';
import { definitionOf, taskId } from './snapshots.ts';

/** Steps that anybody could take next, whether or not they make sense there. */
export interface RandomPlay {
  readonly text: string;
  readonly steps: readonly string[];
}

const TASKS = ['t0', 't1', 't2', 't3', 't4', 't5'] as const;
const WORKERS = ['ann', 'bob', 'cat'] as const;
const RUNNERS = ['runner/local', 'runner/far'] as const;

const DOERS = ['agent', 'agent', 'person', 'anyone', 'starts claude', 'on far', 'on far local', ''];
const CLAUSES = [
  'priority critical',
  'priority low',
  'capable code',
  'takes db:1',
  'takes db:2',
  'retries 3',
  'lease 5s',
  'without lease',
  'timeout 3s',
  'soft timeout 2s',
  'isolated',
  'paused',
];
const FILES = ['reads src/a', 'writes src/a', 'writes src/*', 'writes docs/**', 'writes src/b'];

/** Earlier tasks only, so that no task waits for itself; and one that does not exist. */
const edges = fc.record({
  needs: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
  after: fc.uniqueArray(fc.nat(6), { maxLength: 1 }),
});

const task = fc.record({
  edges,
  doer: fc.constantFrom(...DOERS),
  clauses: fc.uniqueArray(fc.constantFrom(...CLAUSES), { maxLength: 2 }),
  files: fc.uniqueArray(fc.constantFrom(...FILES), { maxLength: 2 }),
});

const WORLD = `host far: can code
agent claude: can code, may be started
worker ann: can code
worker bob
worker cat: person, can code`;

const boardText = fc
  .record({
    tasks: fc.array(task, { minLength: 1, maxLength: TASKS.length }),
    failFast: fc.boolean(),
    parallel: fc.integer({ min: 1, max: 4 }),
    splitAt: fc.nat(8),
  })
  .map(({ tasks, failFast, parallel, splitAt }) => {
    const policy = `parallel ${parallel}, limits db:2${failFast ? ', fail-fast' : ''}`;
    const lines = tasks.map((draft, index) => lineOf(draft, index));
    const older = lines.slice(0, splitAt);
    const newer = lines.slice(splitAt);
    const runs = [
      ...(older.length > 0 ? [`run older-run: ${policy}`, ...older] : []),
      ...(newer.length > 0 ? [`run newer-run: ${policy}`, ...newer] : []),
    ];
    return [WORLD, ...runs].join('\n');
  });

type TaskDraft = typeof task extends fc.Arbitrary<infer Draft> ? Draft : never;

function lineOf(
  { edges: { needs, after }, doer, clauses, files }: TaskDraft,
  index: number,
): string {
  const earlier = (numbers: readonly number[]): string =>
    numbers.flatMap((number) => (number < index ? `t${number}` : [])).join(' ');
  const said = [
    ...(earlier(needs) === '' ? [] : [`needs ${earlier(needs)}`]),
    ...(earlier(after) === '' ? [] : [`after ${earlier(after)}`]),
    ...(doer === '' ? [] : [doer]),
    ...clauses.filter(
      (clause, at) => clauses.findIndex((each) => each.slice(0, 8) === clause.slice(0, 8)) === at,
    ),
    ...files.filter((file, at) => files.findIndex((each) => each[0] === file[0]) === at),
  ];
  return `t${index}: ${said.join(', ')}`;
}

const anyTask = fc.constantFrom(...TASKS);
const anyWorker = fc.constantFrom(...WORKERS);
const holder = fc.constantFrom(...WORKERS, ...RUNNERS, ...RUNNERS);
const verb = fc.constantFrom(
  'starts',
  'starts',
  'renews',
  'completes',
  'completes',
  'fails',
  'fails',
  'releases',
  'limits',
  'asks',
  'sticks',
  'progresses',
);
const control = fc.constantFrom('cancel', 'retry', 'retry', 'answer', 'pause', 'resume');

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('rest', 'decide') },
  { weight: 4, arbitrary: fc.constantFrom('+1ms', '+100ms', '+1s', '+5s', '+10s', '+1m', '+3m') },
  { weight: 1, arbitrary: fc.constantFrom('memory 95', 'memory 10') },
  { weight: 4, arbitrary: fc.tuple(anyWorker, anyTask).map(([who, id]) => `${who} claims ${id}`) },
  { weight: 4, arbitrary: anyWorker.map((who) => `${who} claims`) },
  {
    weight: 12,
    arbitrary: fc.tuple(holder, verb, anyTask).map(([who, says, id]) => `${who} ${says} ${id}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(holder, anyTask, fc.constantFrom('host-lost', 'killed', 'not-started'))
      .map(([who, id, cause]) => `${who} loses ${id} ${cause}`),
  },
  { weight: 6, arbitrary: fc.tuple(control, anyTask).map(([asks, id]) => `${asks} ${id}`) },
  { weight: 1, arbitrary: fc.constantFrom('pause', 'resume', 'resume', 'rebuild', 'stop') },
  { weight: 1, arbitrary: anyTask.map((id) => `undeclared ${id} src/b`) },
  { weight: 1, arbitrary: anyTask.map((id) => `leftover ${id} gone`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'ann owns src/a for 5s',
      'cat owns src/** unsaved',
      'ann frees',
      'cat frees',
      'bob leaves',
      'bob is busy',
      'bob is idle',
    ),
  },
  { weight: 1, arbitrary: fc.nat(7).map((number) => `revise ${number}`) },
);

export const randomPlays: fc.Arbitrary<RandomPlay> = fc.record({
  text: boardText,
  steps: fc.array(step, { maxLength: 60 }),
});

/** Takes the steps that are possible, and looks at the board after each. */
export function playAll({ text, steps }: RandomPlay, look: (on: Play, step: string) => void): Play {
  const on = new Play(text);
  for (const each of steps) {
    if (!isPossible(on, each)) continue;
    if (each.startsWith('revise ')) revise(on, Number(each.slice(7)));
    else play(on, each);
    // Whoever was forgotten is not woken again in the same millisecond.
    if (each === 'rebuild') on.wait(1);
    look(on, each);
  }
  return on;
}

function isPossible(on: Play, each: string): boolean {
  const words = each.split(' ');
  const id = TASKS.find((known) => words.includes(known));
  const [who = '', said = ''] = words;
  if (said === 'frees') return on.board.owners.people.has(who);
  if (id === undefined) return who !== 'stop' || on.board.runs.size > 0;
  const entry = [...on.board.runs.values()].flatMap((run) => run.find(taskId(id)) ?? [])[0];
  if (entry === undefined) return false;
  if (who === 'undeclared') return entry.claim !== undefined;
  if (who === 'leftover') return entry.leftover !== undefined;
  if (['cancel', 'retry', 'answer', 'pause', 'resume'].includes(who)) return true;
  return said === 'claims' || on.hasHad(who, id);
}

/** The first run loses a task, or gets a new one, or one of its tasks is changed. */
function revise(on: Play, number: number): void {
  const [run] = on.board.runs.values();
  if (run === undefined) return;
  const tasks: TaskDefinition[] = run.manifest.tasks.filter((_, index) => index !== number);
  const changed = tasks[0];
  if (changed !== undefined && number % 2 === 0)
    tasks[0] = { ...changed, title: `title ${on.now}` };
  if (number % 3 === 0 && run.find(taskId('t9')) === undefined) tasks.push(definitionOf('t9'));
  on.apply({ kind: 'runRevised', at: on.now, run: run.manifest.id, tasks });
}
