import { isPushed } from '../../server/domain/asks.ts';
import type { RunOutcome } from '../../server/domain/run.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { followEdges } from './shadow-ready.ts';
import { type ShadowFacts, ShadowRun, type ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';
import { type Work, workOf } from './work.ts';

type Of<Kind extends BoardEvent['kind']> = Extract<BoardEvent, { kind: Kind }>;

export function submitRun(facts: ShadowFacts, event: Of<'runSubmitted'>): void {
  const run = new ShadowRun(event.manifest, facts.allRuns);
  facts.runs.set(event.manifest.id, run);
  facts.allRuns.set(event.manifest.id, run);
  for (const task of run.tasks.values()) task.readySince = event.at;
  followEdges(run, undefined);
  followOthers(facts, run, event.at);
}

/** Looks again at what the tasks of other runs wait for in this one. */
export function followOthers(facts: ShadowFacts, run: ShadowRun, at: number): void {
  for (const other of facts.runs.values())
    if (other !== run && other.waitsFor(run)) followEdges(other, at);
}

/**
 * Whoever is held stays as it began, and whoever has ended stays so; what else is gone is gone. One that
 * comes back later is another revision.
 */
export function reviseShadow(facts: ShadowFacts, event: Of<'runRevised'>): void {
  const run = facts.runs.get(event.run);
  if (run === undefined) return;
  const wasFree = new Set([...run.tasks.values()].filter(({ isFree }) => isFree));
  const kept = new Set(event.tasks.map(({ id }) => id));
  for (const definition of event.tasks) {
    const task = run.tasks.get(definition.id);
    const work = workOf(run.manifest, definition);
    if (task === undefined) {
      const [added] = new ShadowRun({ ...run.manifest, tasks: [definition] }).tasks.values();
      if (added === undefined) continue;
      added.readySince = event.at;
      added.revision = (run.left.get(definition.id) ?? 0) + 1;
      run.tasks.set(definition.id, added);
    } else if (task.holder === undefined) {
      const isSame = JSON.stringify(task.work.definition) === JSON.stringify(definition);
      if (!isSame && !task.isFinal) {
        task.countAnew();
        task.readySince = Math.min(task.readySince, event.at);
        task.starvation = 0;
        task.starvedAt = 0;
      }
      task.work = work;
    }
  }
  for (const [id, task] of run.tasks) {
    if (kept.has(id) || task.isFinal || task.holder !== undefined) continue;
    run.tasks.delete(id);
    run.left.set(id, task.revision);
  }
  run.chains.clear();
  for (const task of run.tasks.values()) if (!wasFree.has(task)) task.readySince = event.at;
  followEdges(run, undefined);
  followOthers(facts, run, event.at);
}

/** A run ends as its tasks did, and as soon as none of those that are left can ever start. */
export function finishShadow(facts: ShadowFacts, event: Of<'runFinished'>, checks: Checks): void {
  const run = facts.runs.get(event.run);
  if (run === undefined) return;
  const expected = run.isInterrupted && !run.isStopping ? 'unfinished' : outcomeOf(facts, run);
  checks.holds(
    'outcome',
    event.outcome === expected,
    () => `${event.run} ends as ${event.outcome}, and is ${expected}: ${describeOpen(run)}`,
  );
  facts.runs.delete(event.run);
  run.isOver = true;
  followOthers(facts, run, event.at);
  facts.outcomes.set(event.run, event.outcome);
}

function describeOpen(run: ShadowRun): string {
  const open = [...run.tasks.values()].filter(({ isFinal }) => !isFinal);
  return open.map(({ work, state }) => `${state} ${JSON.stringify(work.definition)}`).join('\n');
}

function outcomeOf(facts: ShadowFacts, run: ShadowRun): RunOutcome | 'unfinished' {
  const tasks = [...run.tasks.values()];
  if (tasks.some((task) => !task.isFinal && !isHopeless(facts, run, task))) return 'unfinished';
  if (tasks.some((task) => !task.isFinal)) return 'deadlocked';
  if (mayBeRevived(run)) return 'unfinished';
  if (tasks.some(({ state }) => state === 'failed')) return 'failed';
  if (tasks.some(({ state }) => state === 'cancelled')) return 'cancelled';
  return tasks.some(({ state }) => state === 'skipped') ? 'failed' : 'completed';
}

/** What was skipped may be wanted again after a retry in another run, as long as that goes on. */
function mayBeRevived(run: ShadowRun, seen: Set<ShadowRun> = new Set([run])): boolean {
  if (run.hasEndedEarly || run.isInterrupted) return false;
  return [...run.tasks.values()].some(({ state, work }) => {
    if (state !== 'skipped') return false;
    return work.definition.dependsOn.some((id) => {
      const other = run.find(id);
      if (other?.task === undefined || other.run.isOver || seen.has(other.run)) return false;
      if (run.standing(id) !== 'ended') return false;
      seen.add(other.run);
      const isOpen = [...other.run.tasks.values()].some(({ isFinal }) => !isFinal);
      const goesOn = !other.run.hasEndedEarly && !other.run.isInterrupted;
      return (isOpen && goesOn) || mayBeRevived(other.run, seen);
    });
  });
}

/** It can never start, or waits for something that cannot. */
function isHopeless(facts: ShadowFacts, run: ShadowRun, task: ShadowTask): boolean {
  const waits = new Map([[task, run]]);
  for (const [each, of] of waits) {
    if (each.state !== 'pending' || each.isPaused) continue;
    // A backoff ends by itself, but behind a task that never ends it changes nothing.
    if (each.isFree && each.notBefore > facts.lastAt) continue;
    if (isImpossible(facts, each)) return true;
    for (const id of [...each.work.definition.dependsOn, ...each.work.definition.after]) {
      const earlier = of.find(id);
      if (earlier?.task === task) return true;
      const needs = each.work.definition.dependsOn.includes(id);
      if (of.standing(id) === 'missing' && needs) return true;
      // It is skipped in the next turn, if its run has one.
      if (needs && earlier?.run.isOver === true && of.standing(id) === 'ended') return true;
      if (earlier?.task !== undefined && of.standing(id) === 'open')
        waits.set(earlier.task, earlier.run);
    }
    if (isOnCycle(of, each)) return true;
  }
  return false;
}

export function isOnCycle(run: ShadowRun, task: ShadowTask): boolean {
  const waits = new Map([[task, run]]);
  for (const [each, of] of waits) {
    const { dependsOn, after } = each.work.definition;
    for (const id of [...dependsOn, ...after]) {
      const earlier = of.find(id);
      if (earlier?.task === task) return true;
      if (earlier?.task !== undefined && of.standing(id) === 'open')
        waits.set(earlier.task, earlier.run);
    }
  }
  return false;
}

function hasAll(facts: ShadowFacts, { place, work }: { place: string; work: Work }): boolean {
  const { doer, needs } = work.asks;
  const agent = doer.kind === 'started-agent' ? facts.agents.get(doer.agent) : undefined;
  const has = new Set([
    ...(facts.places.get(place)?.capabilities ?? []),
    ...(agent?.capabilities ?? []),
  ]);
  // Nothing is known of what cannot be reached.
  return facts.places.get(place)?.isReachable !== true || needs.every((need) => has.has(need));
}

export function isImpossible(facts: ShadowFacts, { work }: ShadowTask): boolean {
  const { resources, doer } = work.asks;
  // Whoever claims for itself works where it pleases.
  const hosts = isPushed(doer) ? work.asks.hosts : [];
  if (doer.kind === 'started-agent' && !facts.agents.has(doer.agent)) return true;
  const places = (hosts.length === 0 ? ['local'] : hosts).filter((name) => facts.places.has(name));
  if (places.length === 0) return true;
  if (isPushed(doer) && !places.some((place) => hasAll(facts, { place, work }))) return true;
  const limits = work.manifest.policy.limits ?? {};
  for (const name in resources) {
    const asked = resources[name] ?? 0;
    if (name === 'cpu' || name === 'memory' || name === 'parallel') {
      const most = places.map((place) => {
        const own = facts.places.get(place)?.limits[name];
        return (place === 'local' ? (limits[name] ?? own) : own) ?? Infinity;
      });
      if (asked > Math.max(...most)) return true;
    } else if (asked > (limits[name] ?? 0)) return true;
  }
  return false;
}
