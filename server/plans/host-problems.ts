import { didYouMean } from './closest.ts';
import type { ParsedPlan, Problem } from './plan.ts';

/** What the user's settings say of hosts, as far as it is about names. */
export interface HostNames {
  readonly hosts: readonly { readonly name: string }[];
  /** Those that never come back. */
  readonly gone: readonly string[];
}

const LOCAL = 'local';
/** A hint compares a word with every name, so only the first few unknown names get one. */
const HINT_LIMIT = 20;
const PROBLEM_LIMIT = 1000;
const NAMED_LIMIT = 10;

/**
 * The hosts that a plan names and its user has not. Others may have them: the plan is not wrong, and
 * such a task waits nowhere but here.
 */
export function hostProblems(
  { hosts = [], problems }: Pick<ParsedPlan, 'hosts' | 'problems'>,
  known: HostNames,
): readonly Problem[] {
  const names = new Set([LOCAL, ...namesOf(known)]);
  const said = new Set(
    problems.flatMap(({ code, range }) => (code === 'unknown-host' ? range.start : [])),
  );
  return hosts
    .filter(({ text, range }) => !names.has(text) && !said.has(range.start))
    .slice(0, PROBLEM_LIMIT)
    .map(({ text, range }, count) => ({
      code: 'unknown-host',
      severity: 'warning',
      message: noSuchHost(text, known, { hasHint: count < HINT_LIMIT }),
      range,
      related: [],
    }));
}

/** What to tell whoever names a host that they have not. */
export function noSuchHost(name: string, known: HostNames, { hasHint = true } = {}): string {
  if (known.gone.includes(name))
    return `"${name}" is gone for ever, as your settings say: choose another host, or take "gone" out where it is named.`;
  const names = namesOf(known);
  const which = names.length === 0 ? 'you have none' : names.slice(0, NAMED_LIMIT).join(', ');
  const more = names.length > NAMED_LIMIT ? ', …' : '';
  const hint = hasHint ? didYouMean(name, names) : '';
  return `"${name}" is not among your hosts (${which}${more}): name it in the setting interlock.hosts.${hint}`;
}

function namesOf({ hosts }: HostNames): readonly string[] {
  return hosts.map(({ name }) => name);
}
