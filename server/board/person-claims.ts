import { displayLine, displayText, inShort } from '../domain/display-text.ts';
import { asksOf, isForPerson } from '../domain/asks.ts';
import type { TaskId, WorkerId } from '../domain/ids.ts';
import { isFinal } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import type { ClaimReply } from '../engine/board-calls.ts';
import type { TaskEntry } from '../scheduler/model/run-model.ts';
import { withoutWindow, type Worker } from '../scheduler/model/workers.ts';
import { explain } from '../scheduler/predicate/explain.ts';
import { mayStart } from '../scheduler/predicate/may-start.ts';
import type { Turn } from '../scheduler/predicate/turn.ts';
import { timedText } from '../scheduler/predicate/why.ts';
import type { Board } from './board.ts';
import type { BoardTask } from './board-task.ts';
import { heldBy } from './held-by.ts';
import type { OpenBoard } from './ports.ts';
import { nowOn } from './writers-now.ts';

/** A task that people may claim, and nobody has. */
export interface Claimable {
  readonly plan: string;
  readonly id: TaskId;
  readonly title: string;
  readonly isForPeople: boolean;
  readonly isNew: boolean;
  readonly waits: string;
}

/** A claim of the person, who may be in another window. */
export interface PersonClaim {
  readonly entry: TaskEntry;
  readonly term: number;
  readonly expiresAt: Instant | undefined;
  readonly leaseMs: number | undefined;
}

export type Claimed =
  | { readonly kind: 'claimed'; readonly entry: TaskEntry | undefined }
  | { readonly kind: 'refused'; readonly message: string };

interface Person {
  readonly person: WorkerId;
  readonly operation: () => string;
}

/** Who sits before a window is able to do what they say that they do. */
function workerFor(person: WorkerId, needs: readonly string[], now: Instant): Worker {
  return { id: person, kind: 'person', capabilities: needs, isIdle: true, since: now };
}

/** Those for people first, and of these what can be had at once. */
export function claimable(board: Board, person: WorkerId): readonly Claimable[] {
  const open = board.live;
  if (open === undefined) return [];
  const outlook = open.keeper.outlook();
  const busy = plansWithRun(board, open);
  const offer = { open, outlook, person, busy };
  const found = board.tasks().flatMap((task) => claimableTask(task, offer));
  const rank = ({ isForPeople, isNew, waits }: Claimable): number =>
    (isForPeople ? 0 : 4) + (isNew ? 2 : 0) + (waits === '' ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function plansWithRun({ root }: Board, open: OpenBoard): ReadonlySet<string> {
  const runs = [...open.keeper.board.runs.values()].filter(
    ({ manifest, isInterrupted, isStopping }) =>
      manifest.root === root && !isInterrupted && !isStopping,
  );
  return new Set(runs.map(({ manifest }) => manifest.plan));
}

interface Offer {
  readonly open: OpenBoard;
  /** Working it out takes as long as there are tasks: it is done once. */
  readonly outlook: Turn;
  readonly person: WorkerId;
  /** The plans that have a run: until it ends, nothing else of them can be asked for. */
  readonly busy: ReadonlySet<string>;
}

function claimableTask(
  { plan, task, record, status }: BoardTask,
  { open, outlook, person, busy }: Offer,
): readonly Claimable[] {
  const entry = record && open.keeper.board.find(record.run, task.id);
  const doer = entry?.asks.doer ?? task.asks.doer;
  // What a runner does, or an agent, is not for people.
  if (doer === undefined || !isForPerson(doer)) return [];
  if (entry?.claim !== undefined || status.kind === 'blocked') return [];
  const isNew = entry === undefined || isFinal(entry.state);
  if (isNew && status.kind === 'completed') return [];
  const worker = workerFor(person, entry?.asks.needs ?? [], nowOn(open));
  const verdict = isNew ? undefined : mayStart(outlook, entry, { worker });
  const reasons = verdict?.kind === 'no' ? verdict.reasons.map(explain).join('; ') : '';
  return [
    {
      plan: plan.path,
      id: task.id,
      title: inShort(displayText(task.title)),
      isForPeople: doer.kind === 'person',
      isNew,
      waits: isNew && busy.has(plan.path) ? OTHERS : displayText(reasons),
    },
  ];
}

/** Of a task that is not part of the run that its plan has. */
const OTHERS = 'waits until the run of its plan has ended';

/** A task that is in no run is asked for first. What is granted is confirmed at once. */
export async function claimFor(
  board: Board,
  { plan, id }: { readonly plan: string; readonly id: TaskId },
  { person, operation }: Person,
): Promise<Claimed> {
  if (!board.isTrusted) return refuse('Trust this folder to claim its tasks.');
  // To ask for it would start what nobody has asked for.
  const task = board.table.get(plan, id)?.task;
  if (task !== undefined && !isForPerson(asksOf(task.asks).doer)) return refuse(notForPeople(task));
  if (entryOf(board, plan, id) === undefined) {
    const result = await board.run({
      plan,
      tasks: [{ id }],
      requestedBy: 'editor',
      claimant: person,
    });
    if (result.kind === 'refused') return refuse(result.message);
  }
  const entry = entryOf(board, plan, id);
  const open = board.live;
  if (open === undefined || entry === undefined) return refuse(`"${id}" is in no unfinished run.`);
  const { calls } = open.keeper;
  const which = { run: entry.run.manifest.id, task: id };
  const other = board
    .claimsOfOthers(person)
    .find(({ run, task: claimed }) => run === which.run && claimed === id);
  if (other !== undefined) return refuse(other.message);
  const worker = workerFor(person, entry.asks.needs, nowOn(open));
  const reply = await calls.claim({ worker, task: which, operation: operation() });
  if (reply.kind !== 'granted') {
    if (open.keeper.board.claims.holdsNothing(person)) await calls.leave(person);
    return refuse(refusalOf(reply, { id, now: nowOn(open) }));
  }
  const { term } = reply.grant;
  const by = { kind: 'worker', worker: worker.id } as const;
  const confirmed = await calls.say({ ...which, term, by, says: { kind: 'renew' } }, operation());
  if (confirmed.kind !== 'accepted')
    return refuse(`"${id}" was lost at once: somebody else has it.`);
  return { kind: 'claimed', entry: entryOf(board, plan, id) };
}

function notForPeople({ id, asks }: BoardTask['task']): string {
  return asks.doer?.kind === 'agent'
    ? `"${id}" is for agents: people cannot claim it.`
    : `"${id}" is done by its command: run it, and nobody has to claim it.`;
}

function refusalOf(
  reply: Exclude<ClaimReply, { kind: 'granted' }>,
  { id, now }: { readonly id: TaskId; readonly now: Instant },
): string {
  switch (reply.kind) {
    case 'held':
      return `"${id}" is ${heldBy(reply.holder, reply.until, now)}.`;
    case 'blocked':
      return `"${id}" cannot be claimed now: ${timedText(reply.reasons, now)}.`;
    case 'ended':
      return `"${id}" has ended: ${reply.state}.`;
    case 'unknown':
    case 'nothing-to-claim':
      return `"${id}" is in no unfinished run.`;
    default:
      return reply satisfies never;
  }
}

/** Everything that the person has on a board. */
export function claimsOf(open: OpenBoard, person: WorkerId): readonly PersonClaim[] {
  return [...open.keeper.board.claims.pulled].flatMap(({ entry, holder }) => {
    const { worker, term, expiresAt, leaseMs } = holder;
    return withoutWindow(worker) === person ? [{ entry, term, expiresAt, leaseMs }] : [];
  });
}

export type Ending =
  | { readonly kind: 'release' | 'complete' }
  | { readonly kind: 'fail'; readonly message: string | undefined };

/** Says how it has ended. Answers why that does not count, as a sentence. */
export async function endClaim(
  board: Board,
  task: { readonly plan: string; readonly id: TaskId; readonly ending: Ending },
  { person, operation }: Person,
): Promise<string | undefined> {
  const { plan, id, ending } = task;
  const open = board.live;
  const entry = entryOf(board, plan, id);
  const claim = open && claimsOf(open, person).find((each) => each.entry === entry);
  if (open === undefined || claim === undefined) return `"${id}" is not yours, or not any more.`;
  const { calls } = open.keeper;
  const by = { kind: 'worker', worker: person } as const;
  const request = { run: claim.entry.run.manifest.id, task: id, term: claim.term, by };
  const reply = await calls.say({ ...request, says: sayingOf(ending) }, operation());
  if (reply.kind !== 'accepted')
    return `The claim on "${id}" is over. Whatever was done under it does not count.`;
  // Whoever comes back for more says so again.
  if (open.keeper.board.claims.holdsNothing(person)) await calls.leave(person);
  return undefined;
}

type Saying = Parameters<OpenBoard['keeper']['calls']['say']>[0]['says'];

function sayingOf(ending: Ending): Saying {
  switch (ending.kind) {
    case 'release':
      return { kind: 'released', reason: 'released' };
    case 'complete':
      return { kind: 'completed' };
    case 'fail': {
      const failure = { kind: 'exit', code: 1 } as const;
      const { message } = ending;
      return { kind: 'failed', failure: message === undefined ? failure : { ...failure, message } };
    }
    default:
      return ending satisfies never;
  }
}

/** In the run of this folder that has it now and has not ended. */
function entryOf(board: Board, plan: string, id: TaskId): TaskEntry | undefined {
  const runs = board.liveRuns().filter(({ manifest }) => manifest.plan === plan);
  const entries = runs.flatMap((run) => run.find(id) ?? []);
  return entries.findLast(({ state }) => !isFinal(state));
}

function refuse(message: string): Claimed {
  return { kind: 'refused', message: displayLine(message) };
}
