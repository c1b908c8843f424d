import type { PlanInFolder, PlansOfFolder } from '../../server/language/plan-in-folder.ts';
import { analyzePlan } from '../../server/plans/analyze.ts';
import { PlanFolder } from './plan-folder.ts';
import { taskValues } from './plan-values.ts';
import type { AnalyzedPlan } from '../../server/plans/plan.ts';
import { namedPlan } from '../../server/plans/plan-names.ts';
import type { PlanSource } from '../../server/plans/plan-source.ts';
import { parseInterlockYaml } from '../../server/plans/interlock-yaml.ts';

/** The plans of a folder called "shop", by their paths. */
export function plansOfFolder(texts: Readonly<Record<string, string>>): PlansOfFolder {
  const analysis = new PlanFolder(texts);
  const plans = Object.entries(texts).map(([path, text]): PlanInFolder => ({
    path,
    kind: 'interlock',
    files: [path],
    texts: new Map([[path, text]]),
    plan: analysis.plan(path),
  }));
  return { plans };
}

/** A plan of another kind whose tasks are written in files of their own, each as a plan of one task. */
export function planOfFiles(
  kind: PlanSource['kind'],
  texts: Readonly<Record<string, string>>,
): PlanInFolder {
  const files = Object.keys(texts);
  const plans = Object.entries(texts).map(([file, text]) => ({ file, plan: analyzed(text) }));
  const [first] = plans;
  const tasks = plans.flatMap(({ file, plan }) =>
    plan.tasks.map((task) => ({
      ...taskValues(task),
      idRange: { ...task.idRange, file },
      range: { ...task.range, file },
      dependsOnMentions: task.dependsOnMentions.map(({ text, range }) => ({
        text,
        range: { ...range, file },
      })),
    })),
  );
  const path = files[0]!;
  const { knownAs } = namedPlan({ path, kind }, { written: undefined, folder: 'shop' });
  const plan = { ...first!.plan, knownAs, tasks };
  return { path, kind, files, texts: new Map(Object.entries(texts)), plan };
}

function analyzed(text: string): AnalyzedPlan {
  return analyzePlan(parseInterlockYaml(text), { foldCase: false });
}
