import { expect, test } from 'vitest';
import { TASKS_CHANGED } from '../../../protocol/runs.ts';
import type { BoardRun, RunChanges } from '../../../server/board/run-table.ts';
import type { Places } from '../../../server/handlers/convert.ts';
import { ToldTasks } from '../../../server/handlers/told-tasks.ts';
import { positionsIn } from '../../../server/plans/positions.ts';
import { instant } from '../../../server/domain/time.ts';
import { runId } from '../../support/runs.ts';

const NOTHING: BoardRun['tally'] = {
  idle: 0,
  blocked: 0,
  interrupted: 0,
  waiting: 0,
  ready: 0,
  claimed: 0,
  running: 0,
  attention: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
};

function run(tally: Partial<BoardRun['tally']>): BoardRun {
  return {
    id: runId(1),
    plan: 'interlock.yaml',
    requestedBy: 'test',
    requestedAt: instant(1000),
    status: 'active',
    outcome: undefined,
    finishedAt: undefined,
    tally: { ...NOTHING, ...tally },
  };
}

function toldTasks(): { readonly told: ToldTasks; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const sendNotification = async (...message: readonly unknown[]): Promise<void> => {
    sent.push(message);
  };
  return { told: new ToldTasks({ sendNotification }, 'file:///p'), sent };
}

const NO_PLACES: Places = { uriOf: (file) => file, positionsOf: positionsIn(() => '') };

function tellRuns(told: ToldTasks, runs: RunChanges): void {
  told.tell({ changed: [], removed: [], isMore: false }, runs, NO_PLACES);
}

test('what is claimed counts as running, and what cannot start yet as waiting', () => {
  const { told } = toldTasks();
  const tally = { claimed: 1, running: 2, waiting: 1, interrupted: 1, blocked: 1, idle: 1 };
  tellRuns(told, { changed: [run(tally)], removed: [] });
  expect(told.run(runId(1))?.counts).toMatchObject({ running: 3, waiting: 4, ready: 0 });
});

test('a run that looks the same is told once, and taken back with the folder', () => {
  const { told, sent } = toldTasks();
  tellRuns(told, { changed: [run({ running: 1 })], removed: [] });
  tellRuns(told, { changed: [run({ claimed: 1 })], removed: [] });
  expect(sent).toHaveLength(1);
  told.takeBack();
  const runs = { changed: [], removed: [{ folderUri: 'file:///p', run: runId(1) }] };
  expect(sent[1]).toEqual([TASKS_CHANGED, { changed: [], removed: [], runs }]);
  told.takeBack();
  tellRuns(told, { changed: [], removed: [runId(1)] });
  expect(sent).toHaveLength(2);
});
