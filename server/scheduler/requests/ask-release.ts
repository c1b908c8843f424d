import type { WorkerId } from '../../domain/ids.ts';
import { refusePath } from '../../domain/paths/relative-path.ts';
import { type Instant, isOver } from '../../domain/time.ts';
import type { BoardEvent } from '../model/board-event.ts';
import type { BoardModel } from '../model/board-model.ts';
import type { OwnerName } from '../model/ownership.ts';
import { isRunner } from '../model/workers.ts';

/** Somebody asks whoever has a file for it. */
export interface ReleaseRequest {
  readonly owner: OwnerName;
  readonly worker: WorkerId;
  /** From the top of the working tree. */
  readonly path: string;
}

export type ReleaseAnswer =
  | { readonly kind: 'accepted'; readonly event: BoardEvent }
  /** It has been let go of already; or nobody is there who could hear, as with a command. */
  | { readonly kind: 'refused'; readonly why: 'gone' | 'deaf' };

/** Only who asks the board now and then, or looks at it, can be asked for something. */
export function answerRelease(
  board: BoardModel,
  { owner: who, worker, path }: ReleaseRequest,
  now: Instant,
): ReleaseAnswer {
  const at = board.timeAt(now);
  const owner = board.owners.ownerNamed(who, (run, task) => board.find(run, task));
  if (owner === undefined || isOver(owner.until, at)) return { kind: 'refused', why: 'gone' };
  if (isRunner(owner.worker) || refusePath(path) !== undefined)
    return { kind: 'refused', why: 'deaf' };
  return { kind: 'accepted', event: { kind: 'releaseAsked', at, owner: who, worker, path } };
}
