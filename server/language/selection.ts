import type { PlanInFolder } from './plan-in-folder.ts';
import { lastBefore } from './yaml/node-at.ts';
import {
  endOfText,
  type Span,
  type YamlItem,
  type YamlNode,
  type YamlPair,
  type YamlTree,
} from './yaml/tree.ts';
import { fileOf } from '../plans/plan-source.ts';

/** What an editor selects step by step, the smallest first; each lies in the next. */
export function selectionsIn(tree: YamlTree, offset: number): readonly Span[] {
  const { text, root } = tree;
  const spans: Span[] = [{ start: 0, end: text.length }];
  const comment = tree.comments[lastBefore(tree.comments, offset)];
  if (comment !== undefined && offset <= comment.end) spans.push(comment);
  for (let node = root; node !== undefined && holds(node, offset);) {
    spans.push(node);
    node = partOf(node, offset, spans);
  }
  return nested([...spans, wordAt(text, offset)]);
}

/** In a file that is no YAML: the word, the task, everything. */
export function selectionsInTask(
  plan: PlanInFolder,
  file: string,
  offset: number,
): readonly Span[] {
  const text = plan.texts.get(file) ?? '';
  const task = plan.plan.tasks.find(
    ({ range }) => fileOf(range, plan) === file && holds(range, offset),
  );
  const range = task && { start: task.range.start, end: endOfText(text, task.range) };
  return nested([{ start: 0, end: text.length }, ...(range ? [range] : []), wordAt(text, offset)]);
}

/** Adds what is between a node and the part of it at an offset, and answers that part. */
function partOf(node: YamlNode, offset: number, spans: Span[]): YamlNode | undefined {
  if (node.kind === 'scalar') {
    const isQuoted = node.style === 'single' || node.style === 'double';
    const inner = { start: node.start + 1, end: node.end - 1 };
    if (isQuoted && holds(inner, offset)) spans.push(inner);
    return undefined;
  }
  const parts: readonly (YamlPair | YamlItem)[] = node.kind === 'map' ? node.pairs : node.items;
  const part = parts[lastBefore(parts, offset)];
  if (part === undefined || !holds(part, offset)) return undefined;
  spans.push(part);
  return 'key' in part && holds(part.key, offset) ? part.key : part.value;
}

/** The letters around an offset; ids and paths have more of them than most languages. */
function wordAt(text: string, offset: number): Span {
  let [start, end] = [offset, offset];
  while (start > 0 && /[\w.-]/.test(text[start - 1]!)) start -= 1;
  while (end < text.length && /[\w.-]/.test(text[end]!)) end += 1;
  return { start, end };
}

function holds({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

/** From the widest to the smallest, turned round; what does not lie in the one before is left out. */
function nested(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const { start, end } of spans) {
    const around = kept.at(-1);
    const isInside = around === undefined || (around.start <= start && end <= around.end);
    const isSame = around?.start === start && around.end === end;
    if (isInside && !isSame && (start < end || around === undefined)) kept.push({ start, end });
  }
  return kept.toReversed();
}
