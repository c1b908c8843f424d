import { isPushed } from '../../server/domain/asks.ts';
import { mayStart } from '../../server/scheduler/predicate/may-start.ts';
import type { Turn } from '../../server/scheduler/predicate/turn.ts';
import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import type { Shadow } from './shadow.ts';
import { modeOf, readyTasks } from './shadow-load.ts';
import { isInVain } from './shadow-ready.ts';
import { isAnybodyFit, isTrue } from './shadow-reasons.ts';
import type { ShadowFacts, ShadowRun, ShadowTask } from './shadow-task.ts';
import type { Checks } from './violation.ts';

const CYCLE_MS = 15_000;

/** What must be so once there is nothing to decide. */
interface Quiet {
  readonly board: BoardModel;
  readonly shadow: Shadow;
  readonly checks: Checks;
}

/** Whoever could start has started, and who has not says truly why. */
export function checkWaits({ board, shadow, checks }: Quiet, turn: Turn): void {
  const { facts, breakers } = shadow;
  for (const run of board.runs.values())
    for (const entry of run.entries) {
      if (entry.state.kind !== 'pending') continue;
      const name = `${run.manifest.id}/${entry.definition.id}`;
      const verdict = mayStart(turn, entry);
      if (verdict.kind === 'yes') {
        const starts = isPushed(entry.asks.doer) && entry.doomed === 0;
        checks.holds('I7', !starts, () => `${name} may start, and does not`);
      }
      const ofRun = facts.runs.get(run.manifest.id);
      const task = ofRun?.tasks.get(entry.definition.id);
      if (ofRun === undefined || task === undefined) continue;
      const waiting = { facts, breakers, run: ofRun, task, now: board.now };
      if (verdict.kind === 'yes') {
        const { kind } = entry.asks.doer;
        const needsSomebody = kind === 'agent' || kind === 'terminal';
        const isWanted = !needsSomebody || isAnybodyFit(waiting);
        checks.holds('reasons', isWanted, () => `${name}: nobody can take it`);
        continue;
      }
      const lie = verdict.reasons.find((reason) => !isTrue(reason, waiting));
      checks.holds(
        'reasons',
        lie === undefined,
        () => `${name}: ${JSON.stringify(lie)} ${JSON.stringify(task.work.definition)}`,
      );
    }
}

/** What nobody wants is over or asked to end, what waits in vain is skipped, and nothing else is. */
export function checkFollowed({ board, shadow, checks }: Quiet): void {
  const { facts } = shadow;
  const mode = modeOf(facts, board.now);
  checks.holds('I17', mode === facts.mode, () => `the load is ${mode}, not ${facts.mode}`);
  const waits = readyTasks(facts, board.now).some(
    ({ work: { asks } }) => asks.doer.kind === 'agent' || asks.doer.kind === 'anyone',
  );
  const sinceMs = board.now - facts.lastCycleAt;
  checks.holds('cycle', !waits || sinceMs < CYCLE_MS, () => `none for ${sinceMs} ms`);
  const hasSeen = !waits || facts.lastCycleAt >= facts.newsAt || !isAnybodyIdle(facts);
  checks.holds('cycle', hasSeen, () => `none since ${facts.newsAt}`);
  for (const run of facts.runs.values())
    for (const task of run.tasks.values()) checkTask(run, task, checks);
}

/** What happens is looked at when it is time, unless it is news for somebody. */
function isAnybodyIdle(facts: ShadowFacts): boolean {
  const busy = new Set(facts.holders().map(({ holder }) => holder?.worker));
  return [...facts.sessions.values()].some(
    ({ id, isIdle }) => isIdle && !busy.has(id) && !facts.drained.has(id),
  );
}

function checkTask(run: ShadowRun, task: ShadowTask, checks: Checks): void {
  const { state, holder, work } = task;
  const isLate = state === 'pending' && isInVain(run, task);
  checks.holds('skip', !isLate, () => `${work.task} waits in vain`);
  if (!run.hasEndedEarly) {
    const isForgotten = state === 'skipped' && !isInVain(run, task);
    checks.holds('skip', !isForgotten, () => `${work.task} need not be skipped any more`);
    return;
  }
  if (run.isInterrupted && !run.isStopping) return;
  const isOpen = holder === undefined && !task.isFinal;
  const isLeft = run.isStopping && holder !== undefined && holder.stop === undefined;
  checks.holds('stop', !isOpen && !isLeft, () => `${work.task} is ${state}, and nobody wants it`);
}
