import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  Scalar,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Problem, ProblemCode, TextRange } from './plan.ts';

const PLAN_LIMIT_BYTES = 1024 * 1024;
const DEPTH_LIMIT = 50;
const SYNTAX_PROBLEM_LIMIT = 20;
/** Where the parser's own words would not help somebody who only meant to write a command. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [
    'BLOCK_AS_IMPLICIT_KEY',
    'a value that contains ": " needs quotes, or "|" and a line of its own',
  ],
]);
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
 * Text to the top mapping of a YAML 1.2 document, or nothing when there is none. Anchors, aliases,
 * merge keys and tags are refused: a plan is read by people, and they can be built to explode.
 */
export function readYamlMap(text: string, problems: ProblemList): YAMLMap | undefined {
  const wholeLine = { start: 0, end: Math.max(0, text.search(/\r?\n|$/)) };
  if (Buffer.byteLength(text) > PLAN_LIMIT_BYTES) {
    problems.error(
      'too-large',
      wholeLine,
      'A plan has at most 1 MiB. Split it into several files.',
    );
    return undefined;
  }
  const document = parseWithinStack(text);
  if (document === undefined) {
    problems.error('too-large', wholeLine, TOO_DEEP);
    return undefined;
  }
  for (const { pos, code, message } of document.errors.slice(0, SYNTAX_PROBLEM_LIMIT))
    problems.error('syntax', syntaxRange(text, pos), sentence(ADVICE.get(code) ?? message));
  if (document.contents === null || !isPlain(document.contents, problems)) return undefined;
  if (isMap(document.contents)) return document.contents;
  problems.error('wrong-type', rangeOf(document.contents), 'A plan starts with keys: "tasks:" …');
  return undefined;
}

export function rangeOf(node: unknown): TextRange {
  const range = isNode(node) ? node.range : undefined;
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

/** The text of a value; numbers and `true` are the characters that they are written with. */
export function scalarText({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? String(value));
}

function syntaxRange(text: string, [start, end]: readonly [number, number]): TextRange {
  const from = Math.min(start, Math.max(0, text.length - 1));
  return { start: from, end: Math.min(Math.max(end, from + 1), text.length) };
}

function sentence(message: string): string {
  const firstLine = message.split('\n')[0] ?? message;
  return `This is not YAML: ${firstLine.replace(/[.:]?$/, '.')}`;
}

/** The parser is recursive; a text built of brackets overflows its stack, which is no reason to die. */
function parseWithinStack(text: string): Document.Parsed | undefined {
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
    });
    const isExhausted = document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
    return isExhausted ? undefined : document;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the document may be read: nothing indirect, nothing too deep to walk. Reports what is not. */
function isPlain(contents: Node, problems: ProblemList): boolean {
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
      if (isAlias(node) || node.anchor !== undefined)
        refuse('syntax', node, 'Anchors and aliases are not allowed in a plan.');
      else if (node.tag !== undefined) refuse('syntax', node, 'Tags are not allowed in a plan.');
      if (isMap(node)) reportDuplicateKeys(node, problems);
      return undefined;
    },
  });
  return isPlainSoFar;
}

function isNothing(node: Node): boolean {
  const { start, end } = rangeOf(node);
  return isScalar(node) && start === end && node.anchor === undefined && node.tag === undefined;
}

function reportDuplicateKeys(map: YAMLMap, problems: ProblemList): void {
  const first = new Map<string, TextRange>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const range = rangeOf(key);
    const text = scalarText(key);
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, range);
    else
      problems.add({
        code: 'duplicate-key',
        severity: 'error',
        message: `"${text}" is here twice.`,
        range,
        related: [{ message: 'It is here first.', range: earlier }],
      });
  }
}
