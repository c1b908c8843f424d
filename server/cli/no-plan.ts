import { noSuchPlan, noSuchTask } from '../board/no-such-task.ts';
import type { PlanSet } from '../board/plan-set.ts';
import { EXIT } from './exit-code.ts';
import type { TaskName } from './find-task.ts';
import type { Refused } from './say.ts';

/** Every command says the same of it. */
export function noPlan(folder: string): Refused {
  const message = `There is no plan in ${folder}. "interlock init" writes a small interlock.yaml there, which you can change.`;
  return { kind: 'refused', why: 'no-plan', message, code: EXIT.usage };
}

interface Lookup {
  readonly folder: string;
  readonly plans: PlanSet;
  readonly name: Pick<TaskName, 'task' | 'plan'>;
}

/** Why the plans do not have a task; nothing when they do. */
export function whyUnknown({ folder, plans, name }: Lookup): Refused | undefined {
  const { task, plan } = name;
  if (plans.all.length === 0) return noPlan(folder);
  const meant = plans.all.filter(({ path }) => path === (plan ?? path));
  if (meant.length === 0) return wrong('unknown-plan', noSuchPlan(plan ?? '', plans.all));
  if (meant.some((each) => each.plan.tasks.some(({ id }) => id === task))) return undefined;
  const where = plan === undefined ? '' : ` in ${plan}`;
  return wrong('unknown-task', noSuchTask(task, meant, where));
}

function wrong(why: string, message: string): Refused {
  return { kind: 'refused', why, message, code: EXIT.usage };
}
