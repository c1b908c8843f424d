// Faults in what waits for tasks of other plans.
import { inFile } from './planting.mjs';

/** @type {readonly import('./planting.mjs').Mutant[]} */
export const MUTANTS_ACROSS_PLANS = [
  ...inFile('server/scheduler/model/run-model.ts', [
    {
      name: 'an outside edge is ignored',
      find: 'outside === undefined ? mustComplete : !meets(outside.standing, mustComplete)',
      replace: 'outside === undefined && mustComplete',
    },
    {
      name: 'what another run cannot do any more dooms nobody from the beginning',
      find: "if (mustComplete && outside?.standing === 'ended') entry.doomed += 1;",
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/model/consequences.ts', [
    {
      name: 'nobody of another run hears how far a task is',
      find: 'followOutside(board, outside, { standing, at: event.at });',
      replace: '{}',
    },
    {
      name: 'the end of a task of another run dooms nobody',
      find: "Number(standing === 'ended') - Number(before === 'ended')",
      replace: '0',
    },
    {
      name: 'whoever waited for another run has always been ready',
      find: 'if (was !== 0) entry.readySince = at;',
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/model/board-model.ts', [
    {
      name: 'what a run has left undone is waited for when it is over',
      find: "if (outside.standing === 'open')",
      replace: 'if (false)',
    },
  ]),
  ...inFile('server/scheduler/model/run-facts.ts', [
    {
      name: 'how far tasks of other runs are is no fact',
      find: "standings.get(reference) ?? 'open'",
      replace: "'open'",
    },
  ]),
  ...inFile('server/scheduler/decisions/follow-failures.ts', [
    {
      name: 'what fails in another run is followed by nobody',
      find: "if (mustComplete && outside.standing === 'ended') because ??=",
      replace: 'if (false) because ??=',
    },
  ]),
  ...inFile('server/scheduler/decisions/finish-runs.ts', [
    {
      name: 'a run ends though a retry in another one would revive something of it',
      find: '!mayBeRevived(turn.board, run)',
      replace: 'true',
    },
    {
      name: 'runs that wait for each other end at once',
      find: 'if (before.length === 0) return true;',
      replace: 'return true;',
    },
    {
      name: 'a run whose tasks were all skipped has completed',
      find: "({ state }) => state.kind === 'skipped') ? 'failed'",
      replace: "({ state }) => state.kind === 'skipped') ? 'completed'",
    },
  ]),
  ...inFile('server/engine/submit-together.ts', [
    {
      name: 'the engine does not remember a run that was asked for',
      find: "board.runs.has(request.id) || writer.resolve(operationOf(request)).kind === 'applied'",
      replace: 'board.runs.has(request.id)',
      isRare: true,
    },
    {
      name: 'the engine goes on with what an edited plan replaces',
      find: "for (const run of place.supersedes) writer.record([{ kind: 'runStopAsked', at, run }]);",
      replace: '',
    },
  ]),
  ...inFile('server/engine/place-together.ts', [
    {
      name: 'nobody waits for a run that comes with it',
      find: "    case 'new':\n      return request.id;\n",
      replace: "    case 'new':\n      return undefined;\n",
    },
  ]),
];
