import { expect, test } from 'vitest';
import { parseTaskReference, type TaskId } from '../../../server/domain/ids.ts';
import type { TaskDefinition } from '../../../server/domain/task.ts';
import type { RunRequest } from '../../../server/engine/run-request.ts';
import { afterCrash, engineWorld, type EngineWorld, request } from '../../support/engine-world.ts';
import { settled } from '../../support/hand-time.ts';
import { definition, taskId } from '../../support/runs.ts';

function reference(text: string): TaskId {
  const id = parseTaskReference(text);
  if (id === undefined) throw new Error(`"${text}" names no task.`);
  return id;
}

const DATA = 'data.interlock.yaml';
const WEB = 'web.interlock.yaml';
const Y = reference('data/y');
const PAGE = definition('page', { dependsOn: [Y] });
const LATER = definition('later', { after: [Y] });

/** The plan that is waited for. */
function data(fields: Partial<RunRequest> = {}): RunRequest {
  const tasks = [definition('y'), definition('z')];
  return request({ plan: DATA, tasks, isNeeded: true, ...fields });
}

/** The plan of which tasks wait for `y` of the other. */
function web(tasks: readonly TaskDefinition[] = [PAGE], fields: Partial<RunRequest> = {}) {
  const refersTo = [{ reference: Y, plan: DATA, task: taskId('y') }];
  return request({ plan: WEB, tasks, refersTo, ...fields });
}

async function begun(): Promise<EngineWorld> {
  const world = await engineWorld();
  await world.calls.submitTogether([data(), web()]);
  return world;
}

function kindsOf(results: readonly { readonly kind: string }[]): readonly string[] {
  return results.map(({ kind }) => kind);
}

test('a task is held back until one of another plan has completed', async () => {
  const world = await begun();
  expect(world.machine.running).toEqual(['y', 'z']);
  world.machine.succeed('y');
  await settled();
  expect(world.machine.running).toEqual(['z', 'page']);
});

test('and until it has merely ended', async () => {
  const world = await engineWorld();
  await world.calls.submitTogether([data({ isNeeded: false }), web([LATER])]);
  world.machine.fail('y');
  await settled();
  expect(world.machine.running).toEqual(['z', 'later']);
});

test('whoever decides next holds it back as well', async () => {
  const after = await afterCrash(await begun(), { carriesOn: 'all' });
  expect(after.machine.running).toEqual(['y', 'z']);
  after.machine.succeed('y');
  await settled();
  expect(after.machine.running).toEqual(['z', 'page']);
});

test('what completed in a run that is over counts for whoever decides next, from the facts too', async () => {
  const world = await engineWorld();
  const busy = definition('busy');
  await world.calls.submitTogether([data({ tasks: [definition('y')] }), web([busy, PAGE])]);
  await world.calls.control({ kind: 'pause-board' }, 'pause');
  world.machine.succeed('y');
  await settled();
  expect(world.engine.board.runs.size).toBe(1);
  world.engine.writer.together(() => world.engine.writer.rebase());
  const after = await afterCrash(world, { carriesOn: 'all' });
  await after.calls.control({ kind: 'resume-board' }, 'resume');
  expect(after.machine.running).toEqual(['busy', 'page']);
});

test('a run that is there already is waited for', async () => {
  const world = await engineWorld();
  await world.calls.submit(data());
  expect(kindsOf(await world.calls.submitTogether([data(), web()]))).toEqual(['joined', 'started']);
  world.machine.succeed('y');
  await settled();
  expect(world.machine.running).toEqual(['z', 'page']);
});

test('a run of the other plan that does not have the task is in the way, and that is said', async () => {
  const world = await engineWorld();
  await world.calls.submit(data({ tasks: [definition('z')] }));
  const [, refused] = await world.calls.submitTogether([data(), web()]);
  expect(refused).toEqual({
    kind: 'refused',
    message: `It needs tasks of ${DATA}, and other tasks of that plan are being run now. Wait for them, or stop them.`,
  });
  expect(world.machine.running).toEqual(['z']);
});

test('what merely comes after a task waits where that is run, and not otherwise', async () => {
  const world = await engineWorld();
  await world.calls.submit(web([LATER]));
  expect(world.machine.running).toEqual(['later']);
  world.machine.succeed('later');
  await world.calls.submit(data());
  await world.calls.submit(web([LATER]));
  expect(world.machine.running).toEqual(['y', 'z']);
});

test('nothing is begun that nobody needs', async () => {
  const world = await begun();
  world.machine.succeed('y');
  world.machine.succeed('z');
  await settled();
  const again = await world.calls.submitTogether([data(), web()]);
  expect(kindsOf(again)).toEqual(['unneeded', 'joined']);
  expect(world.machine.running).toEqual(['page']);
});

test('nor what only somebody needs who is refused', async () => {
  const world = await engineWorld();
  const results = await world.calls.submitTogether([data(), web([PAGE, PAGE])]);
  expect(kindsOf(results)).toEqual(['unneeded', 'refused']);
  expect(world.machine.running).toEqual([]);
});

test('asked for again under the same names, it is the same', async () => {
  const world = await engineWorld();
  const requests = [data(), web()];
  const first = await world.calls.submitTogether(requests);
  expect(await world.calls.submitTogether(requests)).toEqual(first);
  world.machine.succeed('y');
  world.machine.succeed('z');
  await settled();
  expect(await world.calls.submitTogether(requests)).toEqual(first);
  expect(world.engine.board.runs.size).toBe(1);
});

async function leftAlone(finishFirst: boolean): Promise<EngineWorld> {
  const world = await begun();
  world.engine.end();
  if (finishFirst) {
    world.machine.succeed('y');
    world.machine.succeed('z');
  }
  world.time.sleep(3_600_000);
  return await afterCrash(world);
}

test('an interrupted run is carried on together with the one that it waits for', async () => {
  const after = await leftAlone(false);
  const results = await after.calls.submitTogether([data({ selection: [taskId('y')] }), web()]);
  expect(kindsOf(results)).toEqual(['joined', 'joined']);
  after.machine.succeed('y');
  await settled();
  expect(after.machine.running).toContain('page');
});

test('and without it where that has completed', async () => {
  const after = await leftAlone(true);
  const results = await after.calls.submitTogether([data(), web()]);
  expect(kindsOf(results)).toEqual(['unneeded', 'joined']);
  expect(after.machine.running).toEqual(['page']);
});

test('where the other plan was edited, both begin anew', async () => {
  const after = await leftAlone(false);
  const tasks = [definition('y', { title: 'edited' })];
  const results = await after.calls.submitTogether([data({ tasks }), web()]);
  expect(kindsOf(results)).toEqual(['started', 'started']);
});

test('plans that wait for each other begin together', async () => {
  const world = await engineWorld();
  const back = reference('web/page');
  const tasks = [definition('y'), definition('z', { dependsOn: [back] })];
  const refersTo = [{ reference: back, plan: WEB, task: taskId('page') }];
  await world.calls.submitTogether([data({ tasks, refersTo, isNeeded: false }), web()]);
  expect(world.machine.running).toEqual(['y']);
  world.machine.succeed('y');
  await settled();
  expect(world.machine.running).toEqual(['page']);
  world.machine.succeed('page');
  await settled();
  expect(world.machine.running).toEqual(['z']);
});

test('of one plan one run begins, however often it is asked for', async () => {
  const world = await engineWorld();
  const results = await world.calls.submitTogether([web([]), web([definition('other')])]);
  expect(kindsOf(results)).toEqual(['started', 'busy']);
});
