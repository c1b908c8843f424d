import type { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { boardOf, type Detail, manifestOf, tasksOf } from './boards.ts';
import { type Earlier, randomGraph } from './graphs.ts';
import { type Bench, liveBytes, medians, type Row } from './measure.ts';

const SIZE = 100_000;
const DEGREE = 3;
const GOAL_BYTES = 1024;

/** What a board holds of a task beyond what the manifest says of it. */
export const MEMORY: Bench = {
  name: 'memory',
  run: () => {
    if (globalThis.gc === undefined) return 'skipped: run with --expose-gc';
    const waiting = randomGraph(SIZE, DEGREE);
    const ready = waiting.map(() => []);
    const bytes = medians(
      {
        waiting: () => bytesOf(waiting),
        measured: () => bytesOf(waiting, (number) => ({ asks: { expectedMs: 500 + number } })),
        ready: () => bytesOf(ready, ownModule),
        parsed: () => bytesOf(ready, ownModule, parsePaths),
      },
      3,
    );
    return [
      rowOf('a task that waits for three others', bytes('waiting')),
      rowOf('the same with its own expected time', bytes('measured')),
      rowOf('a ready task with writes', bytes('ready')),
      rowOf('the same after a decide has read its writes', bytes('parsed')),
    ];
  },
};

const kept: BoardModel[] = [];

function bytesOf(
  earlier: Earlier,
  detailOf?: (number: number) => Detail,
  use?: (board: BoardModel) => void,
): number {
  const manifest = manifestOf(tasksOf(earlier, detailOf));
  const before = liveBytes();
  const board = boardOf(manifest);
  use?.(board);
  kept.push(board);
  const bytes = liveBytes() - before;
  kept.pop();
  return bytes / SIZE;
}

function parsePaths(board: BoardModel): void {
  for (const run of board.runs.values()) for (const entry of run.entries) void entry.paths;
}

function ownModule(number: number): Detail {
  return { writes: [`src/module-${number}/**`] };
}

function rowOf(what: string, bytes: number): Row {
  const ratio = bytes / GOAL_BYTES;
  return { what, ours: `${Math.round(bytes)} B`, limit: `${GOAL_BYTES} B`, ratio, atMost: 1 };
}
