import { isScalar, type Pair } from 'yaml';
import { didYouMean } from './closest.ts';
import { movedRange } from './places.ts';
import type { ProblemCode, TextRange } from './plan.ts';
import { isName, pairsIn, readValue } from './read-value.ts';
import type { QuantitySchema } from './schema/kinds.ts';
import { LIMIT_NAME, LIMITS } from './schema/plan.ts';
import { AMOUNT, RESOURCES } from './schema/shared.ts';
import { keyText, type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

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

/** An amount that a task asks for; its places are so much further down in the text. */
export interface Request {
  readonly amount: Amount;
  readonly by: number;
}

export interface Limits {
  /** How many tasks run at once; absent: as many as the machine has cores. */
  readonly parallel: number | undefined;
  readonly amounts: ReadonlyMap<string, Amount>;
}

export const NO_LIMITS: Limits = { parallel: undefined, amounts: new Map() };

export function readLimits(pair: Pair, problems: ProblemList): Limits {
  const amounts = new Map<string, Amount>();
  let parallel: number | undefined;
  for (const item of pairsIn(pair, LIMITS, problems)) {
    const key = keyText(item);
    if (key === 'parallel') parallel = readValue(item, LIMITS.shape.parallel, problems);
    else if (key === 'queue') {
      const message = 'This version does not act on the limit "queue" yet.';
      problems.warning('not-yet', rangeOf(item.key), message);
      readValue(item, LIMITS.shape.queue, problems);
    } else if (isName(item, LIMIT_NAME, problems)) {
      warnOfSlip(item, problems);
      amounts.set(key, readAmount(item, problems));
    }
  }
  return { parallel, amounts };
}

/** Any name is right, and yet a limit of its own is hardly what "memroy" was meant to be. */
function warnOfSlip({ key }: Pair, problems: ProblemList): void {
  const name = isScalar(key) ? scalarText(key) : '';
  const known = Object.keys(LIMITS.shape);
  // As close to "cpu" as "gpu" is many a name of three letters.
  const hint = name.length < 5 || known.includes(name) ? '' : didYouMean(name, known);
  if (hint === '') return;
  const message = `"${name}" is a limit of your own.${hint}`;
  problems.warning('unknown-key', rangeOf(key), message);
}

/** What a task takes of the limits; `checkRequests` compares it with what there is. */
export function readResources(pair: Pair, problems: ProblemList): readonly Amount[] {
  return pairsIn(pair, RESOURCES, problems).map((item) => readAmount(item, problems));
}

/** Reports what there is not, or not so much of: a task that asks for it could never start. */
export function checkRequests(
  requests: readonly Request[],
  limits: Limits,
  problems: ProblemList,
): void {
  const names = [...OF_MACHINE, ...limits.amounts.keys()];
  let hints = 0;
  for (const request of requests) {
    const { name } = request.amount;
    const nameRange = movedRange(request.amount.nameRange, request.by);
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

function checkRequest({ amount: asked, by }: Request, limit: Amount, problems: ProblemList): void {
  const { name, amount, text } = asked;
  const related = [{ range: limit.range, message: 'This is how much there is.' }];
  const refuse = (code: ProblemCode, message: string): void =>
    problems.add({ code, severity: 'error', message, range: movedRange(asked.range, by), related });
  if (amount === undefined) return;
  if (limit.amount === undefined) {
    // Of what the machine has, that is what counts then.
    if (!OF_MACHINE.includes(name))
      refuse('unknown-limit', `Nobody can say how much there is of "${name}".`);
  } else if (amount > limit.amount)
    refuse('too-much', `"${name}" is limited to ${limit.text}, and this asks for ${text}.`);
  else if (asked.isSize !== limit.isSize && amount > 0)
    refuse('wrong-type', `"${name}" is limited to ${limit.text}; ${text} is not of that kind.`);
}

function readAmount(pair: Pair, problems: ProblemList): Amount {
  const name = keyText(pair);
  const quantity = readValue(pair, quantityOf(name), problems);
  return {
    name,
    amount: quantity?.amount,
    isSize: quantity?.isSize ?? false,
    text: isScalar(pair.value) ? scalarText(pair.value) : '',
    range: rangeOf(pair.value),
    nameRange: rangeOf(pair.key),
  };
}

function quantityOf(name: string): QuantitySchema {
  const { cpu, memory } = RESOURCES.shape;
  if (name === 'cpu') return cpu.def.innerType;
  return name === 'memory' ? memory.def.innerType : AMOUNT;
}
