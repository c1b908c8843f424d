import { inFile } from './planting.mjs';

/**
 * Faults in what a task, a failure and a class are.
 *
 * @type {readonly import('./planting.mjs').Mutant[]}
 */
export const MUTANTS_IN_DOMAIN = [
  ...inFile('server/domain/asks.ts', [
    {
      name: 'the command in a terminal is not asked to end',
      find: "return isPushed(doer) || doer.kind === 'terminal';",
      replace: 'return isPushed(doer);',
    },
  ]),
  ...inFile('server/domain/failure/circuit-breaker.ts', [
    {
      name: 'a breaker opens one failure too late',
      find: 'const FAILURE_LIMIT = 5;',
      replace: 'const FAILURE_LIMIT = 6;',
    },
    {
      name: 'a breaker is open for too short a time',
      find: 'const OPEN_MS = 60_000;',
      replace: 'const OPEN_MS = 50_000;',
    },
    {
      name: 'a breaker lets one trial too many pass',
      find: 'const TRIAL_LIMIT = 3;',
      replace: 'const TRIAL_LIMIT = 4;',
    },
    {
      name: 'failures of a host count though it succeeds in between',
      find: 'if (succeeded) return CLOSED;',
      replace: 'if (succeeded) return breaker;',
    },
  ]),
  ...inFile('server/domain/failure/cool-down.ts', [
    { name: 'a second rate limit lasts no longer', find: '2 ** (strikes - 1)', replace: '1' },
    {
      name: 'what an agent was told to wait is not believed',
      find: 'if (retryAfterMs === undefined',
      replace: 'if (true',
    },
  ]),
  ...inFile('server/domain/failure/load.ts', [
    {
      name: 'low tasks are served under high load',
      find: "return priority !== 'low';",
      replace: 'return true;',
    },
    {
      name: 'a load is over as soon as it is below its threshold',
      find: "milder(previous, reachedMode(shares, 'holds'))",
      replace: "milder('normal', reachedMode(shares, 'holds'))",
    },
    { name: 'limits stretch too little under load', find: 'return 2.5;', replace: 'return 2;' },
    {
      name: 'a full queue takes one more run',
      find: 'return queued >= queueLimit;',
      replace: 'return queued > queueLimit;',
    },
  ]),
  ...inFile('server/domain/failure/retry.ts', [
    {
      name: 'one more retry than allowed',
      find: 'if (failures >= policy.attempts) return false;',
      replace: 'if (failures > policy.attempts) return false;',
    },
    {
      name: 'a wait between tries doubles too early',
      find: 'policy.factor ** (n - 1)',
      replace: 'policy.factor ** n',
    },
    {
      name: 'every failure is worth another try',
      find: 'if (policy.on.length === 0) return true;',
      replace: 'return true;',
    },
  ]),
  ...inFile('server/domain/priority.ts', [
    { name: 'classes have other shares', find: '[50, 30, 15, 5];', replace: '[50, 30, 10, 10];' },
  ]),
  ...inFile('server/domain/task.ts', [
    {
      name: 'what a command said of its end is forgotten',
      find: '{ ...holder, ending: event.ending }',
      replace: 'holder',
    },
    {
      name: 'what a command said of its end is forgotten when its start is written',
      find: '...(ending !== undefined && { ending }),',
      replace: '',
    },
    {
      name: 'losses are not counted',
      find: 'losses: before.losses + 1',
      replace: 'losses: before.losses',
    },
    {
      name: 'what is retried while it is at work keeps its tries',
      find: "if (holder.stop?.why === 'retried') return moved(begunAnew(tries));",
      replace: '',
    },
    {
      name: 'a second reason to end a task gives its grace again',
      find: 'const at = holder.stop?.signal === signal ? holder.stop.at : event.at;',
      replace: 'const { at } = event;',
    },
    {
      name: 'a renewal takes the flag off a task',
      find: "return state.kind === 'attention' && holder.kind === 'running' ? { ...state, holder } : holder;",
      replace: 'return holder;',
    },
    {
      name: 'what was to be cancelled comes back when it is lost',
      find: "if (stop?.why === 'cancelled') return { kind: 'cancelled', tries, finishedAt: at };",
      replace: 'void stop;',
    },
    {
      name: 'a claim counts as no attempt',
      find: 'attempts: state.tries.attempts + 1',
      replace: 'attempts: state.tries.attempts',
    },
    {
      name: 'a task that begins anew is in its old revision',
      find: 'revision: revision + 1, attempts: 0',
      replace: 'revision, attempts: 0',
    },
    {
      name: 'failures are not counted',
      find: 'failures: before.failures + 1',
      replace: 'failures: before.failures',
    },
  ]),
];
