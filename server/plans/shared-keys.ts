import { isScalar, type Pair } from 'yaml';
import { unreachable } from '../domain/assert.ts';
import { boundedLease, type Timeout } from '../domain/asks.ts';
import type { RetryPolicy } from '../domain/failure/retry.ts';
import { refusePath } from '../domain/paths/relative-path.ts';
import { parsePriority, PRIORITIES, type Priority } from '../domain/priority.ts';
import { readRetry, readTimeout } from './failure-keys.ts';
import type { SharedKey } from './keys.ts';
import { type Amount, readResources } from './limits.ts';
import { readDuration, readTimeLimit } from './yaml-numbers.ts';
import { readList, readText, readTextMap, refuseWord } from './yaml-values.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const CAPABILITY = /^[A-Za-z0-9][\w.@:/+-]{0,63}$/;

/** What a task or `defaults` say by the keys that both have; what could not be read is left out. */
export interface SharedFields {
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  priority?: Priority | undefined;
  resources?: readonly Amount[] | undefined;
  needs?: readonly string[] | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  timeout?: Timeout | undefined;
  stuckAfterMs?: number | undefined;
  leaseMs?: number | undefined;
}

export function readSharedKey(
  key: SharedKey,
  { pair, fields }: { readonly pair: Pair; readonly fields: SharedFields },
  problems: ProblemList,
): void {
  switch (key) {
    case 'cwd':
      fields.cwd = readFolder(pair, problems);
      break;
    case 'env':
      fields.env = readEnvironment(pair, problems);
      break;
    case 'priority':
      fields.priority = readPriority(pair, problems);
      break;
    case 'resources':
      fields.resources = readResources(pair, problems);
      break;
    case 'needs':
      fields.needs = readNeeds(pair, problems);
      break;
    case 'retry':
      fields.retry = readRetry(pair, problems);
      break;
    case 'timeout':
      fields.timeout = readTimeout(pair, problems);
      break;
    case 'stuck_after':
      fields.stuckAfterMs = readTimeLimit(pair, problems);
      break;
    case 'lease':
      fields.leaseMs = readLease(pair, problems);
      break;
    default:
      unreachable(key);
  }
}

function readFolder(pair: Pair, problems: ProblemList): string | undefined {
  const text = readText(pair.value, 'cwd', problems);
  if (text === undefined || text === '.') return text && '';
  const refusal = refusePath(text);
  if (refusal !== undefined) problems.error('invalid-path', rangeOf(pair.value), refusal);
  return text;
}

function readEnvironment(pair: Pair, problems: ProblemList): Readonly<Record<string, string>> {
  const env: [string, string][] = [];
  for (const { name, value } of readTextMap(pair, 'env', problems)) {
    if (!ENV_NAME.test(name.text))
      problems.error(
        'wrong-type',
        name.range,
        'A variable name has letters, digits and "_", and no digit first.',
      );
    else if (name.text.startsWith('INTERLOCK_'))
      problems.error(
        'wrong-type',
        name.range,
        'Names that start with INTERLOCK_ are set by Interlock itself.',
      );
    else env.push([name.text, value]);
  }
  // An assignment would lose the name `__proto__`.
  return Object.fromEntries(env);
}

function readPriority(pair: Pair, problems: ProblemList): Priority | undefined {
  const priority = isScalar(pair.value) ? parsePriority(scalarText(pair.value)) : undefined;
  if (priority === undefined)
    refuseWord(pair, { words: PRIORITIES, also: ['urgent', 'medium'] }, problems);
  return priority;
}

function readNeeds(pair: Pair, problems: ProblemList): readonly string[] {
  const mentions = readList(pair, 'capabilities', problems);
  return mentions.flatMap(({ text, range }) => {
    if (CAPABILITY.test(text)) return text;
    const rule =
      'A capability starts with a letter or digit and has at most 64 of: letters, digits, "_" "." "@" ":" "/" "+" "-".';
    problems.error('wrong-type', range, rule);
    return [];
  });
}

function readLease(pair: Pair, problems: ProblemList): number | undefined {
  const leaseMs = readDuration(pair, problems);
  if (leaseMs === undefined || boundedLease(leaseMs) === leaseMs) return leaseMs;
  problems.error('wrong-type', rangeOf(pair.value), '"lease" is from 1s to 24h.');
  return undefined;
}
