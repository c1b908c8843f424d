import type { ParsedPlan, PlanTask } from '../../server/plans/plan.ts';

/** All that a plan says, as plain values that can be compared. */
export function valuesOf(plan: ParsedPlan): ParsedPlan {
  return { ...plan, tasks: plan.tasks.map(taskValues) };
}

/** A task of a plan that is edited has nothing but its place until it is asked; here everything is there. */
export function taskValues(task: PlanTask): PlanTask {
  return {
    ...task,
    id: task.id,
    title: task.title,
    command: task.command,
    cwd: task.cwd,
    env: task.env,
    dependsOn: task.dependsOn,
    after: task.after,
    reads: task.reads,
    writes: task.writes,
    asks: task.asks,
    idRange: task.idRange,
    range: task.range,
    dependsOnMentions: task.dependsOnMentions,
    afterMentions: task.afterMentions,
    readMentions: task.readMentions,
    writeMentions: task.writeMentions,
    inherited: task.inherited,
  };
}
