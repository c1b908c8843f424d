import type { ParsedPlan } from '../../server/plans/plan.ts';

/** All that a plan says, as plain values that can be compared: tasks work out their places when asked. */
export function valuesOf(plan: ParsedPlan): unknown {
  return {
    ...plan,
    tasks: plan.tasks.map((task) => ({
      ...task,
      idRange: task.idRange,
      range: task.range,
      dependsOnMentions: task.dependsOnMentions,
      afterMentions: task.afterMentions,
      readMentions: task.readMentions,
      writeMentions: task.writeMentions,
      inherited: task.inherited,
    })),
  };
}
