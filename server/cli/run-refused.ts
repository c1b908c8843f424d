import type { LoadedPlan } from '../board/plan-set.ts';
import type { Refusal, RunOptions } from '../board/run-choice.ts';
import { selectTasks, type Wanted } from '../board/select-tasks.ts';
import type { Problem, TextRange } from '../plans/plan.ts';
import { type PlacedProblem, placedProblems, problemLine } from './check.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { errLine, sayRefused } from './say.ts';
import type { Arguments, Terminal } from './terminal.ts';

interface RefusedRun {
  readonly refusal: Refusal;
  readonly plans: readonly LoadedPlan[];
  readonly options: Pick<RunOptions, 'plan' | 'tasks'>;
}

/** Why nothing runs, with the mistakes in the plans that are in the way of what was asked for. */
export function sayRunRefused(
  args: Arguments,
  terminal: Terminal,
  { refusal: { why, message }, plans, options }: RefusedRun,
): ExitCode {
  const isPlanWrong = PLAN_REFUSALS.has(why);
  const code = isPlanWrong ? EXIT.usage : EXIT.refused;
  const problems = isPlanWrong ? mistakesFor(plans, options) : [];
  const said = args.isJson && problems.length > 0 ? { problems } : {};
  sayRefused(args, terminal, { kind: 'refused', why, message, code, ...said });
  if (args.isJson || problems.length === 0) return code;
  for (const problem of problems) errLine(terminal, problemLine(problem));
  const left = plans.reduce((sum, { plan }) => sum + plan.problems.length, -problems.length);
  if (left > 0)
    errLine(terminal, `${left} more ${left === 1 ? 'problem' : 'problems'}: interlock check`);
  return code;
}

const PLAN_REFUSALS: ReadonlySet<Refusal['why']> = new Set([
  'cannot-start',
  'unknown-plan',
  'unknown-task',
  'nothing-to-run',
]);

/** Those of the tasks that were named and of what they need; of all tasks where none was named. */
function mistakesFor(
  plans: readonly LoadedPlan[],
  { plan: path, tasks: named }: RefusedRun['options'],
): readonly PlacedProblem[] {
  const isAll = named.length === 0;
  const isHere = (loaded: LoadedPlan, plan = path): boolean =>
    plan === undefined || plan === loaded.path;
  const meantIn = (loaded: LoadedPlan): ReadonlySet<string> =>
    new Set(named.filter(({ plan }) => isHere(loaded, plan)).map(({ id }) => id));
  const here = plans.filter((loaded) => (isAll ? isHere(loaded) : meantIn(loaded).size > 0));
  const wanted: Wanted = new Map(
    here.flatMap((loaded) => {
      const names = meantIn(loaded);
      const ids = loaded.plan.tasks.map(({ id }) => id).filter((id) => names.has(id));
      return isAll || ids.length > 0 ? [[loaded, ids] as const] : [];
    }),
  );
  const selected = selectTasks(plans, wanted);
  return [...new Set([...here, ...selected.keys()])].flatMap((loaded) => {
    const meant = selected.get(loaded)?.tasks ?? [];
    const ranges = meant.flatMap(({ range, inherited }) => [range, ...inherited]);
    const isMeant = ({ code, range }: Problem): boolean =>
      // Behind a slip of syntax anything may have been meant.
      (isAll && wanted.has(loaded)) ||
      code === 'syntax' ||
      ranges.some((outer) => isInside(range, outer));
    return placedProblems(loaded, (problem) => problem.severity === 'error' && isMeant(problem));
  });
}

function isInside(inner: TextRange, outer: TextRange): boolean {
  return inner.file === outer.file && outer.start <= inner.start && inner.end <= outer.end;
}
