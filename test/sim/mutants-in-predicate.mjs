import { inFile } from './planting.mjs';

/**
 * Faults in what may start.
 *
 * @type {readonly import('./planting.mjs').Mutant[]}
 */
export const MUTANTS_IN_PREDICATE = [
  ...inFile('server/scheduler/predicate/choose-place.ts', [
    {
      name: 'the limit of parallel tasks is one too high',
      find: 'if (countHere >= limit)',
      replace: 'if (countHere > limit)',
    },
    {
      name: 'tasks start on hosts that nobody reaches',
      find: 'if (!place.isReachable) reasons.push',
      replace: 'if (false) reasons.push',
    },
    {
      name: 'resources are given out while any are left',
      find: 'if (used + asked <= limit) continue;',
      replace: 'if (used < limit) continue;',
    },
    {
      name: 'a host has one place too many',
      find: 'turn.usage.countAt(host) >= limit',
      replace: 'turn.usage.countAt(host) > limit',
    },
    {
      name: 'a host that keeps failing is called',
      find: "reasons.push({ kind: 'host', host, because: 'failing', until: call.until });",
      replace: 'void call;',
    },
  ]),
  ...inFile('server/scheduler/predicate/hazards.ts', [
    {
      name: 'a task waits for an owner that is gone',
      find: 'return isLive && !isOver(until, now);',
      replace: 'return isLive || !isOver(until, now);',
    },
  ]),
  ...inFile('server/scheduler/predicate/may-start.ts', [
    {
      name: 'nobody looks at files',
      find: 'reasonsOfFiles(turn, { entry, worker, isQuick }, reasons);',
      replace: '',
    },
    {
      name: 'a claim overtakes who has waited longer',
      find: "if (worker.kind !== 'agent' || isOffered(turn, entry, worker)) return;",
      replace: 'if (turn.now > 0) return;',
    },
    {
      name: 'nobody looks at dependencies of claims for a task',
      find: 'if (entry.unmet === 0) return undefined;',
      replace: 'return undefined;',
    },
    {
      name: 'nothing is looked for on hosts while this machine is full',
      find: 'countHere >= mostParallel && !board.ready.isAnyForHosts',
      replace: 'countHere >= mostParallel',
    },
    {
      name: 'untrusted folders start tasks',
      find: "if (board.permission === 'untrusted')",
      replace: 'if (false)',
    },
    {
      name: 'an agent does not cool down',
      find: 'if (coolDown !== undefined && isCooling(coolDown, now))',
      replace: 'if (coolDown !== undefined && isCooling(coolDown, now) && false)',
    },
    {
      name: 'tasks start while the process shuts down',
      find: "board.permission === 'shutting-down'",
      replace: 'false',
    },
    {
      name: 'tasks of a paused board start',
      find: "if (board.isPaused) return paused('board');",
      replace: '',
    },
    {
      name: 'tasks of an interrupted run start',
      find: "if (run.isInterrupted) return paused('interrupted');",
      replace: '',
    },
    {
      name: 'a paused task is given to whoever asks for it',
      find: "if (entry.isPaused) return paused('task');",
      replace: '',
    },
    {
      name: 'a task is given away before its backoff is over',
      find: 'state.notBefore !== undefined && now < state.notBefore',
      replace: 'state.notBefore !== undefined && now < 0',
    },
    {
      name: 'a task that needs attention is given away',
      find: "if (state.kind === 'attention') {",
      replace: "if (state.kind === 'nothing') {",
    },
    {
      name: 'nobody says that a task can never start',
      find: "if (never !== undefined) return { kind: 'unsatisfiable', ...never };",
      replace: 'void never;',
    },
    {
      name: 'low classes are served under any load',
      find: 'if (!isUnloaded && entry.rank > lowestServedRank(turn))',
      replace: 'if (false)',
    },
    {
      name: 'what agents and people hold does not count under load',
      find: 'lowest === PRIORITIES.length - 1 || turn.isAnyHeld',
      replace: 'lowest === PRIORITIES.length - 1 || turn.pushedCount > 0',
    },
    {
      name: 'whoever would delay another one goes first',
      find: "if (by !== undefined) reasons.push({ kind: 'outranked', by });",
      replace: 'void by;',
    },
  ]),
  ...inFile('server/scheduler/predicate/reservations.ts', [
    {
      name: 'a start that is kept is kept against nobody',
      find: '(asks.expectedMs ?? UNMEASURED_MS) <= startsAt;',
      replace: '(asks.expectedMs ?? UNMEASURED_MS) <= Infinity;',
    },
    {
      name: 'the files of a kept start are not kept',
      find: 'return files.anyBlocking(intentOf(entry), this.#turn.now, this.#turn.steps) !== undefined;',
      replace: 'return false;',
    },
    {
      name: 'what a kept start needs is given away',
      find: 'if (amountOf(use, key) <= Math.max(0, left)) continue;',
      replace: 'if (amountOf(use, key) <= Infinity) continue;',
    },
  ]),
  ...inFile('server/scheduler/predicate/turn.ts', [
    {
      name: 'tasks on hosts take places of this machine',
      find: 'if (placeOf(holder.worker) === LOCAL) this.countHere += 1;',
      replace: 'this.countHere += 1;',
    },
    {
      name: 'one turn calls a failing host as often as it likes',
      find: 'this.#countCalls(entry, place);',
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/predicate/usage.ts', [
    {
      name: 'a lost attempt gives its resources back at once',
      find: 'this.add(useOfLeftover(leftover));',
      replace: 'void leftover;',
    },
    {
      name: 'what runs on a host uses up what is here',
      find: 'place: isPushed(asks.doer) ? placeOf(holder.worker) : LOCAL }',
      replace: "place: placeOf(holder.worker) === '' ? '' : LOCAL }",
    },
  ]),
  ...inFile('server/scheduler/predicate/welcome.ts', [
    {
      name: 'what a worker cannot do is given to it',
      find: 'if (missing.length > 0) reasons.push',
      replace: 'if (false) reasons.push',
    },
    {
      name: 'a terminal takes what anybody may do',
      find: "asked === 'anyone' ? kind !== 'terminal' : asked === kind",
      replace: "asked === 'anyone' || asked === kind",
    },
    {
      name: 'nobody says that a window is missing to open a terminal',
      find: "because: entry.asks.doer.kind === 'terminal' ? 'window' : 'nobody',",
      replace: "because: 'nobody',",
    },
    { name: 'agents take what is for people', find: ': asked === kind', replace: ': true' },
    {
      name: 'workers take tasks of other folders',
      find: 'worker.root !== run.manifest.root',
      replace: 'false',
    },
  ]),
];
