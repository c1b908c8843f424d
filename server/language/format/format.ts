import { isSameYaml } from '../../plans/same-yaml.ts';
import type { Edit } from '../fixes/fix.ts';
import { isBlank, type Span, type YamlTree } from '../yaml/tree.ts';
import { blankLineEdits } from './blank-lines.ts';
import { commentIndents } from './comments.ts';
import { Layout } from './layout.ts';
import { LinePlans } from './line-plan.ts';

/**
 * What has to change for a plan, or some lines of it, to be written as plans are. Nothing where the
 * text is not certain to say the same afterwards. Edits are in the order of the text, and apart.
 */
export function format(tree: YamlTree, part: Span = { start: 0, end: tree.text.length }): Edit[] {
  const edits = layoutEdits(tree, part);
  return edits.length > 0 && isSameYaml(tree.text, applied(tree.text, edits)) ? edits : [];
}

/** The same, of a text that is known to be a plan. */
export function layoutEdits(tree: YamlTree, part: Span): Edit[] {
  const { text, root } = tree;
  if (root !== undefined && (root.kind !== 'map' || root.indent === undefined)) return [];
  if (/\r(?!\n)/.test(text)) return [];
  const plans = new LinePlans(tree);
  const lines = linesIn(plans, part);
  const isWhole = ({ start, end }: Span): boolean =>
    plans.lineOf(start) >= lines.first && plans.lineOf(end) <= lines.last;
  const layout = new Layout(plans, isWhole);
  if (root?.kind === 'map') layout.place(root);
  const comments = layout.isCertain ? commentIndents(plans) : undefined;
  if (comments === undefined || hasTabs(plans)) return [];
  const blankLines = blankLineEdits(plans);
  const edits = [...layout.spacing, ...blankLines];
  const gone = goneLines(plans, blankLines);
  for (const index of plans.lines.keys())
    if (!gone.has(index)) edits.push(...lineEdits(plans, index, comments.get(index)));
  return edits
    .filter(({ range, text: wanted }) => text.slice(range.start, range.end) !== wanted)
    .filter(({ range: { start, end } }) => {
      const [first, last] = [plans.lineOf(start), plans.lineOf(Math.max(start, end - 1))];
      return first >= lines.first && last <= lines.last;
    })
    .toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

function linesIn(plans: LinePlans, { start, end }: Span): { first: number; last: number } {
  const { lines, text } = plans;
  const isBelow = start === text.length && start > lines.at(-1)!.end;
  const first = isBelow ? lines.length : plans.lineOf(start);
  const last = plans.lineOf(end);
  const endsBefore = last > first && lines[last]!.start === end;
  return { first, last: endsBefore ? last - 1 : last };
}

function goneLines(plans: LinePlans, edits: readonly Edit[]): ReadonlySet<number> {
  const gone = new Set<number>();
  for (const { range } of edits)
    for (let index = plans.lineOf(range.start); index <= plans.lineOf(range.end - 1); index += 1)
      gone.add(index);
  return gone;
}

/** A tab has no width; only in a text that began on a line above it does no harm. */
function hasTabs(plans: LinePlans): boolean {
  return [...plans.lines.entries()].some(([index, { start, content }]) => {
    const { endsInText = false, moves = [] } = plans.get(index) ?? {};
    const isInText = endsInText && moves.length === 0;
    return !plans.isBlank(index) && !isInText && plans.spacesOf(index) < content - start;
  });
}

function lineEdits(plans: LinePlans, index: number, commentIndent: number | undefined): Edit[] {
  const { start, end } = plans.lines[index]!;
  const { indent = commentIndent, endsInText = false } = plans.get(index) ?? {};
  const edits: Edit[] = [];
  if (indent !== undefined) {
    const range = { start, end: start + plans.spacesOf(index) };
    edits.push({ range, text: ' '.repeat(indent) });
  }
  if (endsInText) return edits;
  let last = end;
  while (last > start && isBlank(plans.text[last - 1])) last -= 1;
  const isUnended = end === plans.text.length && !plans.isBlank(index);
  edits.push({ range: { start: last, end }, text: isUnended ? lineEnd(plans.text) : '' });
  return edits;
}

/** How the lines of a text end. */
function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { range, text: wanted } of edits) {
    parts.push(text.slice(at, range.start), wanted);
    at = range.end;
  }
  return parts.join('') + text.slice(at);
}
