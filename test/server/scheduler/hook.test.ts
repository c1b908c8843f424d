import { expect, test } from 'vitest';
import type { RunId, TaskId, WorkerId } from '../../../server/domain/ids.ts';
import { instant } from '../../../server/domain/time.ts';
import { agentName } from '../../../server/scheduler/model/agent-identity.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import type { TaskAttempt } from '../../../server/scheduler/model/ownership.ts';
import { answerHook, type HookRequest } from '../../../server/scheduler/requests/hook.ts';
import { definition, manifest, runId } from '../../support/runs.ts';
import { AT, taskId, workerId } from '../../support/snapshots.ts';

const run = runId(1);
const ann = workerId('agent/ann');

interface Held {
  readonly worker?: WorkerId;
  readonly writes?: readonly string[];
}

/** A board of one run, in which an agent has the task `a`. */
function board({ worker = ann, writes = ['src/**'] }: Held = {}): BoardModel {
  const model = new BoardModel({ foldCase: false });
  const tasks = [definition('a', { asks: { doer: { kind: 'agent' } }, writes: [...writes] })];
  model.apply({ kind: 'runSubmitted', at: AT, manifest: manifest(1, { tasks }) });
  const claimed = { kind: 'taskClaimed', at: AT, term: 1, worker } as const;
  model.apply({ kind: 'taskMoved', run, task: taskId('a'), event: claimed });
  return model;
}

interface Says {
  readonly what?: HookRequest['what'];
  readonly as?: WorkerId;
  readonly name?: WorkerId;
  readonly marks?: readonly string[];
  readonly session?: string;
  readonly inside?: { readonly run: RunId; readonly task: TaskId };
}

/** What the hook of an agent is answered: its worker, and for each refused file who has it. */
function hook(model: BoardModel, paths: readonly string[], says: Says = {}): string {
  const { what = 'writes', marks = [], session = 's1', inside, ...named } = says;
  const { reply, events } = answerHook(
    model,
    {
      what,
      caller: { marks, session, ...named },
      tree: '/project',
      paths,
      forMs: 60_000,
      ...(inside && { inside }),
    },
    AT,
  );
  for (const event of events) expect(model.apply(event)).toBe('moved');
  const refused = reply.refused.map(({ path, lost, claims }) =>
    lost.length > 0
      ? `${path} was lost with ${lost.map(({ term }) => term).join(', ')}`
      : `${path} of ${claims.map(({ worker }) => worker).join(', ')}`,
  );
  return [reply.worker, ...refused].join(': ');
}

function taken(model: BoardModel): readonly string[] {
  return [...model.owners.people.values()].map(
    ({ worker, patterns }) => `${worker} ${patterns.writes.join(' ')}`,
  );
}

test('a file that another worker writes is refused, and the others are its own', () => {
  const model = board();
  const session = hook(model, ['README.md']);
  expect(session).toMatch(/^agent\/session-[0-9a-f]{8}$/);
  expect(hook(model, ['docs/x', 'src/a.ts'])).toBe(`${session}: src/a.ts of agent/ann`);
  expect(taken(model)).toEqual([`${session} README.md`, `${session} docs/x`]);
  expect(hook(model, ['docs/x'], { session: 's2' })).toMatch(/docs\/x of agent\/session-/);
});

test('said again it takes nothing more, and at the end of the turn its own files are free', () => {
  const model = board();
  hook(model, ['README.md']);
  hook(model, ['README.md']);
  hook(model, ['other'], { session: 's2' });
  expect(taken(model)).toHaveLength(2);
  hook(model, [], { what: 'over' });
  expect(taken(model)).toEqual([expect.stringMatching(/ other$/)]);
});

test('what the task of an agent writes is its own, and taken by the task only', () => {
  const model = board();
  expect(hook(model, ['src/a.ts'], { as: ann })).toBe('agent/ann');
  expect(hook(model, ['src/a.ts'], { inside: { run, task: taskId('a') } })).toMatch(/^[^:]+$/);
  expect(taken(model)).toEqual([]);
});

test('a file that a person is editing is refused, but not for the task that the person let start', () => {
  const model = board();
  const own = (lets: readonly TaskAttempt[]): string =>
    model.apply({
      kind: 'pathsOwned',
      at: AT,
      id: 'buffer/1',
      worker: workerId('person/kim'),
      tree: '/project',
      reads: [],
      writes: ['src/a.ts'],
      isUnsaved: true,
      lets,
    });
  const inside = { run, task: taskId('a') };
  expect(own([])).toBe('moved');
  expect(hook(model, ['src/a.ts'], { as: ann })).toBe('agent/ann: src/a.ts of person/kim');
  expect(hook(model, ['src/a.ts'], { inside })).toContain('person/kim');
  expect(own([{ ...inside, revision: 1, attempt: 2 }])).toBe('moved');
  expect(hook(model, ['src/a.ts'], { as: ann })).toContain('person/kim');
  expect(own([{ ...inside, revision: 1, attempt: 1 }])).toBe('moved');
  expect(hook(model, ['src/a.ts'], { as: ann })).toBe('agent/ann');
  expect(hook(model, ['src/a.ts'], { inside })).not.toContain('person/kim');
  expect(hook(model, ['src/a.ts'], { as: workerId('agent/bob') })).toContain('person/kim');
});

test('an agent that lost a task is refused its files until it knows, whoever has them now', () => {
  const model = board();
  const lost = { kind: 'taskLost', at: AT, term: 1, cause: 'lease-expired' } as const;
  expect(model.apply({ kind: 'taskMoved', run, task: taskId('a'), event: lost })).toBe('moved');
  const says = { as: ann } as const;
  expect(hook(model, ['src/a.ts', 'b'], says)).toBe('agent/ann: src/a.ts was lost with 1');
  expect(hook(model, ['src/a.ts'], says)).toContain('was lost');
  model.apply({ kind: 'lossesTold', at: AT, worker: ann, terms: [1] });
  expect(hook(model, ['src/a.ts'], says)).toBe('agent/ann');
});

test('a file that only others read, or write in another tree, may be written', () => {
  const model = board({ writes: ['!src/keep', 'lib/**'] });
  expect(hook(model, ['src/keep'])).not.toContain(' of ');
  model.apply({
    kind: 'pathsOwned',
    at: AT,
    id: 'far',
    worker: workerId('person/kim'),
    tree: '/elsewhere',
    reads: [],
    writes: ['far'],
    isUnsaved: false,
    until: instant(AT + 60_000),
  });
  expect(hook(model, ['far'])).not.toContain(' of ');
});

test('a hook is found by the session of its agent, then by what started both, then by its name', () => {
  const mark = '0123abcd';
  const named = workerId('agent/claude-1');
  const marked = workerId(`agent/${agentName('claude-code', { mark })}`);
  const ofSession = workerId(`agent/${agentName('codex', { mark, session: 's7' })}`);
  const at = board({ worker: marked });
  expect(hook(at, ['src/a'], { marks: ['ffff0000', mark] })).toBe(marked);
  expect(hook(at, ['src/a'], { marks: [mark], name: named })).toBe(marked);
  expect(hook(at, ['README.md'], { marks: [mark], as: named })).toBe(named);
  expect(hook(at, ['LICENSE'], { marks: ['ffff0000'], name: named })).toBe(named);
  const several = board({ worker: ofSession });
  expect(hook(several, ['src/a'], { marks: [], session: 's7' })).toBe(ofSession);
  // Another session of the same process is another worker.
  expect(hook(several, ['src/a'], { marks: [mark], session: 's8' })).toMatch(
    /^agent\/session-[0-9a-f]{8}: src\/a of agent\/codex:by-0123abcd:in-/,
  );
});
