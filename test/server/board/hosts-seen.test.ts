import { expect, test } from 'vitest';
import { HostsSeen } from '../../../server/board/hosts-seen.ts';
import type { SeenWorker } from '../../../server/board/workers-seen.ts';
import { instant } from '../../../server/domain/time.ts';
import { HandMachines } from '../../support/hand-machines.ts';

const SEEN: SeenWorker = {
  id: 'runner/build-1',
  kind: 'host',
  name: 'build-1',
  isYou: false,
  state: 'away',
  isDrained: false,
  trouble: 'cannot be reached',
  uses: [],
  remarks: [],
  capabilities: [],
  heardAt: undefined,
  holds: [],
};
const LOCAL: SeenWorker = { ...SEEN, id: 'runner/local', kind: 'runner', name: 'This machine' };

function machinesWith(...hosts: readonly string[]): HandMachines {
  const machines = new HandMachines();
  for (const host of hosts) machines.at(host);
  return machines;
}

test('every host of the settings is there, also one that nobody has needed', () => {
  const machines = machinesWith('build-1', 'gpu');
  const all = new HostsSeen().of([LOCAL, SEEN], { machines, now: instant(1) });
  expect(all.map(({ id, host }) => [id, host?.state])).toEqual([
    ['runner/local', undefined],
    ['runner/build-1', 'idle'],
    ['runner/gpu', 'idle'],
  ]);
  expect(all[2]).toMatchObject({ kind: 'host', trouble: '', host: { ssh: 'kim@gpu', why: '' } });
});

test('a host is as the runner of this process sees it, and since when is known once it changes', () => {
  const machines = machinesWith('build-1');
  const hosts = new HostsSeen();
  machines.see({ name: 'build-1', state: 'reachable', why: '', system: 'Linux' });
  const [first] = hosts.of([{ ...SEEN, state: 'idle', trouble: '' }], {
    machines,
    now: instant(10),
  });
  expect(first?.host).toEqual({ ssh: 'kim@build-1', state: 'reachable', why: '', system: 'Linux' });
  machines.see({ name: 'build-1', state: 'reconnecting', why: 'it is \u001b[31msilent' });
  const [second] = hosts.of([SEEN], { machines, now: instant(20) });
  expect(second).toMatchObject({
    trouble: '',
    host: { state: 'reconnecting', since: instant(20) },
  });
  expect(second?.host?.why).not.toContain('\u001b');
  const [third] = hosts.of([SEEN], { machines, now: instant(30) });
  expect(third?.host?.since).toBe(20);
});

test('where another process decides, the board says how a host is', () => {
  const machines = machinesWith('build-1');
  const stateOf = (seen: Partial<SeenWorker>): string | undefined =>
    new HostsSeen().of([{ ...SEEN, ...seen }], { machines, now: instant(1) })[0]?.host?.state;
  expect(stateOf({ state: 'busy', trouble: '' })).toBe('reachable');
  expect(stateOf({})).toBe('idle');
});

test('a host that is in no settings any more is what the board knows of it', () => {
  const [seen] = new HostsSeen().of([SEEN], { machines: machinesWith(), now: instant(1) });
  expect(seen).toEqual(SEEN);
});
