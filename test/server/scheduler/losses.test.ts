import { expect, test } from 'vitest';
import { boardOf, factsOf } from '../../../server/scheduler/model/board-facts.ts';
import { checkPaths, fileToWrite } from '../../../server/scheduler/requests/check-paths.ts';
import { Play } from '../../support/board-play.ts';
import { play } from '../../support/board-script.ts';
import { checkLast as check } from '../../support/board-story.ts';
import { workerId } from '../../support/snapshots.ts';

const TASK = 'a: agent, lease 10s, retries 3, writes src/x';
/** The lease runs out, and so does the time for which the lost attempt keeps its paths. */
const LOST = 'agent/bob claims a; agent/bob renews a; +10s; rest; +2m';

check(
  'an agent that lost a task gets none of its paths before it was told',
  [TASK, `${LOST}; agent/bob owns src/**`],
  'lost a',
);
check('other paths are not concerned', [TASK, `${LOST}; agent/bob owns docs/x`], 'owned');
check('other workers get them', [TASK, `${LOST}; agent/ann owns src/x`], 'owned');
check('told of it, it gets them', [TASK, `${LOST}; tell agent/bob; agent/bob owns src/x`], 'owned');
check('nothing is told twice', [TASK, `${LOST}; tell agent/bob; tell agent/bob`], 'refused');
check(
  'a task that was taken from it by a person is lost as well',
  [TASK, 'agent/bob claims a; agent/bob renews a; cancel a; agent/bob owns src/x'],
  'lost a',
);
check(
  'also where another agent has done the task meanwhile',
  [TASK, `${LOST}; agent/ann claims a; agent/ann completes a; agent/bob owns src/x`],
  'lost a',
);
check(
  'what it released or completed is not lost',
  [TASK, 'agent/bob claims a; agent/bob releases a; agent/bob owns src/x'],
  'owned',
);
test('what was lost outlives a rebase, and no board remembers more than 256 claims', () => {
  const on = new Play(TASK);
  play(on, LOST);
  const { board } = on;
  const again = boardOf(factsOf(board), { foldCase: false });
  expect(again.losses.all).toStrictEqual(board.losses.all);
  const [loss] = board.losses.all;
  if (loss === undefined) throw new Error('nothing was lost');
  for (let term = 1000; term < 1300; term += 1) again.losses.add({ ...loss, term });
  expect(again.losses.all.length).toBe(256);
});

test('a claim is in the way of others until the ledger ends it, however long nobody decides', () => {
  const on = new Play(TASK);
  play(on, 'agent/bob claims a; agent/bob renews a; +60m');
  const writes = fileToWrite('src/x');
  if (writes === undefined) throw new Error('it is a file');
  const { tree } = on.board.losses.all[0] ?? { tree: on.entry('a').run.manifest.root };
  const ask = (who: string) =>
    checkPaths(on.board, { worker: workerId(who), tree, writes }, on.now).kind;
  expect([ask('agent/ann'), ask('agent/bob')]).toStrictEqual(['held', 'free']);
});
