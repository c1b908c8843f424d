import type { Failure, LossCause } from '../../server/domain/task.ts';
import { instant } from '../../server/domain/time.ts';
import { decideTurn } from '../../server/scheduler/decide.ts';
import { placeNamed } from '../../server/scheduler/model/workers.ts';
import { why } from '../../server/scheduler/predicate/why.ts';
import type { ControlRequest } from '../../server/scheduler/requests/control.ts';
import type { Saying } from '../../server/scheduler/requests/settle.ts';
import {
  claimText,
  controlText,
  holderText,
  ownText,
  stateText,
  triesText,
} from './answer-text.ts';
import { Play } from './board-play.ts';
import { Clauses } from './board-text.ts';
import { decisionsText } from './decision-text.ts';
import { boardOf, workerId } from './snapshots.ts';

/** A board, and what happens on it. */
export type Story = readonly [text: string, script: string];

/** What happens on a board, step by step, and what the last step says: `+10s; decide; state a`. */
export function tell(text: string, script: string): string {
  return play(new Play(text), script);
}

export function play(on: Play, script: string): string {
  let said = '';
  for (const step of script.split('; ')) said = take(on, step);
  return said;
}

function take(on: Play, step: string): string {
  for (const [pattern, act] of STEPS) {
    const found = pattern.exec(step);
    if (found === null) continue;
    const [, one = '', two = '', three = '', four = '', five = ''] = found;
    return act(on, [one, two, three, four, five]);
  }
  throw new Error(`"${step}" is no step.`);
}

type Words = readonly [string, string, string, string, string];
type Step = readonly [RegExp, (on: Play, words: Words) => string];

/**
 * All that can happen. `a` is a task, `ann` a worker; the runner of this machine is `runner/local`.
 * What is said without a worker is said by whoever holds the task. `decide` is one turn, `rest` are
 * all there are. While they `work`, whoever holds a task renews in time. Load is in percent.
 */
const STEPS: readonly Step[] = [
  [/^begin$/, () => ''],
  [/^\+(\w+)$/, wait],
  [/^work (\w+)$/, work],
  [/^decide$/, (on) => decisionsText(on.turn(), on)],
  [/^rest$/, (on) => decisionsText(on.turns(), on)],

  [/^state (\S+)$/, (on, [task]) => stateText(on.entry(task).state)],
  [/^tries (\S+)$/, (on, [task]) => triesText(on.entry(task).state)],
  [/^why (\S+)$/, whyText],

  [/^pause$/, (on) => asked(on, { kind: 'pause-board' })],
  [/^resume$/, (on) => asked(on, { kind: 'resume-board' })],
  [/^(drain|undrain) (\S+)$/, drain],
  [/^rebuild$/, (on) => asked(on, { kind: 'rebuild' })],
  [/^stop(?: (\S+))?$/, (on, [run]) => asked(on, { kind: 'stop-run', run: on.run(run) })],
  [/^cancel (\S+)$/, (on, [task]) => asked(on, { kind: 'cancel-task', ...on.about(task) })],
  [/^retry (\S+)$/, (on, [task]) => asked(on, { kind: 'retry-task', ...on.about(task) })],
  [/^answer (\S+)$/, (on, [task]) => asked(on, { kind: 'answer-task', ...on.about(task) })],
  [/^pause (\S+)$/, (on, [task]) => asked(on, { kind: 'pause-task', ...on.about(task) })],
  [/^resume (\S+)$/, (on, [task]) => asked(on, { kind: 'resume-task', ...on.about(task) })],

  [/^(interrupt|carry on) (\S+)$/, interrupt],
  [/^revise (\S+): (.*)$/, revise],

  [/^(memory|cpu) (\d+)$/, (on, [what, percent]) => measure(on, { [what]: Number(percent) / 100 })],
  [/^queue (\d+)$/, (on, [queueLimit]) => measure(on, { queueLimit: Number(queueLimit) })],
  [/^host (\S+) is (un)?reachable$/, seeHost],
  [/^undeclared (\S+) (\S+)$/, writeUndeclared],
  [/^leftover (\S+) gone$/, proveGone],

  [/^(\S+) is (idle|busy)$/, seeWorker],
  [/^(\S+) leaves$/, leave],
  [/^tell (\S+)$/, tellLosses],
  [/^(\S+) owns (reads )?(\S+)(?: for (\S+))?( unsaved)?$/, own],
  [/^(\S+) frees$/, (on, [id]) => on.apply({ kind: 'pathsFreed', at: on.now, id })],
  [/^(\S+) claims(?: (?!for )(\S+))?(?: for (\S+))?$/, claim],
  [/^(\S+) (is \S+|\w+)(?: (\S+))?(?: (\S+))?$/, say],
];

/** What is said of a task, with what may be said beside it: `renews a 5s`, `fails a SIGKILL`. */
const SAYINGS: Readonly<Record<string, (detail: string) => Saying>> = {
  starts: () => ({ kind: 'started' }),
  renews: (time) => ({ kind: 'renew', ...(time !== '' && { leaseMs: milliseconds(time) }) }),
  completes: () => ({ kind: 'completed' }),
  fails: (how) => ({ kind: 'failed', failure: failureIn(how) }),
  loses: (cause) => ({ kind: 'lost', cause: lossIn(cause) }),
  'is lost': () => ({ kind: 'lost', cause: 'host-lost' }),
  'is killed': () => ({ kind: 'lost', cause: 'killed' }),
  releases: () => ({ kind: 'released', reason: 'released' }),
  'is released': () => ({ kind: 'released', reason: 'released' }),
  limits: (time) => ({
    kind: 'rate-limited',
    ...(time !== '' && { retryAfterMs: milliseconds(time) }),
  }),
  'is rate-limited': () => ({ kind: 'rate-limited' }),
  asks: () => ({ kind: 'asked' }),
  sticks: () => ({ kind: 'stuck' }),
  progresses: () => ({ kind: 'progressed' }),
};

function wait(on: Play, [time]: Words): string {
  on.wait(milliseconds(time));
  return '';
}

function milliseconds(text: string): number {
  return new Clauses([`for ${text}`]).millisecondsAfter('for') ?? 0;
}

function work(on: Play, [time]: Words): string {
  const { pushed, pulled } = on.board.claims;
  const before = on.now;
  on.wait(milliseconds(time));
  for (const { entry, holder } of [...pushed, ...pulled]) {
    const { leaseMs } = entry.asks;
    if (holder.expiresAt === undefined || leaseMs === undefined) continue;
    const expiresAt = instant(on.now + leaseMs);
    const event = { kind: 'leaseRenewed', term: holder.term, at: before, expiresAt } as const;
    const about = { run: entry.run.manifest.id, task: entry.definition.id };
    on.apply({ kind: 'taskMoved', ...about, event });
  }
  return '';
}

function whyText(on: Play, [task]: Words): string {
  const reasons = why(decideTurn(on.board, on.now), on.entry(task));
  return reasons.map(({ sentence }) => sentence).join(' ');
}

function asked(on: Play, request: ControlRequest): string {
  return controlText(on.control(request));
}

/** `local` is the runner of this machine; anybody else is called by their name. */
/** Of all that it lost. */
function tellLosses(on: Play, [who]: Words): string {
  const worker = workerId(who);
  const terms = on.board.losses.of(worker).map(({ term }) => term);
  return on.apply({ kind: 'lossesTold', at: on.now, worker, terms });
}

function drain(on: Play, [verb, who]: Words): string {
  const worker = workerId(who === 'local' ? 'runner/local' : who);
  return asked(on, { kind: verb === 'drain' ? 'drain-worker' : 'undrain-worker', worker });
}

function interrupt(on: Play, [verb, run]: Words): string {
  const kind = verb === 'interrupt' ? 'runInterrupted' : 'runResumed';
  return on.apply({ kind, at: on.now, run: on.run(run) });
}

/** Its tasks from now on, each behind a bar. */
function revise(on: Play, [run, lines]: Words): string {
  const revised = boardOf(lines.replaceAll(' | ', '\n'));
  const tasks = [...revised.runs.values()].flatMap(({ manifest }) => manifest.tasks);
  return on.apply({ kind: 'runRevised', at: on.now, run: on.run(run), tasks });
}

function measure(on: Play, read: Partial<Play['board']['load']>): string {
  return on.apply({ kind: 'loadMeasured', at: on.now, load: { ...on.board.load, ...read } });
}

function seeHost(on: Play, [name, un]: Words): string {
  const {
    breaker: _,
    runner: __,
    ...known
  } = on.board.workers.places.get(name) ?? placeNamed(name);
  const place = { ...known, isReachable: un === '' };
  return on.apply({ kind: 'placeSeen', at: on.now, place });
}

function writeUndeclared(on: Play, [task, path]: Words): string {
  const term = on.entry(task).claim?.holder.term ?? 0;
  return on.apply({ kind: 'undeclaredWritten', at: on.now, ...on.about(task), term, path });
}

function proveGone(on: Play, [task]: Words): string {
  const { owners } = on.board;
  const term = [...owners.leftovers.values()].find((left) => left.task === task)?.term ?? 0;
  return on.apply({ kind: 'leftoverGone', at: on.now, ...on.about(task), term });
}

function seeWorker(on: Play, [who, how]: Words): string {
  const worker = { ...on.worker(workerId(who)), isIdle: how === 'idle' };
  return on.apply({ kind: 'workerSeen', at: on.now, worker });
}

function leave(on: Play, [who]: Words): string {
  return on.apply({ kind: 'workerLeft', at: on.now, worker: workerId(who) });
}

function own(on: Play, [id, reads, path, time, unsaved]: Words): string {
  const answer = on.own({
    id,
    worker: workerId(id),
    tree: '/folder',
    reads: reads === '' ? [] : [path],
    writes: reads === '' ? [path] : [],
    isUnsaved: unsaved !== '',
    ...(time !== '' && { until: instant(on.now + milliseconds(time)) }),
  });
  return ownText(answer);
}

function claim(on: Play, [who, task, time]: Words): string {
  const answer = on.claim({
    worker: on.worker(workerId(who)),
    ...(task !== '' && { task: on.about(task) }),
    ...(time !== '' && { leaseMs: milliseconds(time) }),
  });
  return claimText(answer);
}

/** `ann fails a 3`; or of whoever holds it, `a fails 3`; or from inside, `command fails a 3`. */
function say(on: Play, [who, verb, ...more]: Words): string {
  const saying = SAYINGS[verb];
  if (saying === undefined) throw new Error(`Nobody understands "${who} ${verb}".`);
  if (on.find(who) !== undefined) return holderText(on.say({ task: who }, saying(more[0])));
  const [task, detail] = more;
  if (who === 'command') return holderText(on.say({ task, isCommand: true }, saying(detail)));
  return holderText(on.say({ worker: workerId(who), task }, saying(detail)));
}

function failureIn(detail: string): Failure {
  if (detail === 'unstarted') return { kind: 'not-started', message: 'No such file.' };
  if (detail.startsWith('SIG')) return { kind: 'signal', signal: detail };
  return { kind: 'exit', code: detail === '' ? 1 : Number(detail) };
}

const LOSSES: readonly LossCause[] = ['lease-expired', 'host-lost', 'not-started', 'killed'];

function lossIn(detail: string): LossCause {
  const cause = LOSSES.find((each) => each === detail);
  if (cause === undefined) throw new Error(`"${detail}" is no cause of a loss.`);
  return cause;
}
