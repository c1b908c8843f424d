import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Pair,
  Lexer,
  Parser,
  Scalar,
  visit,
  type YAMLMap,
  YAMLParseError,
} from 'yaml';
import { inShort } from '../domain/display-text.ts';
import { firstLineOf, mayHideOpenQuotes, openQuotes, quoteOpenAt } from './open-quotes.ts';
import type { Mention, Problem, ProblemCode, TextRange } from './plan.ts';
import { runAll } from './slices.ts';

const TEXT_LIMIT_BYTES = 1024 * 1024;
/** What is made of so many takes about a tenth of a second, and that cannot be done in slices. */
const TOKEN_LIMIT = 200_000;
/** About 10 ms. */
const TOKENS_IN_SLICE = 5000;
const DEPTH_LIMIT = 50;
/** Who has made more slips sees the rest when these are mended. */
export const SLIP_LIMIT = 20;
/** Where the parser's own words would not help somebody who only meant to write a command. */
const OWN_WORDS: ReadonlyMap<string, string> = new Map([
  [
    'BLOCK_AS_IMPLICIT_KEY',
    'This is not YAML: a value that contains ": " needs quotes, or "|" and a line of its own.',
  ],
  ['MULTIPLE_DOCS', 'A plan is one document: leave out the "---" or "..." and what follows it.'],
  ['TAB_AS_INDENT', 'This is not YAML: lines are indented with spaces, not with tabs.'],
]);
const OPEN_QUOTE = 'This is not YAML: nothing closes this quote.';
/** Whoever writes `[*.ts]`, `[!x]` or `[{a,b}.ts]` means a path. */
const NO_ALIAS =
  'Anchors and aliases are not allowed in a plan; a text that starts with "*" or "&" needs quotes.';
const NO_TAG = 'Tags are not allowed in a plan; a text that starts with "!" needs quotes.';
const NO_COMMA =
  'This is not YAML: a "," is missing here, or quotes around a text with "{", "[" or a quote in it.';
/** A line break to YAML and to editors, and none to the parser: the two would read different lines. */
const LONE_RETURN = /\r(?!\n)/;
const NO_LINE_END = 'Lines end with LF or CRLF, and this one ends with CR alone.';
const TOO_MANY_TOKENS = `A plan has at most ${TOKEN_LIMIT} words, signs and line breaks to YAML. Split it into several files.`;
const TOO_DEEP = `A plan nests at most ${DEPTH_LIMIT} levels deep.`;

/** Findings in the order they are made; readers add to it and go on. */
export class ProblemList {
  readonly #problems: Problem[] = [];

  get all(): readonly Problem[] {
    return this.#problems;
  }

  error(code: ProblemCode, range: TextRange, message: string): void {
    this.add({ code, severity: 'error', message, range, related: [] });
  }

  warning(code: ProblemCode, range: TextRange, message: string): void {
    this.add({ code, severity: 'warning', message, range, related: [] });
  }

  add(problem: Problem): void {
    this.#problems.push(problem);
  }
}

/**
 * Text to the top mapping of a YAML document that is read as a whole, or nothing when there is none.
 * What is wrong with it is reported.
 */
export function readYamlMap(text: string, problems: ProblemList): YAMLMap | undefined {
  const refusal = sizeProblem(text);
  const parsed = refusal === undefined ? runAll(parsingYaml(text)) : undefined;
  if (parsed === undefined) {
    problems.add(refusal ?? depthProblem(text));
    return undefined;
  }
  for (const slip of parsed.slips.slice(0, SLIP_LIMIT)) problems.add(slip);
  return plainMap(parsed.contents, new Set(), problems);
}

export function sizeProblem(text: string): Problem | undefined {
  // No character has more than three bytes for each of its units.
  if (text.length * 3 <= TEXT_LIMIT_BYTES) return undefined;
  if (text.length <= TEXT_LIMIT_BYTES && Buffer.byteLength(text) <= TEXT_LIMIT_BYTES)
    return undefined;
  return tooLarge(text, 'A plan has at most 1 MiB. Split it into several files.');
}

export function depthProblem(text: string): Problem {
  return tooLarge(text, TOO_DEEP);
}

/** At the first line: nobody knows more of the text. */
function tooLarge(text: string, message: string): Problem {
  const range = { start: 0, end: Math.max(0, text.search(/\r?\n|$/)) };
  return { code: 'too-large', severity: 'error', message, range, related: [] };
}

/** The mapping that a document is; of the mappings that are looked at `apart`, see `isPlain`. */
export function plainMap(
  contents: Node | null,
  apart: ReadonlySet<unknown>,
  problems: ProblemList,
): YAMLMap | undefined {
  if (contents === null || isNothing(contents)) return undefined;
  if (!isPlain(contents, apart, problems)) return undefined;
  if (isMap(contents)) return contents;
  problems.error('wrong-type', rangeOf(contents), 'A plan starts with keys: "tasks:" …');
  return undefined;
}

/** A YAML 1.2 document, however broken. */
interface ParsedText {
  readonly contents: Node | null;
  /** What is no YAML, in the order of the text. */
  readonly slips: readonly Problem[];
}

/** Nothing where it nests too deep to be read. */
export function* parsingYaml(text: string): Generator<void, ParsedText | undefined> {
  const tokens = yield* tokensOf(text);
  if (tokens === 'too-many') return { contents: null, slips: [tooLarge(text, TOO_MANY_TOKENS)] };
  const document = tokens === 'too-deep' ? undefined : composeWithinStack(tokens, text.length);
  if (document === undefined) return undefined;
  return { contents: document.contents, slips: slipsOf(document, text) };
}

function slipsOf({ errors, contents }: Document.Parsed, text: string): readonly Problem[] {
  const isOpen = errors.some(({ code }) => code === 'MISSING_CHAR') || mayHideOpenQuotes(text);
  const open = isOpen ? openQuotes(contents, text) : [];
  const slips = [...slipsOfParser(errors, open, text)];
  // The parser says nothing where an escaped quote stands last.
  const said = new Set(slips.map(({ range }) => range.start));
  for (const range of open)
    if (!said.has(range.start)) slips.push(slipAt(firstLineOf(range, text), OPEN_QUOTE));
  const loneReturn = text.includes('\r') ? text.search(LONE_RETURN) : -1;
  if (loneReturn >= 0) slips.push(slipAt({ start: loneReturn, end: loneReturn + 1 }, NO_LINE_END));
  return slips.toSorted((a, b) => a.range.start - b.range.start);
}

function slipsOfParser(
  errors: Document.Parsed['errors'],
  open: readonly TextRange[],
  text: string,
): readonly Problem[] {
  const gaveUpAt = new Set<number>();
  const slips: Problem[] = [];
  for (const { pos, code, message } of errors) {
    const quote = code === 'MISSING_CHAR' ? quoteOpenAt(pos[0], open, text) : undefined;
    if (quote !== undefined) gaveUpAt.add(pos[0]);
    // The brackets around an open quote have no end either, and need none before it has.
    else if (gaveUpAt.has(pos[0])) continue;
    const words = quote === undefined ? OWN_WORDS.get(code) : OPEN_QUOTE;
    slips.push(slipAt(quote ?? syntaxRange(text, pos), words ?? sentence(message)));
  }
  return slips;
}

function slipAt(range: TextRange, message: string): Problem {
  return { code: 'syntax', severity: 'error', message, range, related: [] };
}

export function rangeOf(node: unknown): TextRange {
  const range = isNode(node) ? node.range : undefined;
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

/**
 * Where the last thing in a value ends. The parser lets a mapping whose last value is empty end with
 * the comments below it, or not, depending on what comes next.
 */
export function endOf(node: unknown): number {
  let last = node;
  while (isCollection(last) && last.flow !== true && last.items.length > 0) {
    const item: unknown = last.items.at(-1);
    last = isPair(item) ? item.value : item;
  }
  return rangeOf(last).end;
}

/** A key as it is written; a key that is no plain word reads as nothing. */
export function keyText(pair: Pair): string {
  return isScalar(pair.key) ? scalarText(pair.key) : '';
}

/** The text of a value; numbers and `true` are the characters that they are written with. */
export function scalarText({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? String(value));
}

/** A character at least, and no more than the line. */
function syntaxRange(text: string, [start, end]: readonly [number, number]): TextRange {
  const from = Math.min(start, Math.max(0, text.length - 1));
  const lineEnd = text.slice(from, end).search(/\r?\n/);
  const to = lineEnd > 0 ? from + lineEnd : end;
  return { start: from, end: Math.min(Math.max(to, from + 1), text.length) };
}

function sentence(message: string): string {
  if (message.startsWith('Missing , or : between flow')) return NO_COMMA;
  const firstLine = message.split('\n')[0] ?? message;
  return `This is not YAML: ${firstLine.replace(/[.:]?$/, '.')}`;
}

/**
 * What YAML makes of the letters, in slices: most of the time that a text takes is spent here. The parser
 * is recursive; a text built of brackets overflows its stack, which is no reason to die.
 */
function* tokensOf(text: string): Generator<void, CST.Token[] | 'too-many' | 'too-deep'> {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  let count = 0;
  try {
    for (const lexeme of new Lexer().lex(text)) {
      for (const token of parser.next(lexeme)) tokens.push(token);
      count += 1;
      if (count > TOKEN_LIMIT) return 'too-many';
      if (count % TOKENS_IN_SLICE === 0) yield;
    }
    for (const token of parser.end()) tokens.push(token);
    return tokens;
  } catch (error) {
    if (error instanceof RangeError) return 'too-deep';
    throw error;
  }
}

/** Nothing where it nests too deep to be read. */
function composeWithinStack(
  tokens: readonly CST.Token[],
  length: number,
): Document.Parsed | undefined {
  const { stackTraceLimit } = Error;
  // There may be as many errors as letters, and to collect where each was made takes most of the time.
  Error.stackTraceLimit = 0;
  try {
    const document = compose(tokens, length);
    const isExhausted = document?.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
    return isExhausted === true ? undefined : document;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** As `parseDocument` does it with a text. */
function compose(tokens: readonly CST.Token[], length: number): Document.Parsed | undefined {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
  });
  let first: Document.Parsed | undefined;
  for (const document of composer.compose(tokens, true, length)) {
    if (first !== undefined) {
      const [start, end] = document.range;
      first.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', ''));
      break;
    }
    first = document;
  }
  return first;
}

/**
 * Whether it may be read: nothing indirect, nothing too deep to walk. Reports what is not: anchors,
 * aliases, merge keys and tags, since a plan is read by people and they can be built to explode.
 * Keys that are there twice are reported, too, but not in the mappings that are looked at `apart`.
 */
export function isPlain(
  contents: Node,
  apart: ReadonlySet<unknown>,
  problems: ProblemList,
): boolean {
  let isPlainSoFar = true;
  const refuse = (code: ProblemCode, node: Node, message: string): void => {
    isPlainSoFar = false;
    problems.error(code, rangeOf(node), message);
  };
  visit(contents, {
    Pair(_, pair) {
      if (isNode(pair.value) && !isNothing(pair.value)) return;
      // In `cwd:` nothing is behind the key; what is said about the value points at the key.
      const nothing = new Scalar(null);
      nothing.range = (isNode(pair.key) && pair.key.range) || null;
      pair.value = nothing;
    },
    Node(_, node, path) {
      if (path.length > DEPTH_LIMIT && path.filter(isCollection).length > DEPTH_LIMIT) {
        refuse('too-large', node, TOO_DEEP);
        return visit.BREAK;
      }
      if (isAlias(node) || node.anchor !== undefined) refuse('syntax', node, NO_ALIAS);
      else if (node.tag !== undefined) refuse('syntax', node, NO_TAG);
      if (isMap(node) && !apart.has(node))
        reportDuplicates(node.items.flatMap(keyMention), problems);
      return undefined;
    },
  });
  return isPlainSoFar;
}

/** A key with its place; nothing where it is no plain word. */
export function keyMention({ key }: Pair): readonly Mention[] {
  return isScalar(key) ? [{ text: scalarText(key), range: rangeOf(key) }] : [];
}

/** Each key that is there again points at the first of them. */
export function reportDuplicates(
  keys: readonly Mention[],
  problems: ProblemList,
  what: 'key' | 'task' = 'key',
): void {
  const first = new Map<string, TextRange>();
  for (const { text, range } of keys) {
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, range);
    else
      problems.add({
        ...duplicate(what, inShort(text, 64)),
        severity: 'error',
        range,
        related: [{ message: 'It is here first.', range: earlier }],
      });
  }
}

function duplicate(what: 'key' | 'task', text: string): Pick<Problem, 'code' | 'message'> {
  return what === 'key'
    ? { code: 'duplicate-key', message: `"${text}" is here twice.` }
    : { code: 'duplicate-id', message: `Duplicate task id "${text}".` };
}

function isNothing(node: Node): boolean {
  const { start, end } = rangeOf(node);
  return isScalar(node) && start === end && node.anchor === undefined && node.tag === undefined;
}
