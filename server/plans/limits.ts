import { isMap, isScalar, type Pair } from 'yaml';
import { didYouMean } from './closest.ts';
import type { ProblemCode, TextRange } from './plan.ts';
import { parseSize } from './quantities.ts';
import { readCountIn } from './yaml-numbers.ts';
import { keyText } from './yaml-values.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

const PARALLEL_LIMIT = 10_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** The machine has these, whether the plan limits them or not. */
const OF_MACHINE = ['cpu', 'memory'];
/** A hint compares a word with every name, so only the first few unknown names get one. */
const HINT_LIMIT = 20;

/** How much there is of something, or how much a task takes of it. */
export interface Amount {
  readonly name: string;
  /** A size is in bytes; a broken one is `undefined`. */
  readonly amount: number | undefined;
  readonly isSize: boolean;
  /** As it is written. */
  readonly text: string;
  readonly range: TextRange;
  readonly nameRange: TextRange;
}

export interface Limits {
  /** How many tasks run at once; absent: as many as the machine has cores. */
  readonly parallel: number | undefined;
  readonly amounts: ReadonlyMap<string, Amount>;
}

export const NO_LIMITS: Limits = { parallel: undefined, amounts: new Map() };

export function readLimits(pair: Pair, problems: ProblemList): Limits {
  if (!isMap(pair.value)) {
    const rule = '"limits" holds names and numbers: { parallel: 4 }.';
    problems.error('wrong-type', rangeOf(pair.key), rule);
    return NO_LIMITS;
  }
  const amounts = new Map<string, Amount>();
  let parallel: number | undefined;
  for (const item of pair.value.items) {
    const key = keyText(item);
    if (key === 'parallel') parallel = readCountIn(item, { from: 1, to: PARALLEL_LIMIT }, problems);
    else if (key === 'queue')
      problems.warning(
        'not-yet',
        rangeOf(item.key),
        'This version does not act on the limit "queue" yet.',
      );
    else if (NAME.test(key)) amounts.set(key, readAmount(item, problems));
    else {
      const rule =
        'The name of a limit starts with a letter or digit and has at most 64 of: letters, digits, "." "_" "-".';
      problems.error('invalid-id', rangeOf(item.key), rule);
    }
  }
  return { parallel, amounts };
}

/** What a task takes of the limits; `checkRequests` compares it with what there is. */
export function readResources(pair: Pair, problems: ProblemList): readonly Amount[] {
  if (isMap(pair.value)) return pair.value.items.map((item) => readAmount(item, problems));
  const rule = '"resources" holds amounts of the limits: { cpu: 2, memory: 1GiB }.';
  problems.error('wrong-type', rangeOf(pair.value), rule);
  return [];
}

/** Reports what there is not, or not so much of: a task that asks for it could never start. */
export function checkRequests(
  requests: Iterable<Amount>,
  limits: Limits,
  problems: ProblemList,
): void {
  const names = [...OF_MACHINE, ...limits.amounts.keys()];
  let hints = 0;
  for (const request of requests) {
    const { name, nameRange } = request;
    const limit = limits.amounts.get(name);
    if (limit !== undefined) checkRequest(request, limit, problems);
    else if (name === 'parallel')
      problems.error(
        'unknown-limit',
        nameRange,
        'Every task takes one place of "parallel", no more.',
      );
    else if (!OF_MACHINE.includes(name)) {
      const hint = hints < HINT_LIMIT ? didYouMean(name, names) : '';
      hints += 1;
      const message = `There is no limit "${name}" in this plan.${hint}`;
      problems.error('unknown-limit', nameRange, message);
    }
  }
}

function checkRequest(request: Amount, limit: Amount, problems: ProblemList): void {
  const { name, amount, range, text } = request;
  const related = [{ range: limit.range, message: 'This is how much there is.' }];
  const refuse = (code: ProblemCode, message: string): void =>
    problems.add({ code, severity: 'error', message, range, related });
  if (amount === undefined) return;
  if (limit.amount === undefined) {
    // Of what the machine has, that is what counts then.
    if (!OF_MACHINE.includes(name))
      refuse('unknown-limit', `Nobody can say how much there is of "${name}".`);
  } else if (amount > limit.amount)
    refuse('too-much', `"${name}" is limited to ${limit.text}, and this asks for ${text}.`);
  else if (request.isSize !== limit.isSize && amount > 0)
    refuse('wrong-type', `"${name}" is limited to ${limit.text}; ${text} is not of that kind.`);
}

function readAmount(pair: Pair, problems: ProblemList): Amount {
  const name = keyText(pair);
  const [range, nameRange] = [rangeOf(pair.value), rangeOf(pair.key)];
  const value = isScalar(pair.value) ? pair.value.value : undefined;
  const text = isScalar(pair.value) ? scalarText(pair.value) : '';
  const size = typeof value === 'string' ? parseSize(value) : undefined;
  const amount = typeof value === 'number' ? value : size;
  const isSize = size !== undefined;
  const isOfKind = name === 'memory' ? isSize : name !== 'cpu' || !isSize;
  if (isOfKind && amount !== undefined && amount >= 0 && amount <= Number.MAX_SAFE_INTEGER)
    return { name, amount, isSize, text, range, nameRange };
  problems.error('wrong-type', range, `"${name}" is ${amountRule(name)}.`);
  return { name, amount: undefined, isSize, text, range, nameRange };
}

function amountRule(name: string): string {
  const size = 'a size: 512KiB, 2MiB, 16GiB';
  if (name === 'memory') return size;
  return name === 'cpu' ? 'a number, 0 or more' : `a number, 0 or more, or ${size}`;
}
