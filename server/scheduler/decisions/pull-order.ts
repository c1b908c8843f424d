import { type Credits, takeTurn } from '../../domain/priority.ts';
import type { BoardModel } from '../model/board-model.ts';
import { startsBefore, type TaskEntry } from '../model/run-model.ts';

/**
 * The tasks that workers may take for themselves, in the order in which they are served: the classes
 * take turns, and inside a class the order decides.
 */
export function pullOrder(board: BoardModel): readonly TaskEntry[] {
  const classes = waitingByClass(board);
  const order: TaskEntry[] = [];
  let credits: Credits = board.pullCredits;
  for (;;) {
    const contending = contendersOf(classes);
    if (contending === 0) return order;
    const turn = takeTurn(credits, contending);
    credits = turn.credits;
    const next = classes[turn.index].pop();
    if (next !== undefined) order.push(next);
  }
}

/** For each class the first that `mayTake` accepts, whose turn it is, and who contended for it. */
export function firstInTurn(
  board: BoardModel,
  mayTake: (entry: TaskEntry) => boolean,
): { readonly entry: TaskEntry; readonly contending: number } | undefined {
  const firsts = waitingByClass(board).map((waiting) => waiting.findLast(mayTake));
  const contending = contendersOf(firsts.map((first) => (first === undefined ? [] : [first])));
  if (contending === 0) return undefined;
  const entry = firsts[takeTurn(board.pullCredits, contending).index];
  return entry === undefined ? undefined : { entry, contending };
}

/** The first of each class stands last, where it is cheap to take away. */
function waitingByClass({
  ready,
}: BoardModel): readonly [TaskEntry[], TaskEntry[], TaskEntry[], TaskEntry[]] {
  const classes: [TaskEntry[], TaskEntry[], TaskEntry[], TaskEntry[]] = [[], [], [], []];
  for (const lane of ready.pullLanes) classes[lane.rank]?.push(...lane.ready.inOrder());
  for (const waiting of classes) waiting.sort((a, b) => (startsBefore(a, b) ? 1 : -1));
  return classes;
}

function contendersOf(classes: readonly (readonly TaskEntry[])[]): number {
  let contending = 0;
  for (const [index, waiting] of classes.entries())
    if (waiting.length > 0) contending |= 1 << index;
  return contending;
}
