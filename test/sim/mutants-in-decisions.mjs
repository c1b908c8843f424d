import { inFile } from './planting.mjs';

/**
 * Faults in what is decided, and in what whoever asks is answered.
 *
 * @type {readonly import('./planting.mjs').Mutant[]}
 */
export const MUTANTS_IN_DECISIONS = [
  ...inFile('server/scheduler/decision.ts', [
    {
      name: 'a decision about an earlier attempt is carried out',
      find: 'if (attempt !== decision.attempt) return false;',
      replace: '',
      equivalent: 'here every decision is carried out in its own turn, and its key has the attempt',
    },
    {
      name: 'decisions about two attempts have one key',
      find: '${revision}:${attempt}`',
      replace: '${revision}`',
    },
    {
      name: 'both signals have one key',
      find: 'return `stop-${decision.signal}`;',
      replace: "return 'stop';",
    },
  ]),
  ...inFile('server/scheduler/decisions/expire-leases.ts', [
    {
      name: 'a lease lives one moment too long',
      find: '!isOver(deadline, turn.now)) return;',
      replace: 'turn.now <= deadline) return;',
    },
    {
      name: 'an agent whose connection was closed is taken to have ended',
      find: "holder.left === 'ended' ?",
      replace: 'holder.left !== undefined ?',
    },
  ]),
  ...inFile('server/scheduler/requests/leave.ts', [
    {
      name: 'a closed connection changes no lease',
      find: 'expiresAt: earlier(expiresAt, graceEnd), left };',
      replace: 'expiresAt: laterBy(expiresAt, 0 * graceEnd), left };',
    },
    {
      name: 'a closed connection prolongs a short lease',
      find: 'instant(Math.min(a, b))',
      replace: 'instant(Math.max(a - a, b))',
    },
  ]),
  ...inFile('server/scheduler/decisions/finish-runs.ts', [
    {
      name: 'a run with a paused task is a deadlock',
      find: 'return !hasPaused(run) && !hasStartable(board, run);',
      replace: 'return !hasStartable(board, run);',
    },
    {
      name: 'a run that waits for an answer is a deadlock',
      find: 'each.attention.size === 0 && ',
      replace: '',
    },
    {
      name: 'a run that waits for a backoff is a deadlock',
      find: 'run.inBackoff.size > 0 || run.hasEndedEarly',
      replace: 'run.hasEndedEarly',
    },
    {
      name: 'a deadlock is never seen',
      find: 'else if (isQuiet && isDeadlocked(turn, run)',
      replace: 'else if (false',
    },
    {
      name: 'a run with failures is completed',
      find: "if (run.failed > 0) return 'failed';",
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/decisions/follow-failures.ts', [
    {
      name: 'what was skipped waits again too early',
      find: 'left === 0 && !waitsForSkipped',
      replace: '!waitsForSkipped',
    },
    {
      name: 'what is skipped revives what needs it',
      find: 'turn.isDecided(predecessor) && !revived',
      replace: 'turn.now < 0 && !revived',
    },
  ]),
  ...inFile('server/scheduler/decisions/pull-cycle.ts', [
    {
      name: 'two windows open a terminal for one task',
      find: 'const OPENING_MS = 10_000;',
      replace: 'const OPENING_MS = 9000;',
    },
    {
      name: 'a worker is woken for the same task too soon',
      find: 'const WAKE_COOLDOWN_MS = 60_000;',
      replace: 'const WAKE_COOLDOWN_MS = 50_000;',
    },
    {
      name: 'a worker is woken for two tasks at once',
      find: 'this.#free.delete(worker);\n    this.#woken.push',
      replace: 'this.#woken.push',
    },
    {
      name: 'a worker is woken that has a task',
      find: 'isIdle && claims.holdsNothing(id)',
      replace: 'isIdle',
    },
  ]),
  ...inFile('server/scheduler/decisions/ready-order.ts', [
    {
      name: 'one task at files keeps back all that ask for the same',
      find: `case 'hazard':
      return false;`,
      replace: `case 'hazard':
      return true;`,
    },
  ]),
  ...inFile('server/scheduler/decisions/starvation.ts', [
    {
      name: 'a task starves too early',
      find: 'const QUEUED_MS = 120_000;',
      replace: 'const QUEUED_MS = 100_000;',
    },
    {
      name: 'every cycle counts for a starving task',
      find: 'now - starvation.lastCountedAt < CYCLE_MS',
      replace: 'now < 0',
    },
    {
      name: 'a starving task never needs attention',
      find: 'const ATTENTION_AFTER = 10;',
      replace: 'const ATTENTION_AFTER = 11;',
    },
    {
      name: 'a starving task is reported too early',
      find: 'const REPORT_AFTER = 6;',
      replace: 'const REPORT_AFTER = 5;',
    },
  ]),
  ...inFile('server/scheduler/requests/claim.ts', [
    {
      name: 'a worker is given the term of another one',
      find: 'if (worker !== request.worker.id ||',
      replace: 'if (',
    },
    {
      name: 'agents get no lease for what anybody may do',
      find: 'leaseFor(entry.asks, worker.kind)',
      replace: 'entry.asks.leaseMs',
    },
  ]),
  ...inFile('server/scheduler/requests/control.ts', [
    {
      name: 'a task is cancelled while its command runs',
      find: 'if (claim === undefined || !canBeStopped(asks.doer))',
      replace: 'if (claim === undefined || asks !== undefined)',
    },
    {
      name: 'whoever works is stopped by a retry',
      find: "if (state.kind !== 'attention' || !canBeStopped(asks.doer)) return",
      replace: 'if (!canBeStopped(asks.doer)) return',
    },
  ]),
  ...inFile('server/scheduler/requests/own.ts', [
    {
      name: 'paths that somebody writes are given to others',
      find: "answer.kind !== 'free' && !request.isUnsaved",
      replace: "answer.kind === 'lost'",
    },
  ]),
  ...inFile('server/scheduler/requests/settle.ts', [
    {
      name: 'a result of an old term is accepted',
      find: 'holder === undefined || holder.term !== term)',
      replace: 'holder === undefined)',
    },
    {
      name: 'a result after the deadline is accepted',
      find: 'if (isOver(holder.expiresAt, now))',
      replace: 'if (false)',
      equivalent: 'the store refuses it as well',
    },
    {
      name: 'any worker that knows the term settles a task',
      find: 'return !isRunner(holder.worker) && isSameWorker(by.worker, holder.worker);',
      replace: 'return !isRunner(holder.worker);',
    },
    {
      name: 'a worker settles what a runner runs',
      find: 'return !isRunner(holder.worker) && isSameWorker(by.worker, holder.worker);',
      replace: 'return isRunner(holder.worker) || isSameWorker(by.worker, holder.worker);',
    },
    {
      name: 'what a command says of itself counts at once',
      find: "if (by.kind === 'command') return announcement",
      replace: "if (by.kind === 'command' && now < 0) return announcement",
    },
    {
      name: 'a command that asks to be tried later never waits longer',
      find: 'backoffMs(LATER, releases, key)',
      replace: 'backoffMs(LATER, 1, key)',
    },
    {
      name: 'a renewal is short',
      find: 'expiresAt: laterBy(at, lease)',
      replace: 'expiresAt: laterBy(at, lease / 2)',
    },
    {
      name: 'a claim is confirmed by nothing',
      find: 'const events: HolderEvent[] = isFirst ?',
      replace: 'const events: HolderEvent[] = isFirst && at < 0 ?',
    },
    {
      name: 'what can never start is tried again',
      find: "if (what.kind === 'not-started' ||",
      replace: 'if (at < 0 ||',
    },
    {
      name: 'what is to run again has failed',
      find: "if (stop?.why === 'retried') return { kind: 'taskReleased', term, at, reason: 'released' };",
      replace: '',
    },
    {
      name: 'what is to be cancelled asks a question',
      find: "cancelled ?? { kind: 'taskAsked', term, at }",
      replace: "{ kind: 'taskAsked', term, at }",
    },
    {
      name: 'nobody hears of a rate limit',
      find: "says.kind !== 'rate-limited' || doer.kind",
      replace: 'at >= 0 || doer.kind',
    },
  ]),
];
