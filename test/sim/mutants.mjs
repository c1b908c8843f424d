// Faults that are planted in the scheduler, one at a time. The simulator must find each of them.
// `find` occurs exactly once in `file`. `equivalent` says why a mutant cannot be found.

/**
 * @typedef {{ name: string, file: string, find: string, replace: string, equivalent?: string }} Mutant
 */

const TASK = 'server/domain/task.ts';
const SETTLE = 'server/scheduler/requests/settle.ts';
const MAY_START = 'server/scheduler/predicate/may-start.ts';
const OWNER_TABLE = 'server/scheduler/model/owner-table.ts';
const CONSEQUENCES = 'server/scheduler/model/consequences.ts';

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  {
    name: 'a result of an old term is accepted',
    file: SETTLE,
    find: 'holder === undefined || holder.term !== term)',
    replace: 'holder === undefined)',
  },
  {
    name: 'a result after the deadline is accepted',
    file: SETTLE,
    find: 'if (isOver(holder.expiresAt, now))',
    replace: 'if (false)',
  },
  {
    name: 'a lease lives one moment too long',
    file: 'server/scheduler/decisions/expire-leases.ts',
    find: 'turn.now < deadline) return;',
    replace: 'turn.now <= deadline) return;',
  },
  {
    name: 'nobody looks at files',
    file: MAY_START,
    find: 'reasonsOfFiles(turn, { entry, worker, isQuick }, reasons);',
    replace: '',
  },
  {
    name: 'nobody looks at dependencies of claims for a task',
    file: MAY_START,
    find: 'if (entry.unmet === 0) return undefined;',
    replace: 'return undefined;',
  },
  {
    name: 'an order edge is not counted when its task runs again',
    file: CONSEQUENCES,
    find: 'was + (needsCompletion ? completion : end)',
    replace: 'was + Math.min(0, needsCompletion ? completion : end)',
  },
  {
    name: 'a lost attempt lets go of its files at once',
    file: CONSEQUENCES,
    find: "event.cause === 'lease-expired' || event.cause === 'host-lost'",
    replace: "event.cause === 'host-lost'",
  },
  {
    name: 'a lost attempt gives its resources back at once',
    file: 'server/scheduler/predicate/usage.ts',
    find: 'this.add(useOfLeftover(leftover));',
    replace: 'void leftover;',
  },
  {
    name: 'the limit of parallel tasks is one too high',
    file: MAY_START,
    find: 'if (pushedCount >= limit)',
    replace: 'if (pushedCount > limit)',
  },
  {
    name: 'losses are not counted',
    file: TASK,
    find: 'losses: before.losses + 1',
    replace: 'losses: before.losses',
  },
  {
    name: 'untrusted folders start tasks',
    file: MAY_START,
    find: "if (board.permission === 'untrusted')",
    replace: 'if (false)',
  },
  {
    name: 'a leftover is not forgotten',
    file: OWNER_TABLE,
    find: 'this.leftovers.delete(term);',
    replace: '',
  },
  {
    name: 'what people edit does not count',
    file: 'server/scheduler/model/ownership.ts',
    find: "return rule === 'wait' || rule === 'ask';",
    replace: "return rule === 'wait';",
  },
  {
    name: 'a milder rule of the same owner hides a stricter one',
    file: 'server/scheduler/model/ownership.ts',
    find: 'isWaiting(rule) && !isWaiting(known.rule)',
    replace: 'false',
  },
  {
    name: 'what was seen to be written is forgotten by a revision',
    file: 'server/scheduler/model/board-model.ts',
    find: 'this.owners.takeUndeclared(claim, undeclared?.keys() ?? []);',
    replace: 'void [claim, undeclared];',
  },
  {
    name: 'nobody waits for an agent whose task was cancelled',
    file: 'server/scheduler/model/consequences.ts',
    find: 'return mayHaveBegun && !isOurs;',
    replace: 'return false;',
  },
  {
    name: 'a lost worker keeps its files for no time',
    file: 'server/scheduler/model/owner-table.ts',
    find: 'return instant(Math.max(at + LEFTOVER_MS, expiresAt ?? 0));',
    replace: 'return instant(at + 1 + 0 * (expiresAt ?? LEFTOVER_MS));',
  },
  {
    name: 'one more retry than allowed',
    file: 'server/domain/failure/retry.ts',
    find: 'if (failures >= policy.attempts) return false;',
    replace: 'if (failures > policy.attempts) return false;',
  },
  {
    name: 'one more loss than allowed',
    file: 'server/scheduler/decisions/expire-leases.ts',
    find: 'if (losses >= LOSS_LIMIT) return {};',
    replace: 'if (losses > LOSS_LIMIT) return {};',
  },
  {
    name: 'a breaker opens one failure too late',
    file: 'server/domain/failure/circuit-breaker.ts',
    find: 'const FAILURE_LIMIT = 5;',
    replace: 'const FAILURE_LIMIT = 6;',
  },
  {
    name: 'an agent does not cool down',
    file: 'server/scheduler/predicate/may-start.ts',
    find: 'if (coolDown !== undefined && isCooling(coolDown, now))',
    replace: 'if (coolDown !== undefined && isCooling(coolDown, now) && false)',
  },
  {
    name: 'nobody says when a cool-down ends',
    file: 'server/scheduler/model/next-due.ts',
    find: 'later(coolDown?.until);',
    replace: 'void coolDown;',
  },
  {
    name: 'tasks start on hosts that nobody reaches',
    file: 'server/scheduler/predicate/places.ts',
    find: 'if (!place.isReachable) reasons.push',
    replace: 'if (false) reasons.push',
  },
  {
    name: 'the grace of a stop is short',
    file: 'server/scheduler/model/stop-signals.ts',
    find: 'STOP_GRACE_MS = 5000',
    replace: 'STOP_GRACE_MS = 4000',
  },
  {
    name: 'a run with a paused task is a deadlock',
    file: 'server/scheduler/decisions/finish-runs.ts',
    find: 'for (const { state } of run.paused) if (!isFinal(state)) return false;',
    replace: 'void isFinal;',
  },
  {
    name: 'the first failure does not end a run',
    file: 'server/scheduler/model/run-model.ts',
    find: '(this.manifest.policy.failFast && this.failed > 0)',
    replace: '(this.manifest.policy.failFast && this.failed > 1)',
  },
  {
    name: 'a decision about an earlier attempt is carried out',
    file: 'server/scheduler/decisions/decision.ts',
    find: 'if (attempt !== decision.attempt) return false;',
    replace: '',
    equivalent: 'here every decision is carried out in its own turn, and its key has the attempt',
  },
];
