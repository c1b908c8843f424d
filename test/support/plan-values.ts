import type { ParsedPlan, PlanTask } from '../../server/plans/plan.ts';

/** All that a plan says, as plain values that can be compared. */
export function valuesOf(plan: ParsedPlan): ParsedPlan {
  return { ...plan, tasks: plan.tasks.map(taskValues) };
}

/** A task works out its places when it is asked for them; here they are all there. */
export function taskValues(task: PlanTask): PlanTask {
  return {
    ...task,
    idRange: task.idRange,
    range: task.range,
    dependsOnMentions: task.dependsOnMentions,
    afterMentions: task.afterMentions,
    readMentions: task.readMentions,
    writeMentions: task.writeMentions,
    inherited: task.inherited,
  };
}
