import { type FileClaim, FileClaims } from '../board/file-claims.ts';
import { FileClaimText, shortName } from '../board/file-claim-text.ts';
import { displayText } from '../domain/display-text.ts';
import type { WorkerId } from '../domain/ids.ts';
import type { BoardUse } from './open-board.ts';

/** Who else is at work on one file, for somebody who is about to write it. */
export interface PathCheck {
  /** From the top of the working tree. */
  readonly path: string;
  /** Whether nobody in this working tree writes it now. */
  readonly mayWrite: boolean;
  /** A sentence for each who writes or reads it: who, since when, until when. */
  readonly sentences: readonly string[];
  /** What to do instead, or what to mind. */
  readonly advice: string;
  readonly writers: readonly FileClaim[];
}

type Looking = Pick<BoardUse, 'args' | 'terminal' | 'world' | 'open'>;

/** What the board knows of files now, told to one worker, who is in nobody's own way. */
export class PathChecker {
  readonly claims: FileClaims;
  readonly #use: Looking;
  readonly #text = new FileClaimText();

  constructor(use: Looking, worker: WorkerId) {
    const { args, world, open } = use;
    this.#use = use;
    const at = { root: args.folder, folder: world.folderInTree(args.folder) };
    const window = { person: worker, worker, id: world.hash(worker).slice(0, 8) };
    this.claims = new FileClaims(open, { world, window, at });
  }

  check(path: string): PathCheck {
    const found = this.claims.on(path).filter((claim) => !this.#isOfThisTask(claim));
    const writers = found.filter(({ how }) => how === 'writes');
    const inTheWay = writers.filter(({ isInOtherTree }) => !isInOtherTree);
    const sentences = found.map((claim) => this.#text.sentence(claim, this.claims.now));
    const advice = adviceFor(path, inTheWay, found);
    return { path, mayWrite: inTheWay.length === 0, sentences, advice, writers };
  }

  /** Inside of a task, what the task has is one's own. */
  #isOfThisTask({ task }: FileClaim): boolean {
    const { env } = this.#use.terminal;
    return (
      task !== undefined && task.id === env['INTERLOCK_TASK'] && task.run === env['INTERLOCK_RUN']
    );
  }
}

function adviceFor(
  path: string,
  inTheWay: readonly FileClaim[],
  found: readonly FileClaim[],
): string {
  const [first] = inTheWay;
  if (first === undefined)
    return found.length === 0
      ? `Nobody else is at work on ${path}.`
      : displayText(`${path} may be written. Mind what is said of it.`);
  const ask = first.hears ? `, or ask ${shortName(first)} to release it` : '';
  return displayText(
    `Do not write ${path} now, in no other way either: work on something else and come back to it${ask}. ` +
      'Tell the user if nothing else is left to do.',
  );
}
