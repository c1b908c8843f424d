import { inFile } from './planting.mjs';

/**
 * Faults in what the board keeps.
 *
 * @type {readonly import('./planting.mjs').Mutant[]}
 */
export const MUTANTS_IN_MODEL = [
  ...inFile('server/scheduler/model/board-model.ts', [
    {
      name: 'what was seen to be written is forgotten by a revision',
      find: 'this.owners.takeUndeclared(claim, undeclared?.keys() ?? []);',
      replace: 'void [claim, undeclared];',
    },
    {
      name: 'the turns of classes are not remembered',
      find: 'this.credits = takeTurn(this.credits, event.contending).credits;',
      replace: 'void takeTurn;',
    },
    {
      name: 'an edit forgets a lost attempt',
      find: 'entry.leftover = leftover.owner;',
      replace: 'void leftover;',
    },
    { name: 'a cycle is not remembered', find: 'this.#lastCycleAt = event.at;', replace: '' },
    {
      name: 'nothing that happens to a task is news for workers',
      find: 'return !QUIET.has(event.event.kind);',
      replace: 'return false;',
    },
  ]),
  ...inFile('server/scheduler/requests/check-paths.ts', [
    {
      name: 'an agent that lost a task without knowing it gets its files',
      find: 'if (claims.length > 0) return',
      replace: 'if (claims.length > 99) return',
    },
  ]),
  ...inFile('server/scheduler/model/claim-table.ts', [
    {
      name: 'a renewed lease keeps its place among the others',
      find: 'const isSameLease = holder.expiresAt === expiresAt;',
      replace: 'const isSameLease = expiresAt !== undefined;',
    },
  ]),
  ...inFile('server/scheduler/model/waiters.ts', [
    {
      name: 'who waits is served last',
      find: 'first === second ? a < b : first < second',
      replace: 'first === second ? a > b : first > second',
    },
  ]),
  ...inFile('server/scheduler/model/consequences.ts', [
    {
      name: 'who has claimed waits on',
      find: 'board.waiters.end(holder.worker);',
      replace: '',
    },
    {
      name: 'an order edge is not counted when its task runs again',
      find: 'was + (needsCompletion ? completion : end)',
      replace: 'was + Math.min(0, needsCompletion ? completion : end)',
    },
    {
      name: 'a lost attempt lets go of its files at once',
      find: "event.cause === 'lease-expired' || event.cause === 'host-lost'",
      replace: "event.cause === 'host-lost'",
    },
    {
      name: 'nobody waits for an agent whose task was cancelled',
      find: 'return mayHaveBegun && !canBeStopped(entry.asks.doer);',
      replace: 'return false;',
    },
    {
      name: 'nobody opens another terminal for the next attempt',
      find: 'entry.wokenAt = undefined;',
      replace: '',
    },
    {
      name: 'a failed order edge skips whoever comes after',
      find: 'if (needsCompletion && doom !== 0)',
      replace: 'if (doom !== 0)',
    },
    {
      name: 'nobody notes since when a task is ready',
      find: 'if (was !== 0) successor.readySince = at;',
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/model/loss.ts', [
    {
      name: 'one more loss than allowed',
      find: 'if (losses >= LOSS_LIMIT) return {};',
      replace: 'if (losses > LOSS_LIMIT) return {};',
    },
  ]),
  ...inFile('server/scheduler/model/next-due.ts', [
    {
      name: 'nobody says when a cool-down ends',
      find: 'later(coolDown?.until);',
      replace: 'void coolDown;',
    },
  ]),
  ...inFile('server/scheduler/model/owner-table.ts', [
    { name: 'a leftover is not forgotten', find: 'this.leftovers.delete(term);', replace: '' },
    {
      name: 'a lost worker keeps its files for no time',
      find: 'return instant(Math.max(at + LEFTOVER_MS, expiresAt ?? 0));',
      replace: 'return instant(at + 1 + 0 * (expiresAt ?? LEFTOVER_MS));',
    },
    {
      name: 'what a lost attempt wrote unasked is forgotten',
      find: 'for (const path of paths) this.#addUndeclared(undeclared, path, owner);',
      replace: 'void paths;',
    },
    {
      name: 'what a lost attempt writes unasked is forgotten',
      find: 'return this.#addUndeclared(leftover.undeclared, path, leftover.owner);',
      replace: 'return path.length < 0;',
    },
    {
      name: 'what was written unasked is owned for ever',
      find: 'for (const owner of claim.undeclared?.values() ?? []) this.map.remove(owner);',
      replace: '',
    },
    {
      name: 'what is left on a host is believed to end by itself',
      find: '...(!isOurs && { until',
      replace: '...((!isOurs || at > 0) && { until',
    },
  ]),
  ...inFile('server/scheduler/model/ownership.ts', [
    {
      name: 'what people edit does not count',
      find: "return rule === 'wait' || rule === 'ask';",
      replace: "return rule === 'wait';",
    },
    {
      name: 'a milder rule of the same owner hides a stricter one',
      find: 'of [true, false])',
      replace: 'of [false, true])',
    },
    {
      name: 'only one of two plans counts between trees',
      find: 'return stricter(policy.worktrees, others.worktrees);',
      replace: 'return policy.worktrees;',
    },
    {
      name: 'only one of two plans counts',
      find: "if (a === 'wait' || b === 'wait') return 'wait';",
      replace: "if (a === 'wait') return 'wait';",
    },
    {
      name: 'plans that are careful about reading are not asked',
      find: 'return this.#careful.size > 0 ||',
      replace: 'return',
    },
  ]),
  ...inFile('server/scheduler/model/run-model.ts', [
    {
      name: 'the first failure does not end a run',
      find: '(this.manifest.policy.failFast && this.failed > 0)',
      replace: '(this.manifest.policy.failFast && this.failed > 1)',
    },
    {
      name: 'the shortest path comes first',
      find: 'return a.pathMs > b.pathMs;',
      replace: 'return a.pathMs < b.pathMs;',
    },
    {
      name: 'who is ready last comes first',
      find: 'return a.readySince < b.readySince;',
      replace: 'return a.readySince > b.readySince;',
    },
    {
      name: 'an answered task is still attended to',
      find: "else if (before?.kind === 'attention') this.attention.delete(entry);",
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/model/run-revision.ts', [
    {
      name: 'an edit makes a ready task ready since now',
      find: 'if (before.unmet === 0 && (isSameTry || before.readySince < entry.readySince))',
      replace: 'if (isSameTry && false)',
    },
    {
      name: 'an edit resumes paused tasks',
      find: 'entry.isPaused = before.isPaused;',
      replace: '',
    },
    {
      name: 'an edit changes whoever is at work',
      find: 'return holderOf(entry.state) === undefined ? definition : entry.definition;',
      replace: 'return definition;',
    },
    {
      name: 'an edit begins every task anew',
      find: 'if (!isOpen(entry) || isSame(definition, entry.definition)) return state;',
      replace: 'if (!isOpen(entry)) return state;',
    },
  ]),
  ...inFile('server/scheduler/model/served-classes.ts', [
    {
      name: 'a task is served in its own class',
      find: '+ rank]! > 0) return rank;',
      replace: '+ rank]! > 99) return rank;',
    },
  ]),
  ...inFile('server/scheduler/model/stop-signals.ts', [
    {
      name: 'the grace of a stop is short',
      find: 'STOP_GRACE_MS = 5000',
      replace: 'STOP_GRACE_MS = 4000',
    },
    {
      name: 'a task with two limits is killed after the grace',
      find: 'later(hardAt, leastAt)',
      replace: 'graceAt',
    },
    {
      name: 'a task with two limits has no time between them',
      find: 'later(hardAt, leastAt)',
      replace: 'hardAt',
    },
    {
      name: 'a hard limit alone is none',
      find: 'const limitMs = firstLimitMs(timeout);',
      replace: 'const limitMs = timeout.softMs; void firstLimitMs;',
    },
  ]),
  ...inFile('server/scheduler/model/run-revision.ts', [
    {
      name: 'one that comes back to its plan is taken for the one that has left',
      find: '(run.earlierRevisions.get(definition.id) ?? 0) + 1',
      replace: '1',
    },
  ]),
];
