import { assert } from '../../../server/domain/assert.ts';
import { instant } from '../../../server/domain/time.ts';
import { expect, test } from 'vitest';
import { type BlockerDeed, deedFor } from '../../../server/board/blocker-deeds.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import type { Reason } from '../../../server/scheduler/model/reason.ts';
import { definition, manifest, runId, taskId } from '../../support/runs.ts';
import { workerId } from '../../support/snapshots.ts';

const NOW = instant(1000);
const A = taskId('a');
const B = taskId('b');

/** What counts of a deed; nothing where there is none. */
function check(name: string, reason: Reason, expected: Partial<BlockerDeed> | undefined): void {
  test(name, () => {
    const board = new BoardModel({ foldCase: false });
    const tasks = [definition('a'), definition('b')];
    board.apply({ kind: 'runSubmitted', at: NOW, manifest: manifest(1, { tasks }) });
    const entry = board.find(runId(1), A);
    assert(entry !== undefined, 'the task is there');
    const deed = deedFor(reason, entry);
    expect(deed === undefined).toBe(expected === undefined);
    expect(deed ?? {}).toMatchObject(expected ?? {});
  });
}

const hazard = {
  kind: 'hazard',
  overlap: 'write-write',
  rule: 'wait',
  worker: workerId('agent/a1'),
  example: 'src/x.ts',
  isInverted: false,
} as const;
const ofTask = { kind: 'task', run: runId(1), task: B } as const;

check(
  'an agent is asked for the file',
  { ...hazard, owner: ofTask },
  { kind: 'ask-release', worker: hazard.worker, path: 'src/x.ts' },
);
check(
  'a command hears nobody',
  { ...hazard, owner: ofTask, worker: workerId('runner/local') },
  { kind: 'show-task', task: B },
);
check(
  'what is left of a lost attempt is gone by itself',
  { ...hazard, owner: { ...ofTask, kind: 'leftover', term: 3 } },
  undefined,
);
check(
  'what a person has not saved is opened',
  { ...hazard, owner: { kind: 'person', id: 'x', isUnsaved: true } },
  { kind: 'open-file', path: 'src/x.ts' },
);
check(
  'what a person has taken is asked for',
  { ...hazard, owner: { kind: 'person', id: 'x', isUnsaved: false } },
  { kind: 'ask-release' },
);
check(
  'a question is answered',
  { kind: 'attention', why: 'asked', since: NOW },
  { kind: 'control', request: { kind: 'answer-task', run: runId(1), task: A } },
);
check(
  'whoever has failed too often is retried',
  { kind: 'attention', why: 'poisoned', since: NOW },
  { kind: 'control', request: { kind: 'retry-task', run: runId(1), task: A } },
);
check(
  'a task is shown that is waited for',
  { kind: 'dependencies', waitsFor: [B] },
  { kind: 'show-task', task: B },
);
check(
  'and run where nobody carries it on',
  { kind: 'dependencies', waitsFor: [A, B], interrupted: [B] },
  { kind: 'run-task', task: B },
);
const short = {
  kind: 'resources',
  name: 'db',
  asked: 1,
  used: 1,
  limit: 1,
  lostAt: [],
  isInverted: false,
} as const;
check(
  'who uses what is short is shown',
  { ...short, holders: [B] },
  { kind: 'show-task', task: B },
);
check(
  'where nobody does it is a matter of limits',
  { ...short, holders: [] },
  {
    kind: 'open-limits',
  },
);
