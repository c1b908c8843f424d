import { isScalar, isSeq, type Pair } from 'yaml';
import { unreachable } from '../domain/assert.ts';
import type { Timeout } from '../domain/asks.ts';
import type { RetryPolicy } from '../domain/failure/retry.ts';
import type { Priority } from '../domain/priority.ts';
import { readRetry, readTimeout } from './failure-keys.ts';
import { type Amount, readResources } from './limits.ts';
import type { Mention } from './plan.ts';
import { pairsIn, readNamed, readValue } from './read-value.ts';
import { SHARED, type SharedKey, VARIABLES } from './schema/shared.ts';
import { type ProblemList, rangeOf, scalarText } from './yaml-document.ts';

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
  in?: 'process' | 'terminal' | 'tmux' | undefined;
  hosts?: readonly Mention[] | undefined;
}

export function readSharedKey(
  key: SharedKey,
  { pair, fields }: { readonly pair: Pair; readonly fields: SharedFields },
  problems: ProblemList,
): void {
  switch (key) {
    case 'cwd':
      fields.cwd = folderOf(readValue(pair, SHARED.cwd, problems));
      break;
    case 'env':
      fields.env = readEnvironment(pair, problems);
      break;
    case 'priority':
      fields.priority = readValue(pair, SHARED.priority, problems);
      break;
    case 'resources':
      fields.resources = readResources(pair, problems);
      break;
    case 'needs':
      fields.needs = readValue(pair, SHARED.needs, problems);
      break;
    case 'retry':
      fields.retry = readRetry(pair, problems);
      break;
    case 'timeout':
      fields.timeout = readTimeout(pair, problems);
      break;
    case 'stuck_after':
      fields.stuckAfterMs = readValue(pair, SHARED.stuck_after, problems);
      break;
    case 'lease':
      fields.leaseMs = readValue(pair, SHARED.lease, problems);
      break;
    case 'in':
      fields.in = readValue(pair, SHARED.in, problems);
      break;
    case 'on':
      fields.hosts = readHosts(pair, problems);
      break;
    case 'isolation':
      // Nothing acts on it yet, but what is wrong with it is said.
      readValue(pair, SHARED.isolation, problems);
      break;
    default:
      unreachable(key);
  }
}

/** One name, or a list of them. */
function readHosts(pair: Pair, problems: ProblemList): readonly Mention[] | undefined {
  const value = readValue(pair, SHARED.on, problems);
  if (value === undefined) return undefined;
  const right = new Set([value].flat());
  const nodes = isSeq(pair.value) ? pair.value.items : [pair.value];
  return nodes.flatMap((node) => {
    const text = isScalar(node) ? scalarText(node) : '';
    return right.has(text) ? { text, range: rangeOf(node) } : [];
  });
}

/** Nobody has a terminal of the editor on a host. */
export function refuseFarTerminal(
  { in: way, hosts = [] }: SharedFields,
  problems: ProblemList,
): void {
  const far = way === 'terminal' ? hosts.find(({ text }) => text !== LOCAL) : undefined;
  if (far === undefined) return;
  const message = `A terminal is on this machine, and not on "${far.text}": use "in: tmux", which you can attach to there, or leave out "on".`;
  problems.error('contradiction', far.range, message);
}

const LOCAL = 'local';

function readEnvironment(pair: Pair, problems: ProblemList): Readonly<Record<string, string>> {
  const named = readNamed(pairsIn(pair, VARIABLES, problems), VARIABLES, problems);
  // An assignment would lose the name `__proto__`.
  return Object.fromEntries(named.map(({ name, value }) => [name.text, value]));
}

/** `.` is the folder of the plan. */
function folderOf(path: string | undefined): string | undefined {
  return path === '.' ? '' : path;
}
