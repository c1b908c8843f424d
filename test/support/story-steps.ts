import type { RunId } from '../../server/domain/ids.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import { type Instant, instant } from '../../server/domain/time.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { decideTurn } from '../../server/scheduler/decide.ts';
import type { Decision } from '../../server/scheduler/decisions/decision.ts';
import { explain } from '../../server/scheduler/predicate/explain.ts';
import { answerClaim } from '../../server/scheduler/requests/claim.ts';
import { answerControl, type ControlRequest } from '../../server/scheduler/requests/control.ts';
import { answerHolder, type Saying } from '../../server/scheduler/requests/settle.ts';
import type { TaskEntry } from '../../server/scheduler/model/run-model.ts';
import { why } from '../../server/scheduler/predicate/why.ts';
import { Clauses } from './board-text.ts';
import { boardOf, workerId } from './snapshots.ts';

/** Where a story is played. */
export interface Stage {
  readonly board: BoardModel;
  now: Instant;
  settle(): string;
  commit(decision: Decision): void;
  task(name: string): TaskEntry;
  run(name: string): RunId;
}

type Act = (stage: Stage, words: readonly (string | undefined)[]) => string;

const SAYINGS: Readonly<Record<string, Saying>> = {
  starts: { kind: 'started' },
  completes: { kind: 'completed' },
  renews: { kind: 'renew' },
  asks: { kind: 'asked' },
  progresses: { kind: 'progressed' },
  'is stuck': { kind: 'stuck' },
  'is released': { kind: 'released', reason: 'released' },
  'is lost': { kind: 'lost', cause: 'host-lost' },
  'is killed': { kind: 'lost', cause: 'killed' },
  'is rate-limited': { kind: 'rate-limited' },
  'cannot start': { kind: 'failed', failure: { kind: 'not-started', message: 'no such file' } },
  'is signalled': { kind: 'failed', failure: { kind: 'signal', signal: 'SIGTERM' } },
};

export const STEPS: readonly (readonly [RegExp, Act])[] = [
  [/^begin$/, () => ''],
  [/^wait (\S+)$/, wait],
  [/^work (\S+)$/, work],
  [/^why (\S+)$/, explainWhy],
  [/^(pause|resume) board$/, (stage, [what]) => control(stage, boardRequestOf(what))],
  [
    /^stop (\S+)$/,
    (stage, [run = '']) => control(stage, { kind: 'stop-run', run: stage.run(run) }),
  ],
  [/^(interrupt|carry on) (\S+)$/, changeRun],
  [/^(retry|cancel|pause|resume|answer) (\S+)$/, controlTask],
  [/^revise (\S+): (.*)$/, revise],
  [/^load (memory|cpu|queue) (\S+)$/, measure],
  [/^host (\S+) is (un)?reachable$/, seeHost],
  [/^(\S+) writes (\S+)$/, own],
  [/^(\S+) saves$/, (stage, [id = '']) => apply(stage, { kind: 'pathsFreed', at: stage.now, id })],
  [/^(\S+) wrote (\S+)$/, writeUndeclared],
  [/^nothing is left of (\S+)$/, proveDead],
  [/^(\S+) fails (\d+)$/, fail],
  [/^(\S+) claims(?: (\S+))?$/, claimFor],
  [/^(\S+) (.+)$/, (stage, [task, what = '']) => say(stage, task, SAYINGS[what])],
];

function wait(stage: Stage, [time]: readonly (string | undefined)[]): string {
  const waitMs = new Clauses([`wait ${time}`]).millisecondsAfter('wait') ?? 0;
  stage.now = instant(stage.now + waitMs);
  return '';
}

/** Time passes, and whoever holds a task renews in time. */
function work(stage: Stage, words: readonly (string | undefined)[]): string {
  const { claims } = stage.board;
  const before = stage.now;
  wait(stage, words);
  for (const { entry, holder } of [...claims.pushed, ...claims.pulled]) {
    const { leaseMs } = entry.asks;
    if (holder.expiresAt === undefined || leaseMs === undefined) continue;
    const expiresAt = instant(stage.now + leaseMs);
    const event = { kind: 'leaseRenewed', term: holder.term, at: before, expiresAt } as const;
    const about = { run: entry.run.manifest.id, task: entry.definition.id };
    apply(stage, { kind: 'taskMoved', ...about, event });
  }
  return '';
}

function explainWhy(stage: Stage, [name = '']: readonly (string | undefined)[]): string {
  stage.settle();
  return why(decideTurn(stage.board, stage.now), stage.task(name))
    .map(({ sentence }) => sentence)
    .join(' ');
}

function boardRequestOf(what: string | undefined): ControlRequest {
  return { kind: what === 'pause' ? 'pause-board' : 'resume-board' };
}

function control(stage: Stage, request: ControlRequest): string {
  const answer = answerControl(stage.board, request, stage.now);
  if (answer.kind === 'refused') return `refused: ${answer.why.kind}`;
  for (const event of answer.events) apply(stage, event);
  return '';
}

function controlTask(stage: Stage, [what, name = '']: readonly (string | undefined)[]): string {
  const kinds = {
    retry: 'retry-task',
    cancel: 'cancel-task',
    pause: 'pause-task',
    resume: 'resume-task',
    answer: 'answer-task',
  } as const;
  const [, kind] = Object.entries(kinds).find(([word]) => word === what) ?? [];
  const { run, definition } = stage.task(name);
  if (kind === undefined) throw new Error(`"${what}" is nothing that can be asked for.`);
  return control(stage, { kind, run: run.manifest.id, task: definition.id });
}

function changeRun(stage: Stage, [what, name = '']: readonly (string | undefined)[]): string {
  const kind = what === 'interrupt' ? 'runInterrupted' : 'runResumed';
  return apply(stage, { kind, at: stage.now, run: stage.run(name) });
}

/** Its tasks from now on, each behind a bar. */
function revise(stage: Stage, [name = '', tasks = '']: readonly (string | undefined)[]): string {
  const run = stage.run(name);
  return apply(stage, {
    kind: 'runRevised',
    at: stage.now,
    run,
    tasks: definitionsIn(tasks.replaceAll(' | ', '\n')),
  });
}

export function definitionsIn(text: string): readonly TaskDefinition[] {
  return [...boardOf(text).runs.values()].flatMap(({ manifest }) => manifest.tasks);
}

function measure(stage: Stage, [what, amount]: readonly (string | undefined)[]): string {
  const name = what === 'queue' ? 'queueLimit' : what === 'cpu' ? 'cpu' : 'memory';
  const load = { ...stage.board.load, [name]: Number(amount) };
  return apply(stage, { kind: 'loadMeasured', at: stage.now, load });
}

function seeHost(stage: Stage, [name = '', un]: readonly (string | undefined)[]): string {
  const { capabilities = [], limits = {} } = stage.board.workers.places.get(name) ?? {};
  const place = { name, isReachable: un === undefined, capabilities, limits };
  return apply(stage, { kind: 'placeSeen', at: stage.now, place });
}

function own(stage: Stage, [name = '', path = '']: readonly (string | undefined)[]): string {
  return apply(stage, {
    kind: 'pathsOwned',
    at: stage.now,
    id: name,
    worker: workerId(name),
    tree: '/folder',
    reads: [],
    writes: [path],
    isUnsaved: true,
  });
}

function writeUndeclared(
  stage: Stage,
  [name = '', path = '']: readonly (string | undefined)[],
): string {
  const { run, definition, claim } = stage.task(name);
  const term = claim?.holder.term ?? 0;
  const about = { run: run.manifest.id, task: definition.id, term };
  return apply(stage, { kind: 'undeclaredWritten', at: stage.now, ...about, path });
}

function proveDead(stage: Stage, [name = '']: readonly (string | undefined)[]): string {
  const { run, definition } = stage.task(name);
  const left = [...stage.board.owners.leftovers.values()].find(
    ({ task }) => task === definition.id,
  );
  const about = { run: run.manifest.id, task: definition.id, term: left?.term ?? 0 };
  return apply(stage, { kind: 'leftoverGone', at: stage.now, ...about });
}

function fail(stage: Stage, [task, code]: readonly (string | undefined)[]): string {
  return say(stage, task, { kind: 'failed', failure: { kind: 'exit', code: Number(code) } });
}

/** A worker takes a task for itself, or whatever comes first. */
function claimFor(stage: Stage, [who = '', name]: readonly (string | undefined)[]): string {
  const worker = stage.board.workers.sessions.get(workerId(who));
  if (worker === undefined) throw new Error(`There is no worker "${who}".`);
  const entry = name === undefined ? undefined : stage.task(name);
  const task = entry && { run: entry.run.manifest.id, task: entry.definition.id };
  const answer = answerClaim(
    stage.board,
    task === undefined ? { worker } : { worker, task },
    stage.now,
  );
  if (answer.kind === 'blocked') return answer.reasons.map(explain).join('; ');
  if (answer.kind === 'held') return `held by ${answer.holder}`;
  if (answer.kind !== 'claim') return answer.kind;
  stage.commit(answer.decision);
  return `claim ${answer.decision.task}`;
}

function say(stage: Stage, name = '', says?: Saying): string {
  if (says === undefined) throw new Error(`"${name}" does not say that.`);
  const { run, definition, claim } = stage.task(name);
  const term = claim?.holder.term ?? 0;
  const request = { run: run.manifest.id, task: definition.id, term, says };
  const answer = answerHolder(stage.board, request, stage.now);
  if (answer.kind === 'stale') return 'stale';
  for (const event of answer.events) apply(stage, event);
  return '';
}

function apply(stage: Stage, event: BoardEvent): string {
  return stage.board.apply(event) === 'refused' ? 'refused' : '';
}
