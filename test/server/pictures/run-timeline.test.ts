import { expect, test } from 'vitest';
import type { TimelineSpan } from '../../../protocol/timeline.ts';
import type { TaskId } from '../../../server/domain/ids.ts';
import type { RunManifest } from '../../../server/domain/run.ts';
import type { TaskDefinition, TaskEvent } from '../../../server/domain/task.ts';
import { instant } from '../../../server/domain/time.ts';
import { summaryOf, timelineOf } from '../../../server/pictures/run-timeline.ts';
import { fileRivalsOf } from '../../../server/pictures/waits.ts';
import type { BoardEvent } from '../../../server/scheduler/model/board-event.ts';
import { runId } from '../../support/runs.ts';
import { taskId, workerId } from '../../support/snapshots.ts';

const RUN = runId(1);

type Rough = Partial<Omit<TaskDefinition, 'dependsOn' | 'after'>> & {
  readonly dependsOn?: readonly string[];
  readonly after?: readonly string[];
};

function definition(id: string, said: Rough): TaskDefinition {
  const task = { title: '', command: undefined, cwd: '', env: {}, reads: [], writes: [], ...said };
  return { ...task, id: taskId(id), dependsOn: idsOf(said.dependsOn), after: idsOf(said.after) };
}

function idsOf(names: readonly string[] = []): readonly TaskId[] {
  return names.map(taskId);
}

/** `5 a claim`, `5 a claim host`, `7 a start`, `9 a done`, `9 a fail 12`, `3 pause`, `20 end`. */
function eventsOf(script: string): readonly BoardEvent[] {
  const terms = new Map<string, number>();
  let minted = 0;
  return script.split(/, */).map((line): BoardEvent => {
    const [time = '', what = '', verb = what, more] = line.split(' ');
    const at = instant(Number(time));
    if (what === 'pause' || what === 'resume')
      return { kind: what === 'pause' ? 'boardPaused' : 'boardResumed', at };
    if (what === 'end') return { kind: 'runFinished', at, run: RUN, outcome: 'completed' };
    if (verb === 'claim') terms.set(what, (minted += 1));
    const term = terms.get(what) ?? 0;
    const events: Readonly<Record<string, TaskEvent>> = {
      claim: { kind: 'taskClaimed', term, at, worker: workerId(`runner/${more ?? 'local'}`) },
      start: { kind: 'taskStarted', term, at },
      done: { kind: 'taskCompleted', term, at },
      fail: {
        kind: 'taskFailed',
        term,
        at,
        failure: { kind: 'exit', code: 3 },
        ...(verb === 'fail' && more !== undefined && { retryAt: instant(Number(more)) }),
      },
      lose: { kind: 'taskLost', term, at, cause: 'killed' },
      skip: { kind: 'taskSkipped', at, because: taskId('a') },
      ask: { kind: 'taskAsked', term, at },
      retry: { kind: 'taskRetried', at },
    };
    return { kind: 'taskMoved', run: RUN, task: taskId(what), event: events[verb]! };
  });
}

const EMPTY: RunManifest = {
  id: RUN,
  root: '/project',
  plan: 'interlock.yaml',
  planHash: '',
  selection: [],
  requestedBy: 'test',
  requestedAt: instant(0),
  policy: { parallel: 1, failFast: false, limits: {} },
  tasks: [],
};

interface Case {
  readonly tasks: Readonly<Record<string, Rough>>;
  readonly parallel?: number;
  readonly limits?: Readonly<Record<string, number>>;
  readonly script: string;
  readonly shown: readonly string[];
}

/** Each row as `a: dependencies(b) 0-5, running 5-9 completed`. */
function check(name: string, { tasks, parallel = 9, limits = {}, script, shown }: Case): void {
  test(name, () => {
    const manifest: RunManifest = {
      ...EMPTY,
      policy: { parallel, failFast: false, limits },
      tasks: Object.entries(tasks).map(([id, said]) => definition(id, said)),
    };
    const { rows } = timelineOf({
      folderUri: 'file:///project',
      record: { manifest, status: 'active', outcome: undefined, finishedAt: undefined },
      events: eventsOf(script),
      rivals: fileRivalsOf(manifest, { foldCase: false }),
      stateOf: () => undefined,
      nowAt: 100,
    });
    const lines = rows.map(({ id, spans, marks }) =>
      [
        `${id}: ${spans.map(spanText).join(', ')}`,
        ...marks.map(({ at, kind }) => `${kind} ${at}`),
      ].join('; '),
    );
    expect(lines).toEqual(shown);
  });
}

function spanText(span: TimelineSpan): string {
  const time = `${span.from}-${span.to ?? ''}`;
  if (span.kind === 'waiting') {
    const names = span.names.length === 0 ? '' : `(${span.names.join(' ')})`;
    return `${span.cause}${names} ${time}`;
  }
  if (span.kind === 'attention') return `attention ${time}`;
  return `${span.kind} ${time}${span.end === undefined ? '' : ` ${span.end}`}`;
}

check('a task waits for others, runs, and ends', {
  tasks: { a: {}, b: { dependsOn: ['a'] } },
  script: '0 a claim, 1 a start, 5 a done, 5 b claim, 6 b start, 9 b fail, 9 end',
  shown: [
    'a: claimed 0-1, running 1-5 completed',
    'b: dependencies(a) 0-5, claimed 5-6, running 6-9 failed',
  ],
});

check('what goes on has no end, and a finish is enough for "after"', {
  tasks: { a: {}, b: { after: ['a'] }, c: { dependsOn: ['a'] } },
  script: '0 a claim, 0 a start, 4 a fail, 4 c skip, 4 b claim, 5 b start',
  shown: [
    'a: claimed 0-0, running 0-4 failed',
    'b: dependencies(a) 0-4, claimed 4-5, running 5-',
    'c: dependencies(a) 0-4; skipped 4',
  ],
});

check('who waits for a file names who had it, once nothing else is in the way', {
  tasks: { a: { writes: ['src/**'] }, b: { writes: ['src/x'] }, c: { writes: ['other'] } },
  script: '0 a claim, 0 a start, 0 c claim, 0 c start, 6 a done, 6 b claim, 6 b start',
  shown: [
    'a: claimed 0-0, running 0-6 completed',
    'b: files(a) 0-6, claimed 6-6, running 6-',
    'c: claimed 0-0, running 0-',
  ],
});

check('limits and places are counted from what ran', {
  tasks: { a: { asks: { resources: { db: 1 } } }, b: { asks: { resources: { db: 1 } } }, c: {} },
  parallel: 1,
  limits: { db: 1 },
  script: '0 a claim, 0 a start, 5 a done, 7 b claim, 7 b start',
  shown: [
    'a: claimed 0-0, running 0-5 completed',
    'b: limits(db) 0-5, turn 5-7, claimed 7-7, running 7-',
    'c: parallel 0-5, turn 5-7, parallel 7-',
  ],
});

check('who is on a host takes no place here, and waits for none', {
  tasks: { a: { asks: { hosts: ['h1'] } }, b: {}, c: {}, d: { asks: { hosts: ['h1'] } } },
  parallel: 1,
  script: '0 a claim h1, 0 a start, 2 b claim, 2 b start, 5 b done, 5 c claim, 5 c start',
  shown: [
    'a: claimed 0-0, running 0-',
    'b: turn 0-2, claimed 2-2, running 2-5 completed',
    'c: turn 0-2, parallel 2-5, claimed 5-5, running 5-',
    'd: turn 0-',
  ],
});

check('a retry waits for its backoff, and a pause comes before all else', {
  tasks: { a: {} },
  script:
    '0 a claim, 0 a start, 2 a fail 8, 3 pause, 5 resume, 8 a claim, 8 a start, 9 a lose, 12 a retry',
  shown: [
    'a: claimed 0-0, running 0-2 failed, backoff 2-3, paused 3-5, backoff 5-8, claimed 8-8, ' +
      'running 8-9 lost, attention 9-12, turn 12-; retried 12',
  ],
});

check('a question is a claim given back, and a person has to look', {
  tasks: { a: {} },
  script: '0 a claim, 0 a start, 3 a ask',
  shown: ['a: claimed 0-0, running 0-3 released, attention 3-'],
});

check('an event of an earlier term changes nothing', {
  tasks: { a: {} },
  script: '0 a claim, 0 a start, 3 a done, 4 a fail, 5 end',
  shown: ['a: claimed 0-0, running 0-3 completed'],
});

test('a timeline has the name by which its plan is known, whatever there is in it', () => {
  const manifest = { ...EMPTY, plan: 'a\u202Eb.yaml', requestedBy: 'k\u202Eim' };
  const record = { manifest, status: 'active', outcome: undefined, finishedAt: undefined } as const;
  const { plan, requestedBy } = summaryOf('file:///project', record);
  expect([plan, requestedBy]).toEqual(['a\u202Eb.yaml', 'k im']);
});
