import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HolderRequest } from '../../../server/scheduler/requests/settle.ts';
import { taskId, workerId } from '../../support/snapshots.ts';
import { shown, TableOnBoard } from '../../support/table-on-board.ts';

/** Few of everything, so that they meet. */
const FILES = ['interlock.yaml', 'other.interlock.yaml'] as const;
const SAYINGS: readonly HolderRequest['says'][] = [
  { kind: 'started' },
  { kind: 'renew' },
  { kind: 'completed' },
  { kind: 'failed', failure: { kind: 'exit', code: 1 } },
  { kind: 'released', reason: 'released' },
  { kind: 'asked' },
];

const taskText = fc.record({
  doer: fc.constantFrom('role: agent', 'role: human', 'run: "true", in: terminal'),
  order: fc.constantFrom('', ', depends_on: [t0]', ', after: [t1]', ', depends_on: [t0, t1]'),
  elsewhere: fc.constantFrom('', '', ', after: [interlock/t2]', ', depends_on: [interlock/t0]'),
  writes: fc.constantFrom('', ', writes: [a.txt]', ', writes: [b.txt]'),
  more: fc.constantFrom('', ', resources: { db: 1 }', ', priority: high', ', needs: [gpu]'),
});

const planText = fc.array(taskText, { minLength: 2, maxLength: 6 }).map((tasks) => {
  const lines = tasks.map(({ doer, order, elsewhere, writes, more }, n) => {
    // Nothing waits for itself, and nothing is named twice.
    const waits = n < 2 ? '' : order.startsWith(elsewhere.slice(0, 5)) ? order : order + elsewhere;
    return `  t${n}: { ${doer}${waits}${writes}${more} }`;
  });
  return `limits: { db: 1 }\ntasks:\n${lines.join('\n')}\n`;
});

const any = fc.nat(99);
const anyStep = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('edit'), file: any, text: planText }), weight: 1 },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('run', 'run', 'claim', 'claim', 'claim', 'say', 'say', 'say'),
      at: any,
      which: any,
      how: any,
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('control', 'control', 'stop', 'pause', 'drain', 'greet', 'own'),
      at: any,
      which: any,
      how: any,
    }),
    weight: 4,
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const WORKERS = [
  { id: workerId('agent/ada'), kind: 'agent', capabilities: ['gpu'] },
  { id: workerId('agent/bob'), kind: 'agent', capabilities: [] },
  { id: workerId('person/cyd'), kind: 'person', capabilities: [] },
  { id: workerId('terminal/cyd:w1'), kind: 'terminal', capabilities: [] },
] as const;
const WORDS = ['cancel-task', 'retry-task', 'answer-task', 'pause-task', 'resume-task'] as const;

function one<T>(all: readonly T[], which: number): T | undefined {
  return all[which % Math.max(1, all.length)];
}

async function take(table: TableOnBoard, step: Step, operation: string): Promise<void> {
  const { board } = table;
  const { calls, board: facts } = board.opened!.keeper;
  if ('text' in step) {
    board.setBuffer(one(FILES, step.file)!, step.text);
    return;
  }
  const { kind, at, which, how } = step;
  const run = one([...facts.runs.keys()], at);
  const worker = { ...one(WORKERS, how)!, isIdle: at % 2 === 0, since: board.opened!.clock.now() };
  const task = taskId(`t${which % 6}`);
  switch (kind) {
    case 'run': {
      const named = how % 2 === 0 ? [] : [{ id: task, plan: one(FILES, at) }];
      await board.run({ tasks: named, requestedBy: 'test', isFailFast: how % 3 === 0 });
      return;
    }
    case 'claim':
      if (run !== undefined) await calls.claim({ worker, operation, task: { run, task } });
      return;
    case 'say': {
      const claim = one([...facts.claims.pulled], which);
      if (claim === undefined) return;
      const { entry, holder } = claim;
      const says = one(SAYINGS, how)!;
      const of = {
        run: entry.run.manifest.id,
        task: entry.id,
        term: holder.term,
        by: { kind: 'worker' as const, worker: holder.worker },
      };
      await calls.say({ ...of, says }, operation);
      return;
    }
    case 'control':
      if (run !== undefined) await board.control({ kind: one(WORDS, how)!, run, task });
      return;
    case 'stop':
      if (run !== undefined) await board.stop([run]);
      return;
    case 'pause':
      await board.control({ kind: how % 2 === 0 ? 'pause-board' : 'resume-board' });
      return;
    case 'drain': {
      const word = at % 2 === 0 ? 'drain-worker' : 'undrain-worker';
      await board.control({ kind: word, worker: worker.id });
      return;
    }
    case 'greet':
      if (which % 3 > 0) await calls.greet(worker);
      else await calls.leave(worker.id);
      return;
    default: {
      const id = `own ${which % 2}`;
      if (at % 3 === 0) return await calls.free(id);
      const writes = [how % 2 === 0 ? 'a.txt' : 'b.txt'];
      const paths = { id, worker: worker.id, tree: board.root, reads: [], writes };
      await calls.own({ ...paths, isUnsaved: how % 3 === 0 }, operation);
    }
  }
}

test('whatever happens, the tables say what reading the whole board anew says', async () => {
  const play = fc.asyncProperty(
    planText,
    planText,
    fc.array(anyStep, { minLength: 10, maxLength: 60 }),
    async (plan, otherPlan, steps) => {
      const table = new TableOnBoard(
        plan.replaceAll(/, (?:after|depends_on): \[int[^\]]*\]/g, ''),
        otherPlan,
      );
      await table.open();
      for (const [number, each] of steps.entries()) {
        await take(table, each, `operation ${number}`);
        table.drain();
        expect(shown(table.board.table.all)).toEqual(shown(table.board.tasks()));
        expect(table.runs).toEqual(table.runsAnew);
      }
      await table.board.close();
    },
  );
  await fc.assert(play, { numRuns: 40 });
});
