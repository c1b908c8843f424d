import { isCollection, isMap, isScalar, type Pair, parseDocument, YAMLMap } from 'yaml';
import { findFrontmatter } from './frontmatter.ts';
import { type ScalarStyle, scalarText } from './scalar-text.ts';
import { BOARD_KEYS } from './task-file.ts';

/** A text, a time that is written as it is, or nothing: the key goes. */
export type FrontmatterValue = string | { readonly time: string } | undefined;
export type FrontmatterChanges = ReadonlyMap<string, FrontmatterValue>;

export type EditResult =
  | { readonly kind: 'edited'; readonly text: string }
  /** The message is a sentence for the user. */
  | { readonly kind: 'refused'; readonly message: string };

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const KEY_ORDER: readonly string[] = BOARD_KEYS;
const NO_KEYS = 'Its frontmatter cannot be changed safely: write one key on each line.';

/**
 * Changes keys of a task file, and nothing else: unknown keys, comments, order, quotes, spaces, line
 * ends and the prose stay, byte for byte. What it cannot change that way it does not change.
 */
export function editFrontmatter(text: string, changes: FrontmatterChanges): EditResult {
  let edited: string | undefined = text;
  for (const [key, value] of changes)
    edited = edited === undefined ? undefined : withKey(edited, key, value);
  if (edited === undefined || !isMeant({ text, edited, changes }))
    return { kind: 'refused', message: NO_KEYS };
  return { kind: 'edited', text: edited };
}

function withKey(text: string, key: string, value: FrontmatterValue): string | undefined {
  const map = readMap(text);
  if (map === undefined || map.flow === true) return undefined;
  const found = map.items.filter((pair) => nameOf(pair) === key);
  const [pair] = found;
  if (found.length > 1) return undefined;
  if (pair === undefined) return value === undefined ? text : inserted(text, map, { key, value });
  const cut = value === undefined ? lineCut(text, pair) : valueCut(text, pair, value);
  return cut && applied(text, cut);
}

/** Its quotes are those of the old value, where that had any. */
function valueCut(
  text: string,
  pair: Pair,
  value: Exclude<FrontmatterValue, undefined>,
): Cut | undefined {
  const colon = colonOf(text, pair);
  if (colon === undefined) return undefined;
  const written = writtenAs(value, styleOf(pair.value));
  const [start, end] = rangeIn(pair.value) ?? [colon + 1, colon + 1];
  if (start === end) return { from: colon + 1, to: colon + 1, text: ` ${written}` };
  if (lineEndOf(text, colon) >= start) {
    // A block ends with its line; so does what takes its place.
    const eol = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? '';
    return { from: start, to: end, text: `${written}${isBlock(pair) ? eol : ''}` };
  }
  // The value is on lines of its own; a comment behind the key stays.
  const line = text.slice(colon + 1, lineEndOf(text, colon));
  const lineEnd = lineStartAfter(text, lastOf(text, pair));
  return {
    from: colon + 1,
    to: lineEnd,
    text: ` ${written}${line}${eolAt(text, lineEndOf(text, colon))}`,
  };
}

function lineCut(text: string, pair: Pair): Cut | undefined {
  const [start] = rangeIn(pair.key) ?? [];
  if (start === undefined) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  return { from, to: lineStartAfter(text, lastOf(text, pair)), text: '' };
}

/** Where kanban-md would write it: behind the last key that it writes before this one. */
function inserted(
  text: string,
  map: YAMLMap,
  { key, value }: { readonly key: string; readonly value: Exclude<FrontmatterValue, undefined> },
): string | undefined {
  const before = new Set(KEY_ORDER.slice(0, Math.max(0, KEY_ORDER.indexOf(key))));
  const ranked = map.items.filter((pair) => before.has(nameOf(pair) ?? ''));
  const anchor = ranked.toSorted((a, b) => rankOf(a) - rankOf(b)).at(-1) ?? map.items.at(-1);
  const [keyStart] = rangeIn(anchor?.key) ?? [];
  const start = findFrontmatter(text)?.start ?? 0;
  const at = anchor === undefined ? start : lineStartAfter(text, lastOf(text, anchor));
  const indent =
    keyStart === undefined ? '' : text.slice(text.lastIndexOf('\n', keyStart - 1) + 1, keyStart);
  const eol = text[at - 2] === '\r' ? '\r\n' : '\n';
  const line = `${indent}${key}: ${writtenAs(value, 'plain')}${eol}`;
  return /^ *$/.test(indent) ? applied(text, { from: at, to: at, text: line }) : undefined;
}

function rankOf(pair: Pair): number {
  return KEY_ORDER.indexOf(nameOf(pair) ?? '');
}

function writtenAs(value: Exclude<FrontmatterValue, undefined>, style: ScalarStyle): string {
  if (typeof value === 'string') return scalarText(value, style);
  return style === 'plain' ? value.time : scalarText(value.time, style);
}

/** Whether the keys are what they were but for the changes, and everything around them is the same. */
function isMeant({
  text,
  edited,
  changes,
}: {
  readonly text: string;
  readonly edited: string;
  readonly changes: FrontmatterChanges;
}): boolean {
  const [before, after] = [valuesIn(text), valuesIn(edited)];
  if (before === undefined || after === undefined) return false;
  for (const [key, value] of changes) {
    if (value === undefined) before.delete(key);
    else before.set(key, JSON.stringify(typeof value === 'string' ? value : value.time));
  }
  const isSame =
    before.size === after.size && [...before].every(([key, value]) => after.get(key) === value);
  return isSame && outside(text) === outside(edited);
}

function valuesIn(text: string): Map<string, string> | undefined {
  const map = readMap(text);
  if (map === undefined) return undefined;
  const values = map.items.map(
    (pair) => [nameOf(pair) ?? '', JSON.stringify(pair.value ?? null)] as const,
  );
  return new Map(values);
}

function outside(text: string): string {
  const { start = 0, end = 0 } = findFrontmatter(text) ?? {};
  return `${text.slice(0, start)}${text.slice(end)}`;
}

function readMap(text: string): YAMLMap | undefined {
  const parts = findFrontmatter(text);
  if (parts === undefined) return undefined;
  const document = parseDocument(text.slice(0, parts.end), {
    version: '1.2',
    schema: 'core',
    merge: false,
    prettyErrors: false,
  });
  if (document.errors.length > 0) return undefined;
  const { contents } = document;
  // Comments alone are no keys.
  if (contents === null || (isScalar(contents) && contents.source === '')) return new YAMLMap();
  return isMap(contents) ? contents : undefined;
}

function nameOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function rangeIn(node: unknown): readonly [number, number] | undefined {
  const range = isScalar(node) || isCollection(node) ? node.range : undefined;
  return range === undefined || range === null ? undefined : [range[0], range[1]];
}

function styleOf(node: unknown): ScalarStyle {
  const type = isScalar(node) ? node.type : undefined;
  if (type === 'QUOTE_SINGLE') return 'single';
  return type === 'QUOTE_DOUBLE' ? 'double' : 'plain';
}

function isBlock({ value }: Pair): boolean {
  return isScalar(value) && (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED');
}

/** The colon behind a key that stands in front of it on the same line. */
function colonOf(text: string, { key }: Pair): number | undefined {
  const end = rangeIn(key)?.[1] ?? 0;
  const spaces = /^[ \t]*/.exec(text.slice(end, lineEndOf(text, end)))?.[0].length ?? 0;
  return text[end + spaces] === ':' ? end + spaces : undefined;
}

/** The last character of a key with its value. */
function lastOf(text: string, pair: Pair): number {
  const [start, end] = rangeIn(pair.value) ?? [0, 0];
  if (start === end) return colonOf(text, pair) ?? start;
  // The empty lines below a block may be part of it.
  if (isBlock(pair)) return end - 1;
  return start + text.slice(start, end).trimEnd().length - 1;
}

function lineEndOf(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' && end > at ? end - 1 : end;
}

function lineStartAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function eolAt(text: string, lineEnd: number): string {
  return text[lineEnd] === '\r' ? '\r\n' : '\n';
}

function applied(text: string, cut: Cut): string {
  return `${text.slice(0, cut.from)}${cut.text}${text.slice(cut.to)}`;
}
