import picomatch from 'picomatch';
import { DFA, getIntersectionIterator, isDisjointWith, JS, NFA } from 'refa';

/**
 * What patterns mean, by way of regular expressions: a package of others says whether two lists have
 * a path in common. It shares no code with the real implementation.
 */
export class GlobLanguage {
  readonly #paths: NFA;
  readonly #include: RegExp;
  readonly #exclude: RegExp;

  constructor(patterns: readonly string[]) {
    const include = patterns.filter((pattern) => !pattern.startsWith('!'));
    const exclude = patterns.filter((pattern) => pattern.startsWith('!'));
    const sources = [include, exclude.map((pattern) => pattern.slice(1))].map(sourceOf);
    const [included, excluded] = [sources[0]!, sources[1]!];
    this.#include = new RegExp(`^(?:${included})$`, 'su');
    this.#exclude = new RegExp(`^(?:${excluded})$`, 'su');
    this.#paths = automatonOf(included);
    if (exclude.length === 0) return;
    const left = DFA.fromFA(automatonOf(excluded), new DFA.LimitedNodeFactory(NODES));
    left.minimize();
    left.complement();
    const limit = new NFA.LimitedNodeFactory(NODES);
    this.#paths = NFA.fromIntersection(this.#paths, left, limit);
  }

  has(path: string): boolean {
    return this.#include.test(path) && !this.#exclude.test(path);
  }

  meets(other: GlobLanguage): boolean {
    return !isDisjointWith(this.#paths, other.#paths, NODES);
  }

  /** How many characters the shortest path of both has. */
  shortestShared(other: GlobLanguage): number | undefined {
    const both = getIntersectionIterator(this.#paths, other.#paths, NODES);
    const known = new Set([both.initial]);
    for (let [length, states] = [0, [...known]]; states.length > 0; length += 1) {
      if (states.some((state) => both.isFinal(state))) return length;
      const next = states.flatMap((state) => [...both.getOut(state).keys()]);
      states = [...new Set(next)].filter((state) => !known.has(state));
      for (const state of states) known.add(state);
    }
    return undefined;
  }
}

/**
 * Whether a path is of one pattern, by picomatch. There `x/**` is `x` itself only where `x` has no
 * wildcards, `**` as a part of a name may be more than `*`, `dir/` is a folder, and a class may be a
 * slash; the rest is as it is here.
 */
export function picomatches(pattern: string, path: string): boolean {
  return alternativesOf(pattern).some((plain) => {
    const written = plain.replaceAll(/(?<![^/])\*+(?=[^/*])|(?<=[^/*])\*+/g, '*');
    const start = written.replace(/(?:\/\*\*)+$/, '');
    const starts = start === written || /^(?:\*\*\/?)+$/.test(start) ? [written] : [written, start];
    return starts.some((each) => picomatch.isMatch(path, each, OPTIONS));
  });
}

const OPTIONS = { dot: true, posix: true, nonegate: true, noextglob: true };

function automatonOf(source: string): NFA {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags: 'su' }).parse();
  return NFA.fromRegex(expression, { maxCharacter });
}

/** Nothing matches an empty list. */
function sourceOf(patterns: readonly string[]): string {
  const plain = patterns.flatMap(alternativesOf);
  return plain.length === 0 ? '[]' : plain.map(expressionOf).join('|');
}

/** Without braces, and with what is below a path that is written in full. */
function alternativesOf(pattern: string): readonly string[] {
  const brace = /\{([^{}]*)\}/.exec(pattern);
  if (brace === null) return [endsPlain(pattern) ? `${pattern.replace(/\/$/, '')}/**` : pattern];
  const [start, end] = [pattern.slice(0, brace.index), brace.index + brace[0].length];
  return brace[1]!
    .split(',')
    .flatMap((choice) => alternativesOf(start + choice + pattern.slice(end)));
}

/**
 * Whether the last name has no wildcard. A class of one character is that character. What may be below
 * a name with an extension is not of the language: wildcards of others do not look into it.
 */
function endsPlain(pattern: string): boolean {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  return !/[*?[]|[^/]\.[^./]/.test(name.replaceAll(/\[[^!^]\]/gu, 'x'));
}

/** It would rather fail than take all memory. */
const NODES = 1_000_000;

const NAME = '[^/]+';

function expressionOf(pattern: string): string {
  const names = pattern.split('/');
  const last = names.findLastIndex((name) => name !== '**');
  if (last < 0) return `${NAME}(?:/${NAME})*`;
  const start = names
    .slice(0, last)
    .map((name) => (name === '**' ? `(?:${NAME}/)*` : `${nameExpression(name)}/`));
  const end = last === names.length - 1 ? '' : `(?:/${NAME})*`;
  return start.join('') + nameExpression(names[last]!) + end;
}

function nameExpression(name: string): string {
  const source = name.replaceAll(/\[[!^]?.[^\]]*\]|[\s\S]/gu, (part) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (!part.startsWith('[')) return part.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
    const body = part.slice(1, -1).replace(/^!/, '^');
    return body.startsWith('^') ? `[^/${escaped(body.slice(1))}]` : `[${escaped(body)}]`;
  });
  return /^\*+$/.test(name) ? NAME : source;
}

function escaped(body: string): string {
  return body.replaceAll(/[\\[\]^]/g, String.raw`\$&`);
}
