import type { PlacedPart } from './assemble.ts';
import { PartTasks } from './part-tasks.ts';
import { movedRange } from './places.ts';
import type { Block } from './plan-blocks.ts';
import { type Part, readBareWord, readingStretch } from './read-part.ts';

/** A block and what was read of it. */
export class ReadBlock implements PlacedPart {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly opensTasks: boolean;
  readonly taskColumn: number;
  readonly tasks: PartTasks;
  readonly by: number;

  constructor(block: Omit<Block, 'bareWord'>, tasks: PartTasks, by: number) {
    this.start = block.start;
    this.end = block.end;
    this.column = block.column;
    this.opensTasks = block.opensTasks;
    this.taskColumn = block.taskColumn;
    this.tasks = tasks;
    this.by = by;
  }

  moved(by: number): ReadBlock {
    const { start, end, column, opensTasks, taskColumn } = this;
    const block = { start: start + by, end: end + by, column, opensTasks, taskColumn };
    return new ReadBlock(block, this.tasks, this.by + by);
  }
}

/** Two blocks of which this is the same say the same. */
export function meaningOf(
  { start, end, column, opensTasks }: Omit<Block, 'bareWord'>,
  text: string,
): string {
  return `${column} ${opensTasks} ${start === 0} ${text.slice(start, end)}`;
}

/** `known` is what was read of the same block before. Nothing where it cannot be read alone. */
export function* readingBlock(
  block: Block,
  { text, known }: { readonly text: string; readonly known: PartTasks | undefined },
): Generator<void, ReadBlock | undefined> {
  const by = block.start - prefixOf(block).length;
  if (known !== undefined) return new ReadBlock(block, known, by);
  const part = yield* readingPart(block, text);
  return part && new ReadBlock(block, new PartTasks(part), by);
}

function* readingPart(block: Block, text: string): Generator<void, Part | undefined> {
  const { start, end, column, bareWord, opensTasks } = block;
  const prefix = prefixOf(block);
  if (bareWord !== undefined) {
    const by = prefix.length - start;
    const word = text.slice(bareWord.start, bareWord.end);
    const within = column > 0 ? movedRange({ start, end }, by) : undefined;
    return readBareWord({ text: word, range: movedRange(bareWord, by) }, within);
  }
  const level = column > 0 ? 'tasks' : 'plan';
  return yield* readingStretch({ text: text.slice(start, end), prefix, level, opensTasks });
}

/** A new text, too, so that what is read of it does not keep the text of the whole plan alive. */
function prefixOf({ start, column }: Block): string {
  if (start === 0) return '';
  return column > 0 ? 'tasks:\n' : '#\n';
}
