import { expect, test } from 'vitest';
import { readSeen } from '../../../server/remote/seen.ts';

const PROCESS = { bootId: 'boot', pid: 42, startTime: '777' };

test.each([
  ['7 unknown', { kind: 'unknown' }],

  ['7 ordered', { kind: 'ordered' }],
  ['7 fenced', { kind: 'fenced' }],
  ['7 running boot 42 777', { kind: 'running', process: PROCESS }],
  ['7 ending 3 42 777', { kind: 'ending', result: '3', process: PROCESS }],
  ['7 ended folder 42 777', { kind: 'ended', result: 'folder', process: PROCESS }],
  ['7 headless boot 42 777', { kind: 'headless' }],
  ['7 gone boot 42 777', { kind: 'gone' }],
  ['7 rebooted old 42 777', { kind: 'rebooted' }],
])('"%s"', (line, seen) => {
  expect(readSeen(line, 'boot')).toEqual([7, seen]);
});

test('a start time may be a date, where the system has no number for it', () => {
  const [, seen] = readSeen('7 running boot 42 Thu Nov 19 11:00:00 2026', 'boot') ?? [];
  expect(seen).toMatchObject({ process: { startTime: 'Thu Nov 19 11:00:00 2026' } });
});

test.each([
  '',
  '7',
  'x unknown',
  '7 dancing',
  '7 running boot x 1',
  '7 ended ../1 42 777',
  '-1 gone',
])('"%s" says nothing', (line) => {
  expect(readSeen(line, 'boot')).toBeUndefined();
});
