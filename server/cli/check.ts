import path from 'node:path';
import { withHostWarnings } from '../board/host-warnings.ts';
import { type LoadedPlan, PlanSet } from '../board/plan-set.ts';
import type { Problem } from '../plans/plan.ts';
import { positionsIn } from '../plans/positions.ts';
import type { Arguments, Terminal } from './terminal.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noPlan } from './no-plan.ts';
import { outLine, sayJson, sayRefused } from './say.ts';
import { sayHostProblems } from './say-host-problems.ts';
import { fileOf } from '../plans/plan-source.ts';

const PLAN_NAMES =
  'Plans are named interlock.yaml, interlock.yml, *.interlock.yaml, *.interlock.yml or .vscode/tasks.json; a board of kanban-md is a folder with a config.yml and its tasks.';

export function check(args: Arguments, terminal: Terminal): ExitCode {
  const { words, options, folder, isJson } = args;
  const world = terminal.world('check');
  const plans = new PlanSet(folder, world.files, { rules: world.rulesOf(folder) });
  plans.reload();
  if (plans.all.length === 0 && words.length === 0)
    return sayRefused(args, terminal, noPlan(folder));
  const paths = words.map((word) => relativePlan(folder, path.resolve(terminal.cwd, word)));
  const missing = words.find((_, index) => plans.planOf(paths[index] ?? '') === undefined);
  if (missing !== undefined) {
    const message = `"${missing}" is not a plan of this folder. ${PLAN_NAMES}`;
    return sayRefused(args, terminal, {
      kind: 'refused',
      why: 'unknown-plan',
      message,
      code: EXIT.usage,
    });
  }
  const isNamed = (file: string): boolean => paths.length === 0 || paths.includes(file);
  const chosen = plans.all.filter(({ files: written }) => written.some(isNamed));
  const isQuiet = options['quiet'] === true;
  const isShown = ({ severity }: Problem): boolean => !isQuiet || severity === 'error';
  const problemsOf = (plan: LoadedPlan): readonly PlacedProblem[] =>
    // Of a board each of its files can be meant, or all of it.
    placedProblems(plan, isShown).filter(({ file }) => isNamed(plan.path) || isNamed(file));
  const found = chosen.flatMap((plan) => problemsOf(withHostWarnings(plan, world.hosts)));
  if (isJson) sayJson(terminal, { plans: chosen.map((plan) => plan.path), problems: found });
  else for (const problem of found) outLine(terminal, problemLine(problem));
  if (found.some(({ code }) => code === 'unknown-host')) sayHostProblems(terminal, world.hosts);
  // What only an editor can do is no mistake of the plan, nor is it who has which hosts.
  const isRight = chosen.flatMap(problemsOf).every(({ severity }) => severity === 'hint');
  return isRight ? EXIT.done : EXIT.failed;
}

function relativePlan(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}

export function problemLine(problem: PlacedProblem): string {
  const { file, line, column, severity, code, message } = problem;
  return `${file}:${line}:${column} ${severity} ${code} ${message}`;
}

export interface PlacedProblem {
  readonly file: string;
  /** Both count from one, as editors show them. */
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

export function placedProblems(
  loaded: LoadedPlan,
  isWanted: (problem: Problem) => boolean = () => true,
): readonly PlacedProblem[] {
  const positions = positionsIn((file) => loaded.texts.get(file));
  return loaded.plan.problems.filter(isWanted).map(({ range, severity, code, message }) => {
    const file = fileOf(range, loaded);
    const { line, character } = positions(file).at(range.start);
    return { file, line: line + 1, column: character + 1, severity, code, message };
  });
}
