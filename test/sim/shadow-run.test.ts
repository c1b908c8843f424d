import { expect, test } from 'vitest';
import { instant } from '../../server/domain/time.ts';
import { RunModel } from '../../server/scheduler/model/run-model.ts';
import { reviseRun } from '../../server/scheduler/model/run-revision.ts';
import { definition, manifest, taskId } from '../support/runs.ts';
import { reviseShadow } from './shadow-run.ts';
import { ShadowFacts, ShadowRun } from './shadow-task.ts';

test('the shadow and the board agree of a task that leaves the plan and comes back', () => {
  const [a, b] = [definition('a'), definition('b')];
  const plan = manifest(1, { tasks: [a, b] });
  const facts = new ShadowFacts();
  facts.runs.set(plan.id, new ShadowRun(plan));
  let run = new RunModel(plan, { stateOf: () => undefined, at: instant(0) });
  const revisions = [[b], [a, b], [b], [a, b], [a]].map((tasks) => {
    const event = { kind: 'runRevised', at: instant(1), run: plan.id, tasks } as const;
    reviseShadow(facts, event);
    run = reviseRun(run, event);
    const shadow = facts.find(plan.id, taskId('a'))?.revision;
    expect(run.find(taskId('a'))?.state.tries.revision).toBe(shadow);
    return shadow;
  });
  expect(revisions).toEqual([undefined, 2, undefined, 3, 3]);
});
