import { type Credits, takeTurn } from '../../domain/priority.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { BoardModel } from '../model/board-model.ts';
import { NO_TALLY, type Tally } from '../model/cycle-report.ts';
import type { Lane, TaskEntry } from '../model/run-model.ts';
import type { Verdict } from '../predicate/may-start.ts';
import { isSharedByLane, ReadyOrder } from './ready-order.ts';

/**
 * The tasks that workers may take for themselves, in the order in which they are served: the classes
 * take turns, and inside a class the order decides.
 */
export class PullOrder {
  readonly #classes: readonly ReadyOrder[];
  #credits: Credits;

  constructor(board: BoardModel) {
    this.#classes = ordersByClass(board);
    this.#credits = board.pullCredits;
  }

  get first(): TaskEntry | undefined {
    return this.#turn?.order?.first;
  }

  pass(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#credits = turn.credits;
    turn.order?.pass();
  }

  /** A class of which nothing was served has had no turn. */
  passLane(idsLimit: number): Tally<TaskId> {
    return this.#turn?.order?.passLane(idsLimit) ?? NO_TALLY;
  }

  get #turn(): { readonly order: ReadyOrder | undefined; readonly credits: Credits } | undefined {
    const contending = contendersOf(this.#classes.map(({ first }) => first));
    if (contending === 0) return undefined;
    const { index, credits } = takeTurn(this.#credits, contending);
    return { order: this.#classes[index], credits };
  }
}

/** It may start, but not for who asks; others of its lane may. */
export interface PassedOver {
  readonly kind: 'passed-over';
}

/** For each class the first that `ask` lets start, whose turn it is, and who contended for it. */
export function firstInTurn(
  board: BoardModel,
  ask: (entry: TaskEntry) => Verdict | PassedOver,
): { readonly entry: TaskEntry; readonly contending: number } | undefined {
  const firsts = ordersByClass(board).map((order) => firstIn(order, ask));
  const contending = contendersOf(firsts);
  if (contending === 0) return undefined;
  const entry = firsts[takeTurn(board.pullCredits, contending).index];
  return entry === undefined ? undefined : { entry, contending };
}

function firstIn(
  order: ReadyOrder,
  ask: (entry: TaskEntry) => Verdict | PassedOver,
): TaskEntry | undefined {
  for (let entry = order.first; entry !== undefined; entry = order.first) {
    const verdict = ask(entry);
    if (verdict.kind === 'yes') return entry;
    if (verdict.kind === 'no' && isSharedByLane(verdict.reasons[0])) order.passLane();
    else order.pass();
  }
  return undefined;
}

function ordersByClass({ ready }: BoardModel): readonly ReadyOrder[] {
  const classes: readonly Lane[][] = [[], [], [], []];
  for (const lane of ready.pullLanes) classes[lane.rank]?.push(lane);
  return classes.map((lanes) => new ReadyOrder(lanes));
}

function contendersOf(firsts: readonly (TaskEntry | undefined)[]): number {
  let contending = 0;
  for (const [index, first] of firsts.entries()) if (first !== undefined) contending |= 1 << index;
  return contending;
}
