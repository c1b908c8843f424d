import { DEFAULT_QUEUE_LIMIT } from '../../server/domain/failure/load.ts';
import type { HazardRule } from '../../server/domain/run.ts';
import type { Failure, LossCause, TaskState } from '../../server/domain/task.ts';
import { instant } from '../../server/domain/time.ts';
import type { ClaimAnswer } from '../../server/scheduler/requests/claim.ts';
import type { ControlAnswer, ControlRequest } from '../../server/scheduler/requests/control.ts';
import type { OwnAnswer } from '../../server/scheduler/requests/own.ts';
import type { HolderAnswer, Saying } from '../../server/scheduler/requests/settle.ts';
import { explain } from '../../server/scheduler/predicate/explain.ts';
import { Play } from './board-play.ts';
import { Clauses } from './board-text.ts';
import { decisionsText } from './decision-text.ts';
import { workerId } from './snapshots.ts';

/** A board, and what happens on it. */
export type Story = readonly [text: string, script: string];

/**
 * What happens on a board, step by step, and what the last step says:
 *
 *     ann claims build for 10s; +10s; decide; ann completes build; state build
 *
 * `+10s` lets time pass, `decide` is one turn and `rest` all there are, without cycles. `ann` is
 * whoever the board says; the runner of this machine is `runner/local`. Of a task `cancel`, `retry`,
 * `answer`, `pause` and `resume` are asked; `pause` and `resume` alone are about the board. `memory 95`
 * is how full it is measured to be.
 */
export function tell(text: string, script: string): string {
  return play(new Play(text), script);
}

export function play(on: Play, script: string): string {
  let said = '';
  for (const step of script.split('; ')) said = take(on, step);
  return said;
}

function milliseconds(text: string): number {
  return new Clauses([`for ${text}`]).millisecondsAfter('for') ?? 0;
}

function take(on: Play, step: string): string {
  if (step.startsWith('+')) {
    on.wait(milliseconds(step.slice(1)));
    return '';
  }
  const words = step.split(' ');
  const [first = '', second = '', ...rest] = words;
  if (first === 'decide') return decided(on, on.turn());
  if (first === 'rest') return decided(on, on.turns());
  if (first === 'state') return stateText(on.entry(second).state);
  if (first === 'tries') return triesText(on.entry(second).state);
  if (first === 'undeclared') return wroteUndeclared(on, { task: second, path: rest[0] ?? '' });
  if (first === 'memory') return measured(on, Number(second) / 100);
  if (first === 'leftover') return leftoverGone(on, second);
  const request = controlIn(on, first, second);
  if (request !== undefined) return controlText(on.control(request));
  return takeOfWorker(on, { who: first, verb: second, rest });
}

function decided(on: Play, decisions: ReturnType<Play['turn']>): string {
  return decisionsText(
    decisions.filter(({ kind }) => kind !== 'cycle'),
    on.board,
  );
}

function controlIn(on: Play, verb: string, task: string): ControlRequest | undefined {
  if (verb === 'rebuild') return { kind: 'rebuild' };
  if (verb === 'stop') {
    const [run] = on.board.runs.keys();
    return run === undefined ? undefined : { kind: 'stop-run', run };
  }
  if (task === '') {
    if (verb === 'pause') return { kind: 'pause-board' };
    return verb === 'resume' ? { kind: 'resume-board' } : undefined;
  }
  const verbs = ['cancel', 'retry', 'answer', 'pause', 'resume'] as const;
  const known = verbs.find((each) => each === verb);
  if (known === undefined) return undefined;
  const { run, definition } = on.entry(task);
  return { kind: `${known}-task`, run: run.manifest.id, task: definition.id };
}

function wroteUndeclared(on: Play, { task, path }: { task: string; path: string }): string {
  const { run, definition, claim } = on.entry(task);
  const which = { run: run.manifest.id, task: definition.id, term: claim?.holder.term ?? 0 };
  return on.apply({ kind: 'undeclaredWritten', at: on.now, ...which, path });
}

function measured(on: Play, memory: number): string {
  const load = { queueLimit: DEFAULT_QUEUE_LIMIT, memory, cpu: 0 };
  return on.apply({ kind: 'loadMeasured', at: on.now, load });
}

function leftoverGone(on: Play, task: string): string {
  const { run, definition, leftover } = on.entry(task);
  const term = leftover?.who.kind === 'leftover' ? leftover.who.term : 0;
  const which = { run: run.manifest.id, task: definition.id, term };
  return on.apply({ kind: 'leftoverGone', at: on.now, ...which });
}

interface WorkerStep {
  readonly who: string;
  readonly verb: string;
  readonly rest: readonly string[];
}

function takeOfWorker(on: Play, step: WorkerStep): string {
  const worker = workerId(step.who);
  const [task = '', ...more] = step.rest;
  switch (step.verb) {
    case 'claims':
      return claims(on, step);
    case 'owns':
      return owns(on, step);
    case 'frees':
      return on.apply({ kind: 'pathsFreed', at: on.now, id: step.who });
    case 'leaves':
      return on.apply({ kind: 'workerLeft', at: on.now, worker });
    case 'is':
      return on.apply({
        kind: 'workerSeen',
        at: on.now,
        worker: { ...on.worker(worker), isIdle: task === 'idle' },
      });
    default: {
      const says = sayingIn(step.verb, more);
      if (says === undefined) throw new Error(`Nobody understands "${step.who} ${step.verb}".`);
      return holderText(on.say({ worker, task }, says));
    }
  }
}

function claims(on: Play, { who, rest }: WorkerStep): string {
  const words = rest[0] === 'for' ? ['', ...rest] : rest;
  const [task = '', , duration] = words;
  const entry = task === '' ? undefined : on.entry(task);
  const answer = on.claim({
    worker: on.worker(workerId(who)),
    ...(entry && { task: { run: entry.run.manifest.id, task: entry.definition.id } }),
    ...(duration !== undefined && { leaseMs: milliseconds(duration) }),
  });
  return claimText(answer);
}

/** `ann owns src/** for 10s unsaved`, `ann owns reads src/**`. */
function owns(on: Play, { who, rest }: WorkerStep): string {
  const isReading = rest[0] === 'reads';
  const path = rest[isReading ? 1 : 0] ?? '';
  const duration = rest[rest.indexOf('for') + 1];
  const answer = on.own({
    id: who,
    worker: workerId(who),
    tree: '/folder',
    reads: isReading ? [path] : [],
    writes: isReading ? [] : [path],
    isUnsaved: rest.includes('unsaved'),
    ...(rest.includes('for') &&
      duration !== undefined && { until: instant(on.now + milliseconds(duration)) }),
  });
  return ownText(answer);
}

/** `fails build 3`, `fails build SIGKILL`, `renews build 5s`, `loses build host-lost`. */
function sayingIn(verb: string, [detail]: readonly string[]): Saying | undefined {
  switch (verb) {
    case 'starts':
      return { kind: 'started' };
    case 'renews':
      return { kind: 'renew', ...(detail !== undefined && { leaseMs: milliseconds(detail) }) };
    case 'completes':
      return { kind: 'completed' };
    case 'fails':
      return { kind: 'failed', failure: failureIn(detail) };
    case 'loses':
      return { kind: 'lost', cause: lossIn(detail) };
    case 'releases':
      return { kind: 'released', reason: 'released' };
    case 'limits':
      return {
        kind: 'rate-limited',
        ...(detail !== undefined && { retryAfterMs: milliseconds(detail) }),
      };
    case 'asks':
      return { kind: 'asked' };
    case 'sticks':
      return { kind: 'stuck' };
    case 'progresses':
      return { kind: 'progressed' };
    default:
      return undefined;
  }
}

function failureIn(detail = '1'): Failure {
  if (detail === 'unstarted') return { kind: 'not-started', message: 'No such file.' };
  if (detail.startsWith('SIG')) return { kind: 'signal', signal: detail };
  return { kind: 'exit', code: Number(detail) };
}

const LOSSES: readonly LossCause[] = ['lease-expired', 'host-lost', 'not-started', 'killed'];

function lossIn(detail: string | undefined): LossCause {
  const cause = LOSSES.find((each) => each === detail);
  if (cause === undefined) throw new Error(`"${detail}" is no cause of a loss.`);
  return cause;
}

export function claimText(answer: ClaimAnswer): string {
  switch (answer.kind) {
    case 'claim':
      return `claimed ${answer.decision.task}`;
    case 'own':
      return `own until ${answer.expiresAt ?? 'released'}`;
    case 'held':
      return `held by ${answer.holder} until ${answer.until ?? 'released'}`;
    case 'blocked':
      return `blocked: ${answer.reasons.map(explain).join('; ')}`;
    case 'ended':
      return `ended ${answer.state}`;
    case 'unknown':
    case 'nothing-to-claim':
      return answer.kind;
    default:
      return answer satisfies never;
  }
}

function holderText(answer: HolderAnswer): string {
  if (answer.kind === 'stale') return 'stale';
  return answer.events
    .map((event) => (event.kind === 'taskMoved' ? event.event.kind : event.kind))
    .join(' ');
}

export function controlText(answer: ControlAnswer): string {
  if (answer.kind === 'refused') return `refused: ${answer.why.kind}`;
  return answer.events
    .map((event) => {
      if (event.kind !== 'taskMoved') return event.kind;
      const { kind } = event.event;
      return kind === 'stopAsked'
        ? `${kind} ${event.task} ${event.event.signal}`
        : `${kind} ${event.task}`;
    })
    .join(', ');
}

function ownText(answer: OwnAnswer): string {
  if (answer.kind === 'refused') return `refused ${answer.pattern}`;
  const [verb, met] =
    answer.kind === 'held' ? (['held', answer.by] as const) : (['owned', answer.warnings] as const);
  const rules = met.map(
    ({ owner, rule }): `${string} ${HazardRule | 'ask'}` => `${owner.worker} ${rule}`,
  );
  return [verb, ...rules].join(', ');
}

/** What it is now, without its times of start and end. */
export function stateText(state: TaskState): string {
  switch (state.kind) {
    case 'pending': {
      const why = state.releasedFor === undefined ? '' : ` ${state.releasedFor}`;
      return `pending${why}${state.notBefore === undefined ? '' : ` until ${state.notBefore}`}`;
    }
    case 'claimed':
    case 'running':
      return `${state.kind} by ${state.worker} until ${state.expiresAt ?? 'released'}`;
    case 'attention':
      return `attention ${state.why}${state.holder === undefined ? '' : ' held'}`;
    case 'failed': {
      const { failure } = state;
      return failure.kind === 'exit' ? `failed exit ${failure.code}` : `failed ${failure.kind}`;
    }
    case 'skipped':
      return `skipped because ${state.because}`;
    case 'completed':
    case 'cancelled':
      return state.kind;
    default:
      return state satisfies never;
  }
}

function triesText({ tries }: TaskState): string {
  const { revision, attempts, failures, losses } = tries;
  return `revision ${revision}, ${attempts} attempts, ${failures} failures, ${losses} losses`;
}
