import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { TextRange } from '../plan.ts';
import type { ProblemList } from '../yaml-document.ts';

const PLAN_LIMIT_BYTES = 1024 * 1024;
const DEPTH_LIMIT = 50;
const SYNTAX_PROBLEM_LIMIT = 20;

/** What is said of a slip, by the parser's name for it. */
const SLIPS: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'this is no value'],
  ['InvalidNumberFormat', 'this is no number'],
  ['PropertyNameExpected', 'a key in double quotes belongs here'],
  ['ValueExpected', 'a value belongs here'],
  ['ColonExpected', '":" belongs here'],
  ['CommaExpected', '"," belongs here'],
  ['CloseBraceExpected', '"}" belongs here'],
  ['CloseBracketExpected', '"]" belongs here'],
  ['EndOfFileExpected', 'nothing belongs behind the end'],
  ['UnexpectedEndOfComment', 'this comment has no end'],
  ['UnexpectedEndOfString', 'this text has no closing quote on its line'],
  ['UnexpectedEndOfNumber', 'this number has no end'],
  ['InvalidUnicode', '"\\u" needs four digits'],
  ['InvalidEscapeCharacter', 'no such character follows "\\"'],
  ['InvalidCharacter', 'a text has no control characters'],
]);

/**
 * Text to the tree of a JSON document with comments and trailing commas, or nothing when there is none. Past
 * a slip the rest is read as well as it can be.
 */
export function readJson(text: string, problems: ProblemList): Node | undefined {
  const wholeLine = { start: 0, end: Math.max(0, text.search(/\r?\n|$/)) };
  if (Buffer.byteLength(text) > PLAN_LIMIT_BYTES) {
    problems.error('too-large', wholeLine, 'A plan has at most 1 MiB.');
    return undefined;
  }
  // The parser is recursive; what it is given has to fit its stack.
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) {
    const range = { start: tooDeep, end: tooDeep + 1 };
    problems.error('too-large', range, `A plan nests at most ${DEPTH_LIMIT} levels deep.`);
    return undefined;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  for (const { error, offset, length } of errors.slice(0, SYNTAX_PROBLEM_LIMIT)) {
    const name = printParseErrorCode(error);
    const start = Math.min(offset, Math.max(0, text.length - 1));
    const range = { start, end: Math.min(Math.max(offset + length, start + 1), text.length) };
    problems.error('syntax', range, `This is not JSON: ${SLIPS.get(name) ?? name}.`);
  }
  if (root !== undefined) reportDuplicateKeys(root, problems);
  return root;
}

export function rangeOfNode({ offset, length }: Node): TextRange {
  return { start: offset, end: offset + length };
}

/** Without its quotes. */
export function insideOf({ offset, length }: Node): TextRange {
  return { start: offset + 1, end: Math.max(offset + 1, offset + length - 1) };
}

/**
 * Where stretches of the text that a string has are written: one character may take six there. They are asked
 * for in the order of the text.
 */
export function placesInString(source: string, node: Node): (stretch: TextRange) => TextRange {
  let { start: at } = insideOf(node);
  let index = 0;
  const walkTo = (target: number): number => {
    for (; index < target; index += 1) at += lengthOfEscape(source, at);
    return at;
  };
  return ({ start, end }) => ({ start: walkTo(start), end: walkTo(end) });
}

/** A key of an object with its value. */
export interface Member {
  readonly key: Node;
  readonly value: Node;
}

/** Of a key that is there twice the last one, as editors read it; nothing of what is no object. */
export function membersOf(node: Node | undefined): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  if (node?.type !== 'object') return members;
  for (const { children: [key, value] = [] } of node.children ?? [])
    if (key !== undefined && value !== undefined) members.set(String(key.value), { key, value });
  return members;
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}

function lengthOfEscape(source: string, at: number): number {
  if (source[at] !== '\\') return 1;
  return source[at + 1] === 'u' ? 6 : 2;
}

function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // Behind a comment without an end the scanner goes past the text, and says of nothing that it is long.
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const first = text[offset];
    if (first === '{' || first === '[') depth += 1;
    else if (first === '}' || first === ']') depth -= 1;
    if (depth > DEPTH_LIMIT) return offset;
  }
  return undefined;
}

function reportDuplicateKeys(root: Node, problems: ProblemList): void {
  const left = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const child of node.children ?? []) left.push(child);
    if (node.type !== 'object') continue;
    const first = new Map<string, Node>();
    for (const { children: [key] = [] } of node.children ?? []) {
      if (key === undefined) continue;
      const earlier = first.get(String(key.value));
      if (earlier === undefined) first.set(String(key.value), key);
      else
        problems.add({
          code: 'duplicate-key',
          severity: 'warning',
          message: `"${String(key.value)}" is here twice; the last one counts.`,
          range: insideOf(key),
          related: [{ message: 'It is here first.', range: insideOf(earlier) }],
        });
    }
  }
}
