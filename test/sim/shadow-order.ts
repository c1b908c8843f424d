import { isPushed } from '../../server/domain/asks.ts';
import { LOCAL, runnerAt } from '../../server/scheduler/model/workers.ts';
import { nameOf } from './physical.ts';
import { type ClaimContext, isFullHere } from './shadow-claim.ts';
import { classOf, startsBefore, waitingFor } from './shadow-ready.ts';
import { isOnCycle } from './shadow-run.ts';
import { checkSpare } from './shadow-spare.ts';
import { checkKeptStarts } from './shadow-starts.ts';
import type { ShadowFacts, ShadowRun, ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';

/** How soon nobody else opens a terminal for the same task. */
export const OPENING_MS = 10_000;
/** How long an agent has to claim what it was woken for, and nothing else is offered to it. */
export const OFFER_MS = 5000;
const WEIGHTS = [50, 30, 15, 5];

/** Whose turn it is: the classes take turns by their weights, and in a class the order decides. */
export class ShadowOrder {
  readonly #checks: Checks;
  readonly #pushed = [0, 0, 0, 0];
  readonly #pulled = [0, 0, 0, 0];

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** `contending`: the classes that had something to start, as bits; nothing for a task asked for. */
  follow(context: ClaimContext, contending: number | undefined): void {
    if (contending === undefined) return;
    const { run, task, facts } = context;
    const credits = isPushed(task.work.asks.doer) ? this.#pushed : this.#pulled;
    const winner = takeTurn(credits, contending);
    // Tasks that wait for each other keep a class that they once had, and never start.
    const hasCycle = waitingFor(run, task).some((each) => isOnCycle(run, each));
    if (facts.hasSkipped || hasCycle) return;
    const name = `${nameOf(task.work)} of ${contending.toString(2)}`;
    const own = classOf(run, task);
    this.#checks.holds(
      'order',
      own === winner,
      () => `${name}: ${winner} has its turn, not ${own}`,
    );
    // Of others it depends on what they need and on who waits for them.
    if (facts.runs.size > 1 || facts.mode === 'high' || facts.mode === 'critical') return;
    if (facts.modeSince === context.event.at) return;
    checkKeptStarts(context);
    checkSpare(context);
    const places = { facts, run };
    for (const other of run.tasks.values()) {
      if (other === task || !isReady(places, other)) continue;
      if (other.work.asks.doer.kind !== task.work.asks.doer.kind) continue;
      if (isOfferedToOther(other, context.event)) continue;
      const its = classOf(run, other);
      if (waitingFor(run, other).some((each) => isOnCycle(run, each))) continue;
      const contends = (contending & (1 << its)) !== 0;
      this.#checks.holds('order', contends, () => `${name}: ${other.work.task} is ready too`);
      const isOvertaken = its === own && isNeedless(task) && startsBefore(run, other, task);
      this.#checks.holds('order', !isOvertaken, () => `${name}: before ${other.work.task}`);
    }
  }
}

/** Whether another agent was woken for it a moment ago. */
function isOfferedToOther(
  { wokenAt }: ShadowTask,
  { worker, at }: Pick<ClaimContext['event'], 'worker' | 'at'>,
): boolean {
  return [...wokenAt].some(([other, since]) => other !== worker && at - since < OFFER_MS);
}

/** Whether somebody is idle who was not told of a task which waits for nothing but an agent, or a window. */
export function isMissed(
  { facts, run }: { facts: ShadowFacts; run: ShadowRun },
  task: ShadowTask,
): boolean {
  const { kind: doer } = task.work.asks.doer;
  if ((doer !== 'agent' && doer !== 'terminal') || !isReady({ facts, run }, task)) return false;
  const tolds = [...task.wokenAt.values()];
  const turnMs = doer === 'terminal' ? OPENING_MS : OFFER_MS;
  if (tolds.some((at) => facts.lastAt - at < turnMs)) return false;
  const busy = new Set(facts.holders().map(({ holder }) => holder?.worker));
  const told = [...facts.runs.values()].flatMap(({ tasks }) =>
    [...tasks.values()].flatMap(({ wokenAt }) => [...wokenAt]),
  );
  const wokenMs = doer === 'terminal' ? 1 : OFFER_MS;
  const woken = new Set(
    told.filter(([, at]) => facts.lastAt - at < wokenMs).map(([worker]) => worker),
  );
  return [...facts.sessions.values()].some(({ id, kind, root, isIdle }) => {
    const isFit = kind === doer && (root === undefined || root === run.manifest.root);
    const isFresh = facts.lastAt - (task.wokenAt.get(id) ?? -Infinity) >= 60_000;
    const isFree = isIdle && !busy.has(id) && !facts.drained.has(id);
    return isFit && isFree && isFresh && !woken.has(id);
  });
}

/** Each that contends earns its weight, and the richest pays what all of them earned. */
function takeTurn(credits: number[], contending: number): number {
  const classes = [0, 1, 2, 3].filter((index) => (contending & (1 << index)) !== 0);
  for (const index of classes) credits[index]! += WEIGHTS[index]!;
  const most = Math.max(...classes.map((index) => credits[index]!));
  const winner = classes.find((index) => credits[index] === most) ?? 0;
  credits[winner]! -= classes.reduce((sum, index) => sum + WEIGHTS[index]!, 0);
  return winner;
}

/** It waits for nothing at all, and nothing it asks for can be short. */
function isReady(
  { facts, run }: { facts: ShadowFacts; run: ShadowRun },
  task: ShadowTask,
): boolean {
  if (task.state !== 'pending' || !task.isFree || task.isPaused) return false;
  if (task.notBefore > facts.lastAt || !isNeedless(task) || isFullHere(facts, task.work))
    return false;
  if (isPushed(task.work.asks.doer) && facts.drained.has(runnerAt(LOCAL))) return false;
  for (const { work } of facts.leftoversInTheWay(facts.lastAt))
    if (work.run === run.manifest.id && work.task === task.work.task) return false;
  return true;
}

function isNeedless({ work }: ShadowTask): boolean {
  const { doer, hosts, needs, resources } = work.asks;
  const { reads, writes } = work.definition;
  return (
    (doer.kind === 'runner' || doer.kind === 'agent' || doer.kind === 'terminal') &&
    hosts.length + needs.length + Object.keys(resources).length === 0 &&
    reads.length + writes.length === 0
  );
}
