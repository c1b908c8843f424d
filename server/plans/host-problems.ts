import { didYouMean } from './closest.ts';
import type { ParsedPlan, Problem } from './plan.ts';

const LOCAL = 'local';
/** A hint compares a word with every name, so only the first few unknown names get one. */
const HINT_LIMIT = 20;
const PROBLEM_LIMIT = 1000;

/**
 * The hosts that a plan names and its user has not. Others may have them: the plan is not wrong, and
 * such a task waits nowhere but here.
 */
export function hostProblems(
  { hosts = [], problems }: Pick<ParsedPlan, 'hosts' | 'problems'>,
  known: readonly string[],
): readonly Problem[] {
  const names = new Set([LOCAL, ...known]);
  const said = new Set(
    problems.flatMap(({ code, range }) => (code === 'unknown-host' ? range.start : [])),
  );
  return hosts
    .filter(({ text, range }) => !names.has(text) && !said.has(range.start))
    .slice(0, PROBLEM_LIMIT)
    .map(({ text, range }, count) => ({
      code: 'unknown-host',
      severity: 'warning',
      message: count < HINT_LIMIT ? noSuchHost(text, known) : `"${text}" ${notAmong(known)}.`,
      range,
      related: [],
    }));
}

/** What to tell whoever names a host that they have not. */
export function noSuchHost(name: string, known: readonly string[]): string {
  return `"${name}" ${notAmong(known)}.${didYouMean(name, known)}`;
}

/** The rest of a sentence about a name. */
export function notAmong(known: readonly string[]): string {
  const which = known.length === 0 ? 'you have none' : known.slice(0, 10).join(', ');
  return `is not among your hosts (${which}${known.length > 10 ? ', …' : ''}): name it in the setting interlock.hosts`;
}
