import { isMap, isScalar, isSeq, type Pair } from 'yaml';
import type { Timeout } from '../domain/asks.ts';
import type { RetryPolicy } from '../domain/failure/retry.ts';
import { RETRY_KEYS, TIMEOUT_KEYS } from './keys.ts';
import { said } from './said.ts';
import { readCountIn, readDuration, readNumberIn, readTimeLimit } from './yaml-numbers.ts';
import { keyText, readKeys } from './yaml-values.ts';
import { type ProblemList, rangeOf } from './yaml-document.ts';

const ATTEMPTS = { from: 1, to: 1000 };
const FACTORS = { from: 1, to: 100 };
const LAST_EXIT_CODE = 2 ** 32 - 1;

type Written<Fields> = { -readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** Only what the plan says. */
export function readRetry(pair: Pair, problems: ProblemList): Partial<RetryPolicy> {
  const retry: Written<RetryPolicy> = {};
  const what = { table: RETRY_KEYS, example: '{ attempts: 2 }' };
  for (const item of readKeys(pair, what, problems))
    switch (keyText(item)) {
      case 'attempts':
        retry.attempts = readCountIn(item, ATTEMPTS, problems);
        break;
      case 'backoff':
        retry.backoffMs = readDuration(item, problems);
        break;
      case 'factor':
        retry.factor = readNumberIn(item, FACTORS, problems);
        break;
      case 'max':
        retry.maxMs = readDuration(item, problems);
        break;
      case 'on':
        retry.on = readExitCodes(item, problems);
        break;
      default:
    }
  return said(retry);
}

/** One limit is the hard one. */
export function readTimeout(pair: Pair, problems: ProblemList): Timeout {
  if (!isMap(pair.value)) return said({ hardMs: readTimeLimit(pair, problems) });
  const what = { table: TIMEOUT_KEYS, example: '{ soft: 10m, hard: 12m }' };
  let [soft, hard]: [Pair | undefined, Pair | undefined] = [undefined, undefined];
  for (const item of readKeys(pair, what, problems))
    if (keyText(item) === 'soft') soft = item;
    else hard = item;
  const softMs = soft && readTimeLimit(soft, problems);
  const hardMs = hard && readTimeLimit(hard, problems);
  if (softMs !== undefined && hardMs !== undefined && softMs > hardMs)
    problems.add({
      code: 'contradiction',
      severity: 'error',
      message: 'The soft limit comes before the hard one.',
      range: rangeOf(soft?.value),
      related: [{ range: rangeOf(hard?.value), message: 'This is the hard limit.' }],
    });
  return said({ softMs, hardMs });
}

function readExitCodes(pair: Pair, problems: ProblemList): readonly number[] | undefined {
  if (!isSeq(pair.value)) {
    const source = isScalar(pair.value) ? (pair.value.source ?? '') : '';
    const hint = source === '' ? '' : ` Put it in brackets: [${source}].`;
    problems.error('wrong-type', rangeOf(pair.value), `"on" is a list of exit codes.${hint}`);
    return undefined;
  }
  return pair.value.items.flatMap((item) => {
    const code = isScalar(item) ? item.value : undefined;
    if (Number.isInteger(code) && Number(code) >= 1 && Number(code) <= LAST_EXIT_CODE)
      return Number(code);
    // Zero is no failure; Windows has codes of 32 bits.
    const rule = `The exit code of a failure is a whole number from 1 to ${LAST_EXIT_CODE}.`;
    problems.error('wrong-type', rangeOf(item), rule);
    return [];
  });
}
