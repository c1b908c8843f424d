import { expect, test } from 'vitest';
import { HostNotice } from '../../../server/cli/host-notice.ts';
import { HandMachines } from '../../support/hand-machines.ts';

const WHY = 'build-1 is not known.';
const OUT = { name: 'build-1', state: 'unreachable', why: WHY } as const;

test('why a host cannot be reached is told once, and when it can be again', () => {
  const machines = new HandMachines();
  const told: string[] = [];
  machines.see({ name: 'build-1', state: 'connecting', why: '' });
  const notice = new HostNotice(machines, (sentence) => told.push(sentence));
  machines.see({ name: 'build-1', state: 'reconnecting', why: WHY });
  expect(told).toEqual([]);
  machines.see(OUT);
  machines.see({ name: 'build-1', state: 'reconnecting', why: WHY });
  machines.see({ ...OUT, state: 'unhealthy' });
  expect(told).toEqual([`Host "build-1" cannot be reached. ${WHY}`]);
  machines.see({ name: 'build-1', state: 'reachable', why: '' });
  machines.see({ name: 'build-1', state: 'reachable', why: '' });
  expect(told.slice(1)).toEqual(['Host "build-1" can be reached again.']);
  machines.see(OUT);
  notice[Symbol.dispose]();
  machines.see({ name: 'gpu', state: 'unreachable', why: WHY });
  expect(told).toHaveLength(3);
});

test('another reason is told as well, and none of them twice', () => {
  const machines = new HandMachines();
  const told: string[] = [];
  using _ = new HostNotice(machines, (sentence) => told.push(sentence));
  for (const why of [WHY, 'build-1 is not who it was.', WHY]) machines.see({ ...OUT, why });
  expect(told).toEqual([
    `Host "build-1" cannot be reached. ${WHY}`,
    'Host "build-1" cannot be reached. build-1 is not who it was.',
  ]);
});

test('one that could not be reached before is told at once', () => {
  const machines = new HandMachines();
  machines.see(OUT);
  const told: string[] = [];
  using _ = new HostNotice(machines, (sentence) => told.push(sentence));
  expect(told).toEqual([`Host "build-1" cannot be reached. ${WHY}`]);
});
