import { Assembler } from './assemble.ts';
import { equalEnds } from './equal-ends.ts';
import { lowerBound } from './lower-bound.ts';
import { PartTasks } from './part-tasks.ts';
import { type Block, splitBlocks } from './plan-blocks.ts';
import type { ParsedPlan } from './plan.ts';
import { meaningOf, ReadBlock, readingBlock } from './read-block.ts';
import { type Part, readingWhole } from './read-part.ts';
import { runAll, SLICE_LETTERS } from './slices.ts';
import { sizeProblem } from './yaml-document.ts';

/** What was read block by block. */
interface Reading {
  readonly text: string;
  readonly blocks: readonly ReadBlock[];
}

/** Blocks of the last reading that stand before and behind what has changed. */
interface Kept {
  readonly before: readonly ReadBlock[];
  readonly after: readonly ReadBlock[];
}

/**
 * Reads one plan again and again while it is edited, and of each new text only the blocks that have
 * changed. Tasks that neither changed nor moved are the same objects as before.
 *
 * Invariant: what is read does not depend on what was read before.
 */
export class PlanReader {
  readonly #assembler = new Assembler();
  #last: Reading = { text: '', blocks: [] };

  read(text: string): ParsedPlan {
    return runAll(this.reading(text));
  }

  /** The same in slices, each of which reads about as many letters: a block is never cut. */
  *reading(text: string): Generator<void, ParsedPlan> {
    if (sizeProblem(text) !== undefined) return this.#whole(yield* readingWhole(text));
    const blocks = yield* this.#readBlocks(text);
    if (blocks === undefined || blocks.length === 0) return this.#whole(yield* readingWhole(text));
    this.#last = { text, blocks };
    return this.#assembler.assemble(blocks);
  }

  #whole(part: Part): ParsedPlan {
    return this.#assembler.assemble([{ tasks: new PartTasks(part), by: 0 }]);
  }

  /** Nothing where the text cannot be read in blocks. */
  *#readBlocks(text: string): Generator<void, readonly ReadBlock[] | undefined> {
    const { before, after } = this.#kept(text);
    const { end: from = 0, taskColumn = 0 } = before.at(-1) ?? {};
    const between = splitBlocks(text, { from, to: after[0]?.start ?? text.length, taskColumn });
    if (between === undefined) return undefined;
    const column = between.at(-1)?.taskColumn ?? taskColumn;
    const isJoined = from > 0 || between.length > 0;
    if (after.length === 0 || (isJoined && column === this.#columnBefore(after.length)))
      return yield* this.#readEach([...before, ...between, ...after], text);
    // The same lines mean something else now: there is another `tasks:` above them, or nothing.
    const rest = splitBlocks(text, { from, to: text.length, taskColumn });
    return rest && (yield* this.#readEach([...before, ...rest], text));
  }

  /** The blocks that are as they were, in their new places. A line may join the one above or below. */
  #kept(text: string): Kept {
    const { text: old, blocks } = this.#last;
    const same = equalEnds(old, text);
    const by = text.length - old.length;
    const firstChanged = lowerBound(blocks, ({ end }) => end > same.start);
    const firstSame = lowerBound(blocks, ({ start }) => start > old.length - same.end);
    const before = blocks.slice(0, Math.max(0, firstChanged - 1));
    const after = blocks.slice(Math.max(firstSame, before.length));
    return { before, after: by === 0 ? after : after.map((block) => block.moved(by)) };
  }

  /** Nothing where one of them cannot be read alone. What stands there as before is not read again. */
  *#readEach(
    blocks: readonly (Block | ReadBlock)[],
    text: string,
  ): Generator<void, ReadBlock[] | undefined> {
    const { before, after } = countKept(blocks);
    const others = this.#last.blocks.slice(before, this.#last.blocks.length - after);
    const known = new Map(others.map((block) => [meaningOf(block, this.#last.text), block.tasks]));
    const read: ReadBlock[] = [];
    let letters = 0;
    for (const block of blocks) {
      const meaning = block instanceof ReadBlock ? '' : meaningOf(block, text);
      const done =
        block instanceof ReadBlock
          ? block
          : yield* readingBlock(block, { text, known: known.get(meaning) });
      // Two that are alike are two.
      known.delete(meaning);
      if (done === undefined) return undefined;
      read.push(done);
      if (done === block) continue;
      letters += block.end - block.start;
      if (letters < SLICE_LETTERS) continue;
      letters = 0;
      yield;
    }
    return read;
  }

  #columnBefore(count: number): number {
    return this.#last.blocks.at(-count - 1)?.taskColumn ?? 0;
  }
}

/** How many at either end have been read. */
function countKept(blocks: readonly (Block | ReadBlock)[]): { before: number; after: number } {
  const first = blocks.findIndex((block) => !(block instanceof ReadBlock));
  if (first < 0) return { before: blocks.length, after: 0 };
  const last = blocks.findLastIndex((block) => !(block instanceof ReadBlock));
  return { before: first, after: blocks.length - last - 1 };
}
