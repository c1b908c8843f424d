import { fileOf } from '../plans/plan-source.ts';
import type { PlanInFolder, ResolveReference } from './plan-in-folder.ts';
import { keyOf, pairsAt } from './yaml/find.ts';
import type { Span, YamlPair, YamlTree } from './yaml/tree.ts';

/** A word whose meaning depends on what is written elsewhere. */
export interface Token extends Span {
  /** A task that exists, the plan it is in, an agent or a limit that is declared. */
  readonly kind: 'task' | 'plan' | 'agent' | 'limit';
  readonly isDeclaration: boolean;
}

/** A file of a plan. */
interface Part {
  readonly plan: PlanInFolder;
  readonly file: string;
}

/** In the order of the text. What is not known by any name is no token: the grammar colours it as text. */
export function tokensOf(
  { plan, file }: Part,
  tree: YamlTree,
  resolve: ResolveReference,
): readonly Token[] {
  const tokens = [...mentionTokens({ plan, file }, tree, resolve), ...nameTokens(tree)];
  return tokens.toSorted((a, b) => a.start - b.start);
}

function mentionTokens(
  { plan, file }: Part,
  { text }: YamlTree,
  resolve: ResolveReference,
): readonly Token[] {
  return plan.plan.tasks.flatMap(({ dependsOnMentions, afterMentions }) =>
    [...dependsOnMentions, ...afterMentions].flatMap((mention): readonly Token[] => {
      if (fileOf(mention.range, plan) !== file) return [];
      if (resolve(plan, mention.text) === undefined) return [];
      const quote = /["']/.test(text[mention.range.start] ?? '') ? 1 : 0;
      const start = mention.range.start + quote;
      const end = mention.range.end - quote;
      const slash = text.slice(start, end).lastIndexOf('/');
      const id: Token = { kind: 'task', start: start + slash + 1, end, isDeclaration: false };
      if (slash < 0) return [id];
      return [{ kind: 'plan', start, end: start + slash, isDeclaration: false }, id];
    }),
  );
}

function nameTokens(tree: YamlTree): readonly Token[] {
  const [agents, limits] = [declared(tree, 'agents'), declared(tree, 'limits')];
  const tokens = [
    ...[...agents.values()].map((pair) => declaration('agent', pair)),
    ...[...limits.values()].map((pair) => declaration('limit', pair)),
  ];
  for (const { value } of [
    ...pairsAt(tree, ['tasks']),
    ...pairsAt(tree, []).filter((pair) => keyOf(tree, pair) === 'defaults'),
  ]) {
    if (value?.kind !== 'map') continue;
    for (const pair of value.pairs) tokens.push(...usesIn(tree, pair, { agents, limits }));
  }
  return tokens;
}

type Declared = ReadonlyMap<string, YamlPair>;

function usesIn(
  tree: YamlTree,
  pair: YamlPair,
  { agents, limits }: { readonly agents: Declared; readonly limits: Declared },
): readonly Token[] {
  const { value } = pair;
  const key = keyOf(tree, pair);
  if (key === 'agent' && value?.kind === 'scalar' && value.style !== 'block')
    return agents.has(keyOf(tree, { ...pair, key: value })) ? [use('agent', value)] : [];
  if (key !== 'resources' || value?.kind !== 'map') return [];
  return value.pairs.flatMap((item) => {
    const name = keyOf(tree, item);
    return limits.has(name) || OF_MACHINE.has(name) ? use('limit', item.key) : [];
  });
}

/** Limits that nobody has to declare. */
const OF_MACHINE: ReadonlySet<string> = new Set(['cpu', 'memory']);

function declared(tree: YamlTree, section: string): Declared {
  return new Map(pairsAt(tree, [section]).map((pair) => [keyOf(tree, pair), pair]));
}

function declaration(kind: Token['kind'], { key }: YamlPair): Token {
  return { kind, start: key.start, end: key.end, isDeclaration: true };
}

function use(kind: Token['kind'], { start, end }: Span): Token {
  return { kind, start, end, isDeclaration: false };
}
