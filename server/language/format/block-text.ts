import type { YamlScalar } from '../yaml/tree.ts';
import type { LinePlans, Move } from './line-plan.ts';

interface BlockText {
  /** The column of its first character; nothing where it has none. */
  readonly column: number | undefined;
  /** What its header says that is to be added to the column of its key. */
  readonly step: number | undefined;
  /** The last line that is part of what it says. */
  readonly last: number;
}

/**
 * Moves the lines below a "|" or ">" with their key or dash. Answers whether it is certain which
 * lines those are.
 */
export function moveBlockText(
  plans: LinePlans,
  node: YamlScalar,
  { parent, isWhole }: { readonly parent: Move; readonly isWhole: boolean },
): boolean {
  const header = plans.lineOf(node.start);
  const found = readBlockText(plans, node, parent.from);
  if (found === undefined) return false;
  const { column, step, last } = found;
  const moved = column === undefined ? 0 : column + parent.to - parent.from;
  const to = step === undefined && isWhole ? parent.to + 2 : moved;
  for (let index = header + 1; index <= last; index += 1) {
    const indent =
      column !== undefined && isSaid(plans, index, column)
        ? plans.spacesOf(index) - column + to
        : 0;
    plans.goOn(index, { indent, endsInText: true });
  }
  return true;
}

function readBlockText(
  plans: LinePlans,
  { start }: YamlScalar,
  parent: number,
): BlockText | undefined {
  const first = plans.lineOf(start) + 1;
  const [, marks = ''] = /^[|>]([-+\d]*)/.exec(plans.text.slice(start, start + 4)) ?? [];
  const [digit] = /\d/.exec(marks) ?? [];
  const step = digit === undefined ? undefined : Number(digit);
  const column = step === undefined ? firstColumn(plans, first, parent) : parent + step;
  const end = endOf(plans, first, column);
  if (end === undefined) return undefined;
  let last = end - 1;
  if (!marks.includes('+')) while (last >= first && !isSaid(plans, last, column)) last -= 1;
  return { column, step, last };
}

/** Where a text begins that does not say so itself. */
function firstColumn(plans: LinePlans, from: number, parent: number): number | undefined {
  for (let index = from; index < plans.lines.length; index += 1)
    if (!plans.isBlank(index)) {
      const spaces = plans.spacesOf(index);
      return spaces > parent ? spaces : undefined;
    }
  return undefined;
}

/** Whether a line has more than the spaces in front of the text. */
function isSaid(plans: LinePlans, index: number, column = Infinity): boolean {
  const { start, content } = plans.lines[index]!;
  return !plans.isBlank(index) || content - start > column;
}

/** The first line that is not below the "|"; nothing where a tab makes that uncertain. */
function endOf(plans: LinePlans, from: number, column = Infinity): number | undefined {
  let index = from;
  for (; index < plans.lines.length; index += 1) {
    const spaces = plans.spacesOf(index);
    if (spaces >= column) continue;
    const { start, content } = plans.lines[index]!;
    if (spaces < content - start) return undefined;
    if (!plans.isBlank(index)) break;
  }
  return index;
}
