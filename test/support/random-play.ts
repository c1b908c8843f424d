import * as fc from 'fast-check';
import { Play } from './board-play.ts';
import { play } from './board-script.ts';

/** A board, and steps that anybody could take next, whether or not they make sense there. */
interface RandomPlay {
  readonly text: string;
  readonly steps: readonly string[];
  /** Whether tasks may wait for themselves, and for what does not exist. */
  readonly isTangled: boolean;
}

/** Few of everything, so that they meet. Both runs have tasks of the same names. */
const TASKS = ['a', 'b', 'c', 'd', 'e'] as const;
const WORKERS = ['ann', 'bob', 'cat'] as const;
const HOLDERS = [...WORKERS, 'runner/local', 'runner/far'] as const;

const WORLD = `host far: can code
host near: can gpu, limits parallel:2 cpu:2
agent claude: can code, may be started
worker ann: can code
worker bob
worker cat: person, can code`;

/** Who does it; of those who claim for themselves one may have it already. */
const doer = oneOf(
  'agent, by ann | agent, by bob | person, by cat | anyone, by bob | starts claude | on far | on far local | on near far | ',
);
const clause = fc.oneof(
  oneOf('priority critical | priority high | priority low | capable code | isolated | paused'),
  oneOf('takes db:1 | takes db:2 | takes db:1 cpu:2 | expects 5s | expects 10m | retries 3'),
  oneOf('timeout 3s | soft timeout 2s | lease 5s | without lease'),
);
/** With one of these it can never start. */
const obstacle = oneOf('takes db:9 | takes gpu:1 | capable tpu | on nowhere');
const files = oneOf('src/a | src/b | src/* | docs/**');
const anyTask = fc.constantFrom(...TASKS);
/** Of either run. */
const outsideTask = fc
  .tuple(oneOf('older-run | newer-run'), anyTask)
  .map((names) => names.join('/'));

const task = fc.record({
  needsOutside: fc.array(outsideTask, { maxLength: 1 }),
  afterOutside: fc.array(outsideTask, { maxLength: 1 }),
  needs: fc.uniqueArray(anyTask, { maxLength: 2 }),
  after: fc.uniqueArray(anyTask, { maxLength: 1 }),
  obstacle: rarely(20, obstacle),
  doer,
  // Of two that begin alike the second would not be read.
  clauses: fc.uniqueArray(clause, { maxLength: 2, selector: (text) => text.slice(0, 8) }),
  reads: rarely(2, files),
  writes: rarely(1, files),
  state: rarely(3, oneOf('running | running | claimed | completed | failed | attention')),
});

const board = fc.record({
  state: rarely(8, oneOf('board paused | board untrusted')),
  editor: rarely(2, oneOf('person dan: writes src/a, unsaved')),
  older: fc.array(task, { minLength: 1, maxLength: 5 }),
  newer: fc.array(task, { maxLength: 4 }),
  isTangled: fc.constantFrom(false, false, false, true),
  /** The task that a revision leaves out. */
  gone: fc.nat(5),
  parallel: fc.integer({ min: 1, max: 4 }),
  failFast: fc.boolean(),
});

type TaskDraft = typeof task extends fc.Arbitrary<infer Draft> ? Draft : never;
type BoardDraft = typeof board extends fc.Arbitrary<infer Draft> ? Draft : never;

const worker = fc.constantFrom(...WORKERS);
const target = fc
  .tuple(oneOf('older-run | older-run | newer-run'), anyTask)
  .map((names) => names.join('/'));
/** What anybody says, those included who have lost the task. */
const says = fc.oneof(
  oneOf('starts | starts | completes | completes | fails | fails'),
  oneOf('renews | releases | limits | asks | sticks | progresses'),
);

const step = fc.oneof(
  often(6, oneOf('rest | decide')),
  often(4, oneOf('+1ms | +100ms | +1s | +5s | +10s | +1m | +3m')),
  often(1, oneOf('work 30s | work 130s')),
  often(8, words(worker, oneOf('claims'), rarely(1, target))),
  often(10, words(target, says)),
  often(8, words(fc.constantFrom(...HOLDERS), says, target)),
  often(3, words(target, oneOf('is lost | is lost | is killed | fails unstarted'))),
  often(6, words(oneOf('cancel | retry | retry | answer | pause | resume'), target)),
  often(1, words(oneOf('undeclared'), target, oneOf('src/b'))),
  often(2, words(oneOf('leftover'), target, oneOf('gone'))),
  often(1, oneOf('pause | resume | resume | rebuild')),
  often(1, oneOf('stop older-run | interrupt newer-run | carry on newer-run')),
  often(1, oneOf('revise | revise again')),
  often(1, oneOf('memory 95 | memory 99 | memory 10 | memory 10')),
  often(1, oneOf('host far is unreachable | host far is reachable')),
  often(1, oneOf('ann owns src/a for 5s | cat owns src/** unsaved | ann frees | dan frees')),
  often(1, oneOf('bob leaves | bob is busy | bob is idle')),
);

export const randomPlays: fc.Arbitrary<RandomPlay> = fc
  .record({ board, steps: fc.array(step, { maxLength: 50 }) })
  .map(({ board: draft, steps }) => ({
    text: textOf(draft),
    isTangled: draft.isTangled,
    steps: steps.map((each) => revisionOf(draft, each) ?? each),
  }));

/** Those in which no task waits for itself, nor for what does not exist. */
export const orderlyPlays = randomPlays.filter(({ isTangled }) => !isTangled);

function textOf(draft: BoardDraft): string {
  const { state, editor, older, newer, parallel, failFast } = draft;
  const policy = `parallel ${parallel}, limits db:2 cpu:4${failFast ? ', fail-fast' : ''}`;
  const runs = [
    `run older-run: ${policy}`,
    ...linesOf(older, draft, 'older-run'),
    ...(newer.length === 0
      ? []
      : [`run newer-run: ${policy}`, ...linesOf(newer, draft, 'newer-run')]),
  ];
  return [state, WORLD, editor, ...runs].filter((line) => line !== '').join('\n');
}

function linesOf(
  tasks: readonly TaskDraft[],
  { isTangled }: BoardDraft,
  run: string,
): readonly string[] {
  return tasks.map((draft, index) => {
    const [does = '', by = ''] = draft.doer.split(', ');
    const isHeld = draft.state === 'running' || draft.state === 'claimed';
    const earlier = (ids: TaskDraft['needs']): string =>
      ids.filter((id) => isTangled || TASKS.indexOf(id) < index).join(' ');
    const outside = outsideOf({ isTangled, run });
    const said = [
      clauseOf('needs', both(earlier(draft.needs), outside(draft.needsOutside))),
      clauseOf('after', both(earlier(draft.after), outside(draft.afterOutside))),
      draft.obstacle,
      does,
      ...draft.clauses,
      clauseOf('reads', draft.reads),
      clauseOf('writes', draft.writes),
      draft.state,
      isHeld ? by : '',
    ];
    return `${TASKS[index]}: ${said.filter((each) => each !== '').join(', ')}`;
  });
}

/** The newer run waits for the older one, and where all is tangled they wait for each other. */
function outsideOf({ isTangled, run }: { isTangled: boolean; run: string }) {
  return (names: readonly string[]): string =>
    names.filter((name) => !name.startsWith(run) && (isTangled || run === 'newer-run')).join(' ');
}

function both(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

function clauseOf(word: string, rest: string): string {
  return rest === '' ? '' : `${word} ${rest}`;
}

/** One of the texts, which are separated by bars. */
function oneOf(texts: string): fc.Arbitrary<string> {
  return fc.constantFrom(...texts.split(' | '));
}

function rarely(weight: number, text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(often(weight, fc.constant('')), text);
}

function often(weight: number, arbitrary: fc.Arbitrary<string>): fc.WeightedArbitrary<string> {
  return { weight, arbitrary };
}

function words(...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((each) => each.join(' ').trim());
}

/**
 * `revise` gives the older run a plan without one of its tasks, and with a new one; `revise again`
 * brings it back, and changes the first task.
 */
function revisionOf(draft: BoardDraft, each: string): string | undefined {
  if (!each.startsWith('revise')) return undefined;
  const lines = linesOf(draft.older, draft, 'older-run');
  const tasks =
    each === 'revise again'
      ? lines.with(0, `${lines[0] ?? ''}, expects 60s`)
      : lines.filter((_, index) => index !== draft.gone);
  return `revise older-run: ${[...tasks, 'f: agent'].join(' | ')}`;
}

/** Takes the steps that are possible, and looks at the board after each. */
export function playAll({ text, steps }: RandomPlay, look: (on: Play) => void = () => {}): Play {
  const on = new Play(text);
  for (const each of steps) {
    if (!isPossible(on, each)) continue;
    play(on, each);
    look(on);
  }
  return on;
}

/** Nobody speaks of what is not there, nor of a task that they never had. */
function isPossible(on: Play, each: string): boolean {
  const [, run, name] = /((?:older|newer)-run)(\/\w)?/.exec(each) ?? [];
  if (run === undefined) return true;
  if (name === undefined) return [...on.board.runs.keys()].some((id) => id === run);
  const [who = '', said] = each.split(' ');
  if (on.find(run + name) === undefined) return false;
  return !HOLDERS.some((id) => id === who) || said === 'claims' || on.hasHad(who, run + name);
}
