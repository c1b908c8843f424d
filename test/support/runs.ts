import { assert } from '../../server/domain/assert.ts';
import { parseRunId, parseTaskId, type RunId, type TaskId } from '../../server/domain/ids.ts';
import type { RunManifest } from '../../server/domain/run.ts';
import type { TaskDefinition } from '../../server/domain/task.ts';
import { instant } from '../../server/domain/time.ts';

export function taskId(text: string): TaskId {
  const id = parseTaskId(text);
  assert(id !== undefined, `"${text}" is a task id`);
  return id;
}

export function runId(number: number): RunId {
  const id = parseRunId(`run-${String(number).padStart(6, '0')}`);
  assert(id !== undefined, 'a numbered run id is a run id');
  return id;
}

/** A task that runs `true`, with what the test cares about put in. */
export function definition(id: string, fields: Partial<TaskDefinition> = {}): TaskDefinition {
  return {
    id: taskId(id),
    title: '',
    command: { kind: 'shell', script: 'true' },
    cwd: '',
    env: {},
    dependsOn: [],
    after: [],
    reads: [],
    writes: [],
    ...fields,
  };
}

export function manifest(number: number, fields: Partial<RunManifest> = {}): RunManifest {
  return {
    id: runId(number),
    root: '/project',
    plan: 'interlock.yaml',
    planHash: 'hash',
    selection: [],
    requestedBy: 'test',
    requestedAt: instant(number),
    policy: { parallel: 10, failFast: false },
    tasks: [definition('a'), definition('b')],
    ...fields,
  };
}
