import type { HostNames } from '../plans/host-problems.ts';
import { withHostWarnings } from '../board/host-warnings.ts';
import type { LoadedPlan } from '../board/plan-set.ts';
import { placedProblems } from './check.ts';

/** A key that is not acted on, a host that is not there: whoever wrote it relies on it in vain. */
const IN_VAIN = new Set(['unknown-key', 'not-yet', 'unknown-host']);
/** As many as anybody reads before a run. */
const SHOWN_LIMIT = 5;

/** Lines that say what is wrong with plans that are run all the same. */
export function warningLines(plans: readonly LoadedPlan[], hosts: HostNames): readonly string[] {
  const warnings = plans
    .map((plan) => withHostWarnings(plan, hosts))
    .filter(({ plan }) => plan.problems.some(({ severity }) => severity === 'warning'))
    .flatMap((plan) => placedProblems(plan))
    .filter(({ severity }) => severity === 'warning');
  const shown = warnings.filter(({ code }) => IN_VAIN.has(code)).slice(0, SHOWN_LIMIT);
  const lines = shown.map(
    ({ file, line, column, message }) => `${file}:${line}:${column} warning: ${message}`,
  );
  const left = warnings.length - shown.length;
  if (left === 0) return lines;
  const count = `${left}${shown.length > 0 ? ' more' : ''} warning${left === 1 ? '' : 's'}`;
  return [...lines, `${count}: interlock check shows ${left === 1 ? 'it' : 'them'}.`];
}
