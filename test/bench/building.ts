import { assert } from '../../server/domain/assert.ts';
import type { BoardEvent } from '../../server/scheduler/model/board-event.ts';
import { BoardModel } from '../../server/scheduler/model/board-model.ts';
import { boardOf, manifestOf, Play, playEachCompletion, tasksOf } from './boards.ts';
import { plainGraph, plainMs, randomGraph } from './graphs.ts';
import { type Bench, medians, milliseconds, perStep } from './measure.ts';

const SIZE = 100_000;
const DEGREE = 3;

export const BUILDING: Bench = {
  name: 'building',
  run: () => {
    const earlier = randomGraph(SIZE, DEGREE);
    const manifest = manifestOf(tasksOf(earlier));
    const ledger = ledgerOf(manifest);
    const plain = plainGraph(earlier);
    const ms = medians({
      build: () => milliseconds(() => boardOf(manifest)),
      plainBuild: () => milliseconds(() => void plainGraph(earlier)),
      refold: () => refoldMs(ledger),
      plainRun: () => plainMs(plain, 1),
    });
    const step = (name: Parameters<typeof ms>[0], count: number) => ({ ms: ms(name), count });
    return [
      perStep('a task into a board / into plain arrays', {
        ours: step('build', SIZE),
        limit: step('plainBuild', SIZE),
      }),
      perStep(`an event of a ledger of ${ledger.length} / a plain node`, {
        ours: step('refold', ledger.length),
        limit: step('plainRun', SIZE),
      }),
    ];
  },
};

function ledgerOf(manifest: ReturnType<typeof manifestOf>): readonly BoardEvent[] {
  const ledger: BoardEvent[] = [{ kind: 'runSubmitted', at: manifest.requestedAt, manifest }];
  playEachCompletion(new Play(boardOf(manifest), ledger));
  return ledger;
}

function refoldMs(ledger: readonly BoardEvent[]): number {
  const board = new BoardModel({ foldCase: false });
  return milliseconds(() => {
    for (const event of ledger)
      assert(board.apply(event) === 'moved', 'a ledger applies again as it did');
  });
}
