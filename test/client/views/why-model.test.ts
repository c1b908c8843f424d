import { expect, test } from 'vitest';
import type { BlockerView, WhyReply } from '../../../protocol/why.ts';
import { whyItems, whyTitle } from '../../../client/views/why-model.ts';

const NOW = 1_000_000;

const blocker = (kind: string, change: Partial<BlockerView> = {}): BlockerView => ({
  key: kind,
  kind,
  what: `Because of ${kind}`,
  remedy: 'Wait',
  ...change,
});
const KINDS =
  'dependencies hazard resources parallel capability host backoff cooldown paused untrusted outranked unsatisfiable attention unclaimed plan busy'.split(
    ' ',
  );
const reply = (...blockers: readonly BlockerView[]): WhyReply => ({
  title: '',
  state: 'waiting',
  blockers,
});
const textOf = (of: WhyReply): readonly string[] =>
  whyItems(of, NOW).map(({ isSection, label, description, detail }) =>
    isSection ? `— ${label}` : [label, description, detail].join(' | '),
  );

test('what needs the person comes first, and each reason says what choosing it does', () => {
  const action = { kind: 'clear', title: 'Resume' } as const;
  const found = reply(
    blocker('hazard', { until: NOW + 90_000 }),
    blocker('paused', { action }),
    blocker('plan'),
    blocker('host'),
  );
  expect(textOf(found)).toEqual([
    '— needs you',
    '$(debug-pause) Because of paused |  | Wait. $(arrow-right) Resume',
    '— waits for others',
    '$(lock) Because of hazard | in 90 s at the latest | Wait.',
    '— waits for a worker, or for time to pass',
    '$(remote) Because of host |  | Wait.',
    '— needs a change of the plan',
    '$(error) Because of plan |  | Wait.',
  ]);
  expect(whyTitle('api', found)).toBe('4 things are in the way of "api"');
});

test('every reason of the scheduler is in a section', () => {
  for (const kind of KINDS) expect(whyItems(reply(blocker(kind)), NOW)).toHaveLength(2);
});

test('where nothing is in the way, how it is says why', () => {
  const states = ['running', 'completed', 'failed', 'idle', 'ready'] as const;
  const texts = states.map((state) => whyItems({ ...reply(), state }, NOW)[0]?.label);
  expect(texts).toEqual([
    '$(pass) It is being worked on now',
    '$(pass) It is done',
    '$(error) It has failed; run it to try again',
    '$(circle-outline) Nobody has asked for it; run it to begin',
    '$(circle-outline) It starts in a moment',
  ]);
  expect(whyTitle('api', reply())).toBe('Nothing is in the way of "api"');
  expect(whyTitle('api', { ...reply(), state: 'skipped' })).toBe('Why "api" did not complete');
  expect(whyTitle('api', reply(blocker('host')))).toBe('One thing is in the way of "api"');
});

/** What stands below how it is. */
function endingOf(state: WhyReply['state'], ending: string): string | undefined {
  return whyItems({ ...reply(), state }, NOW, ending)[0]?.detail;
}

test('what was skipped or has failed says why', () => {
  const skipped = 'because test did not complete';
  expect(endingOf('skipped', skipped)).toBe(`${skipped}. $(arrow-right) Run`);
  expect(endingOf('failed', 'exit code 1')).toBe('exit code 1. $(arrow-right) Run');
  expect(endingOf('failed', '')).toBe('$(arrow-right) Run');
  expect(endingOf('completed', '2 s')).toBe('');
});

function commandsOf(state: WhyReply['state']): readonly (string | undefined)[] {
  return whyItems({ ...reply(), state }, NOW).map(({ command }) => command);
}

test('a task that has failed can be run again from there, and its log be read', () => {
  expect(commandsOf('failed')).toEqual(['interlock.task.runThis', 'interlock.task.showLog']);
  expect(commandsOf('idle')).toEqual(['interlock.task.runThis']);
  expect(commandsOf('running')).toEqual([undefined, 'interlock.task.showLog']);
});
