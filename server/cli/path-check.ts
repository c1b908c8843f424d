import { type FileClaim, FileClaims } from '../board/file-claims.ts';
import { FileClaimText, writingAdvice } from '../board/file-claim-text.ts';
import { untoldText } from '../board/lost-text.ts';
import type { WorkerId } from '../domain/ids.ts';
import { treeOf } from '../domain/run.ts';
import { fileToWrite } from '../scheduler/requests/check-paths.ts';
import { insideOf, type InsideTask } from '../board/inside-task.ts';
import type { BoardUse } from './open-board.ts';

/** Who else is at work on one file, for somebody who is about to write it. */
export interface PathCheck {
  /** From the top of the working tree. */
  readonly path: string;
  /** Whether nobody in this working tree writes it now. */
  readonly mayWrite: boolean;
  /** A sentence for each who writes or reads it: who, since when, until when. */
  readonly sentences: readonly string[];
  /** What to do instead; absent where the sentences say all. */
  readonly advice?: string;
  readonly writers: readonly FileClaim[];
}

type Looking = Pick<BoardUse, 'args' | 'terminal' | 'world' | 'open'>;

/** What the board knows of files now, told to one worker, who is in nobody's own way. */
export class PathChecker {
  readonly claims: FileClaims;
  readonly #use: Looking;
  readonly #text = new FileClaimText('agent');
  readonly #worker: WorkerId;
  /** The task whose command this process is part of. */
  readonly #inside: InsideTask | undefined;

  constructor(use: Looking, worker: WorkerId) {
    const { args, world, open } = use;
    this.#use = use;
    this.#worker = worker;
    this.#inside = provenInside(use);
    const at = { root: args.folder, folder: world.folderInTree(args.folder) };
    const window = { person: worker, worker, id: world.hash(worker).slice(0, 8) };
    this.claims = new FileClaims(open, { world, window, at });
  }

  check(path: string): PathCheck {
    const lost = this.#untold(path);
    if (lost !== undefined) return { path, mayWrite: false, sentences: [lost], writers: [] };
    const found = this.claims.on(path).filter((claim) => !this.#isOfThisTask(claim));
    const writers = found.filter(({ how }) => how === 'writes');
    const inTheWay = writers.filter(({ isInOtherTree }) => !isInOtherTree);
    const sentences = found.map((claim) => this.#text.sentence(claim, this.claims.now));
    const advice = writingAdvice(path, found);
    const mayWrite = inTheWay.length === 0;
    return { path, mayWrite, sentences, ...(advice !== undefined && { advice }), writers };
  }

  /** The worker lost a claim on this path, and has not been told. */
  #untold(path: string): string | undefined {
    const { args, world, open } = this.#use;
    const writes = fileToWrite(path);
    if (writes === undefined) return undefined;
    const tree = treeOf({ root: args.folder, folder: world.folderInTree(args.folder) });
    const claims = open.keeper.board.losses.meeting(this.#worker, { tree, writes });
    return claims.length === 0 ? undefined : untoldText(claims);
  }

  /** Inside of a task, what the task has is one's own. */
  #isOfThisTask({ task }: FileClaim): boolean {
    const inside = this.#inside;
    return task !== undefined && task.id === inside?.task && task.run === inside.run;
  }
}

function provenInside({ terminal, open }: Looking): InsideTask | undefined {
  const inside = insideOf(terminal.env);
  if (inside?.run === undefined || inside.proof === undefined) return undefined;
  const { run, task, term, proof } = inside;
  return open.proofs.isOf({ run, task, term }, proof) ? inside : undefined;
}
