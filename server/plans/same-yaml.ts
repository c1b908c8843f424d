import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  visit,
} from 'yaml';
import { areEqual } from '../domain/equal-lists.ts';

/**
 * Whether two texts are plans that say the same, in the same words, quotes and order, with the same
 * comments. Never of a text that is not YAML, or that has what plans may not have.
 */
export function isSameYaml(before: string, after: string): boolean {
  const [one, other] = [readPlainly(before), readPlainly(after)];
  if (one === undefined || other === undefined) return false;
  return areSame(one.contents, other.contents) && areEqual(commentsOf(before), commentsOf(after));
}

function readPlainly(text: string): Document.Parsed | undefined {
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
    });
    return document.errors.length === 0 && isPlain(document) ? document : undefined;
  } catch (error) {
    // The parser is recursive; what is too deep for it is no plan.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isPlain(document: Document.Parsed): boolean {
  let isPlainSoFar = true;
  visit(document, {
    Node(_, node) {
      if (!isAlias(node) && node.anchor === undefined && node.tag === undefined) return undefined;
      isPlainSoFar = false;
      return visit.BREAK;
    },
  });
  return isPlainSoFar;
}

function areSame(one: unknown, other: unknown): boolean {
  if (isScalar(one) && isScalar(other))
    return one.type === other.type && Object.is(one.value, other.value) && isSameSource(one, other);
  if (isPair(one) && isPair(other))
    return areSame(one.key, other.key) && areSame(one.value, other.value);
  if ((isMap(one) && isMap(other)) || (isSeq(one) && isSeq(other))) {
    if (one.items.length !== other.items.length || one.flow !== other.flow) return false;
    return one.items.every((item, index) => areSame(item, other.items[index]));
  }
  return !isNode(one) && !isNode(other);
}

/** `1.0` and `1` are the same number in other words. */
function isSameSource(
  one: { readonly value: unknown; readonly source?: string },
  other: { readonly source?: string },
): boolean {
  return typeof one.value === 'string' || one.source === other.source;
}

/** From each "#" to the end of its line. */
function commentsOf(text: string): readonly string[] {
  const comments: string[] = [];
  let isScalarNext = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalarNext && token.startsWith('#')) comments.push(token.trimEnd());
    isScalarNext = token === SCALAR_NEXT;
  }
  return comments;
}

/** What the lexer says before each text without quotes. */
const SCALAR_NEXT = '\u001F';
