import { expect, test } from 'vitest';
import { instant } from '../../../server/domain/time.ts';
import { boardOf, factsOf } from '../../../server/scheduler/model/board-facts.ts';
import { BoardModel } from '../../../server/scheduler/model/board-model.ts';
import type { OwnerName, ReleaseAsk } from '../../../server/scheduler/model/ownership.ts';
import { answerRelease } from '../../../server/scheduler/requests/ask-release.ts';
import { answerOwn } from '../../../server/scheduler/requests/own.ts';
import { definition, manifest, runId } from '../../support/runs.ts';
import { AT, taskId, workerId } from '../../support/snapshots.ts';

const run = runId(1);
const [ann, bob, kim] = [workerId('agent/ann'), workerId('person/bob'), workerId('person/kim')];
const RULES = { foldCase: false };
const OF_TASK: OwnerName = { kind: 'task', run, task: taskId('a') };
const OF_BOB: OwnerName = { kind: 'person', id: 'bob-1', isUnsaved: false };

function board(holder = ann): BoardModel {
  const model = new BoardModel(RULES);
  const tasks = [definition('a', { asks: { doer: { kind: 'agent' } }, writes: ['src/**'] })];
  model.apply({ kind: 'runSubmitted', at: AT, manifest: manifest(1, { tasks }) });
  const claimed = { kind: 'taskClaimed', at: AT, term: 1, worker: holder } as const;
  model.apply({ kind: 'taskMoved', run, task: taskId('a'), event: claimed });
  own(model, AT);
  return model;
}

function own(model: BoardModel, at = AT): void {
  model.apply({
    kind: 'pathsOwned',
    at,
    id: 'bob-1',
    worker: bob,
    tree: '/project',
    reads: [],
    writes: ['docs/**'],
    isUnsaved: false,
    until: instant(at + 60_000),
  });
}

function ask(model: BoardModel, [owner, path]: readonly [OwnerName, string], at = AT): string {
  const answer = answerRelease(model, { owner, worker: kim, path }, at);
  if (answer.kind === 'refused') return answer.why;
  return model.apply(answer.event);
}

function askedOf(model: BoardModel): Readonly<Record<string, readonly ReleaseAsk[] | undefined>> {
  const task = model.find(run, taskId('a'))?.claim?.owner?.asked;
  return { task, bob: model.owners.people.get('bob-1')?.asked };
}

test('whoever holds a task, and whoever has taken paths, is asked for one of them', () => {
  const model = board();
  expect(ask(model, [OF_TASK, 'src/x'])).toBe('moved');
  expect(ask(model, [OF_BOB, 'docs/y'])).toBe('moved');
  expect(askedOf(model)).toEqual({
    task: [{ worker: kim, path: 'src/x', at: AT }],
    bob: [{ worker: kim, path: 'docs/y', at: AT }],
  });
});

test('who asks again for the same file has asked once, and only the last ten are kept', () => {
  const model = board();
  ask(model, [OF_TASK, 'src/x']);
  ask(model, [OF_TASK, 'src/x'], instant(AT + 5));
  expect(askedOf(model)['task']).toEqual([{ worker: kim, path: 'src/x', at: AT + 5 }]);
  for (let each = 0; each < 12; each += 1) ask(model, [OF_TASK, `src/${each}`]);
  expect(askedOf(model)['task']?.map(({ path }) => path)).toEqual(
    Array.from({ length: 10 }, (_, each) => `src/${each + 2}`),
  );
});

test('whoever renews what they have taken is still asked for it, and whoever lets go is not', () => {
  const model = board();
  ask(model, [OF_BOB, 'docs/y']);
  own(model, instant(AT + 1000));
  expect(askedOf(model)['bob']).toHaveLength(1);
  model.apply({ kind: 'pathsFreed', at: AT, id: 'bob-1' });
  own(model, instant(AT + 2000));
  expect(askedOf(model)['bob']).toBeUndefined();
});

test('nobody is asked for what is over, and a command hears nothing', () => {
  const model = board(workerId('runner/local'));
  expect(ask(model, [OF_TASK, 'src/x'])).toBe('deaf');
  expect(ask(model, [{ kind: 'leftover', run, task: taskId('a'), term: 1 }, 'src/x'])).toBe('gone');
  expect(ask(model, [OF_BOB, 'docs/y'], instant(AT + 60_000))).toBe('gone');
  expect(ask(model, [{ kind: 'person', id: 'nobody', isUnsaved: false }, 'docs/y'])).toBe('gone');
  expect(ask(model, [OF_BOB, '../out'])).toBe('deaf');
});

test('who asked whom is among the facts of a board', () => {
  const model = board();
  ask(model, [OF_TASK, 'src/x']);
  ask(model, [OF_BOB, 'docs/y']);
  const again = boardOf(factsOf(model), RULES);
  expect(askedOf(again)).toEqual(askedOf(model));
  expect(factsOf(again)).toEqual(factsOf(model));
});

test('a person is not in their own way, whichever of their windows they are in', () => {
  const model = board();
  const request = { id: 'w', tree: '/project', reads: [], writes: ['docs/x'], isUnsaved: false };
  const asked = (worker: string): string =>
    answerOwn(model, { ...request, worker: workerId(worker) }, AT).kind;
  expect(asked('person/bob:window-7')).toBe('accepted');
  expect(asked('person/kim:window-7')).toBe('held');
});

test('who writes a file is told apart from who only reads it, and whose time is over is not there', () => {
  const model = board();
  const workersOf = (path: string, at = AT): string => {
    const { writers, readers } = model.owners.map.ofFile(path, at);
    const names = (owners: typeof writers): string => owners.map(({ worker }) => worker).join();
    return `${names(writers)}|${names(readers)}`;
  };
  model.apply({
    kind: 'pathsOwned',
    at: AT,
    id: 'kim-1',
    worker: kim,
    tree: '/project',
    reads: ['docs/**', 'src/**'],
    writes: ['src/b'],
    isUnsaved: false,
  });
  expect(workersOf('docs/x')).toBe('person/bob|person/kim');
  expect(workersOf('src/b')).toBe('agent/ann,person/kim|');
  expect(workersOf('elsewhere')).toBe('|');
  expect(workersOf('docs/x', instant(AT + 60_000))).toBe('|person/kim');
});
