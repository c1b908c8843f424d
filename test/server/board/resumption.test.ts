import { expect, test } from 'vitest';
import { assert } from '../../../server/domain/assert.ts';
import { NOTHING_RESUMED, Resumption, sumOf } from '../../../server/board/resumption.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import { afterCrash, engineWorld, request } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition } from '../../support/runs.ts';

const TASKS = ['runs', 'ends', 'fails', 'vanishes'].map((id) => definition(id));

test('what runs on, what has ended and what is lost is counted by the terms that were found', async () => {
  const before = await engineWorld();
  await before.calls.submit(request({ tasks: TASKS }));
  await before.time.pass(20);
  const resumption = new Resumption(before.engine.board, '/project');
  before.engine.end();
  before.machine.succeed('ends');
  before.machine.fail('fails');
  before.machine.vanish('vanishes');
  const after = await afterCrash(before);
  await settled();
  resumption.heed(after.told);
  expect(resumption.found).toEqual({ runningCount: 1, finishedCount: 2, lostCount: 1 });
  // A lost one is tried again, under another term, and is not found again.
  expect(after.states()).toContain('vanishes pending');
});

test('what never began is lost as well', async () => {
  const before = await engineWorld();
  await before.calls.submit(request({ tasks: TASKS }));
  const { board } = before.engine;
  const resumption = new Resumption(board, '/project');
  const [claim] = board.claims.pushed;
  assert(claim !== undefined, 'something is claimed');
  const { entry, holder } = claim;
  const event = {
    kind: 'taskReleased',
    term: holder.term,
    at: board.now,
    reason: 'lost',
  } as const;
  const moved = { run: entry.run.manifest.id, task: entry.id, event };
  resumption.heed([{ sequence: 1, event: { kind: 'taskMoved', ...moved } }]);
  expect(resumption.found).toEqual({ runningCount: 3, finishedCount: 0, lostCount: 1 });
});

test('tasks of other folders of the repository are not counted', async () => {
  const before = await engineWorld();
  await before.calls.submit(request({ tasks: TASKS }));
  expect(new Resumption(before.engine.board, '/elsewhere').found).toEqual(NOTHING_RESUMED);
});

test('an empty board has nothing to find', () => {
  const board = new BoardModel({ foldCase: false });
  expect(new Resumption(board, '/project').found).toEqual(NOTHING_RESUMED);
  const some = { runningCount: 1, finishedCount: 2, lostCount: 3 };
  expect(sumOf([some, NOTHING_RESUMED, some])).toEqual({
    runningCount: 2,
    finishedCount: 4,
    lostCount: 6,
  });
});
